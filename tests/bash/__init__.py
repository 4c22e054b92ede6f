"""Bash scripts read without running them."""
