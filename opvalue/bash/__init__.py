"""Bash scripts read without running them: the files they source, and the modes they handle. Pure."""

from opvalue.bash.closure import Closure, closure_digest, read_closure
from opvalue.bash.parse import ShellParser

__all__ = ["Closure", "ShellParser", "closure_digest", "read_closure"]
