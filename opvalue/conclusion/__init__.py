"""Compile, conclude and replay: where graders meet files (Graders Specification 5 and 6)."""
