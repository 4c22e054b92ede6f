"""Tests of ``opvalue.evaluator``."""
