"""Tests of ``opvalue.process``."""
