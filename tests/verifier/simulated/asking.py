"""Requests to made-up sources, and what comes back."""

import json
from typing import Any, Final

from opvalue.evidence.broker import Source
from opvalue.evidence.exchange import Answer, normalise
from opvalue.identity import Host, Instant
from verifier.simulated import Hints, Setting

HOST: Final = Host("github.com")
SETTING: Final = Setting(
    repository="octo-org/widgets",
    workflow="Issue triage",
    workflow_id="issue-triage",
    run_id="17000000042",
    sha="5e1f" * 10,
    created=Instant.parse("2026-08-11T09:30:00Z"),
    matures=Instant.parse("2026-08-18T09:30:00Z"),
    hints=Hints({}),
)


def answer(source: Source, target: str, *, accept: str = "*/*") -> Answer:
    """Ask with GET, below the repository unless the target begins with a slash."""
    path = target if target.startswith("/") else f"/repos/octo-org/widgets/{target}"
    request = normalise("GET", path, host=HOST, accept=accept, api_version="", body=b"")
    return source.exchange(request, authorised=True).answer


def ask(source: Source, target: str) -> Any:
    """Return the document that is answered."""
    return json.loads(answer(source, target).body)


def query(source: Source, text: str, **variables: Any) -> Any:
    """Return what is answered to a GraphQL query."""
    body = json.dumps({"query": text, "variables": variables}).encode()
    request = normalise("POST", "/graphql", host=HOST, accept="*/*", api_version="", body=body)
    return json.loads(source.exchange(request, authorised=True).answer.body)
