"""Schema-4 contracts: definition, request, observation, score; and the session contract's metrics array. Pure."""

from opvalue.contract.request import Subject, build_request, encode

__all__ = ["Subject", "build_request", "encode"]
