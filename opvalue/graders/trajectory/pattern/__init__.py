"""Search by a regular expression in time linear in the text, whatever the expression (DESIGN 2.1).

A session's texts are not the author's, and the standard library's matcher can be made to take exponential time by
them. So the expressions are the part of JavaScript's that finite automata can search: no look-around, no references
back. Letter case is ignored. Each one is read once, its automaton built while it is used, and all work is counted.
"""

from opvalue.graders.trajectory.pattern.machine import Machine, Work, WorkExceeded
from opvalue.graders.trajectory.pattern.program import assemble
from opvalue.graders.trajectory.pattern.syntax import PatternRefused, parse

__all__ = ["Machine", "PatternRefused", "Work", "WorkExceeded", "compiled"]


def compiled(pattern: str, work: Work) -> Machine:
    """Return the machine that searches for ``pattern``, charging ``work``. Raises ``PatternRefused``."""
    return Machine(assemble(parse(pattern)), work)
