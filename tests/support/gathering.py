"""Runs whose evaluator gathers evidence with ``gh``: the script made of a few lines, the answers from a table."""

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from opvalue.errors import OpvalueError
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.identity import Instant
from tests.support.world import NOW, World, material

Reply = Answer | OpvalueError | Callable[[Request], Answer]

REPOSITORY_ID: Final = 42
_JSON: Final = "application/json; charset=utf-8"
_FROM: Final = "  request=$(cat)\n"
_REST: Final = b"  local request evidence value\n"


def gathering(lines: str) -> bytes:
    """Return an evaluator whose ``--grade-run`` first runs ``lines`` and then takes its value from ``$attained``.

    The lines run where a failure ends nothing, as in many a real script, and ``$attained`` is 1 before them.
    """
    script = material("issue-triage-operational-value.sh").decode()
    before, _, after = script.partition('  value=$(metric <<<"$evidence")\n')
    gathered = f"  set +e +o pipefail\n  attained=1\n{lines}\n  set -e\n  value=$attained\n"
    return (before + gathered + after).encode()


def answer(value: Any = None, status: int = 200, **headers: str) -> Answer:
    """Return a JSON answer."""
    named = {"content-type": _JSON, **{name.replace("_", "-"): text for name, text in headers.items()}}
    return Answer(status, tuple(sorted(named.items())), json.dumps(value).encode())


class Table:
    """A source that answers by path; what is not in it is answered with its own target. Keeps what it was asked."""

    def __init__(self, replies: Mapping[str, Reply] | None = None, *, observed_at: Instant = NOW) -> None:
        self.replies: dict[str, Reply] = {"/repos/acme/widgets": answer({"id": REPOSITORY_ID}), **(replies or {})}
        self.asked: list[str] = []
        self.observed_at = observed_at
        self._lock = threading.Lock()

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:
        """Answer from the table."""
        del authorised
        with self._lock:
            self.asked.append(request.target)
        reply = self.replies.get(request.path, answer({"target": request.target}))
        if isinstance(reply, OpvalueError):
            raise reply
        return Exchange(request, reply if isinstance(reply, Answer) else reply(request), None, self.observed_at)


def world(root: Path, lines: str) -> World:
    """Return a run whose evaluator gathers evidence with ``lines``."""
    return World(root, evaluator=gathering(lines))
