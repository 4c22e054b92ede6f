"""The stand-in ``gh``: gh's manners inside the sandbox, bare HTTP to the broker outside.

``inside`` is data: it runs in the evaluator's place and imports nothing of this project. Evidence is not judged here.
"""

from opvalue.evidence.gh.assemble import PROFILE, stand_in

__all__ = ["PROFILE", "stand_in"]
