"""What a scan tells of a session that a conclusion would leave as it is: decision 0020."""

from collections.abc import Sequence
from typing import Any

import pytest

from opvalue.limits import Limits
from opvalue.session import scan
from opvalue.session.batch import Batch
from opvalue.session.order import Rank, canonical
from opvalue.session.watching import Watch
from tests.session.events import Event, answered, asked, done, event, row, start
from tests.session.strategies import line

LINK = b"https://name:password@host/"


def is_settled(*lines: bytes, is_redacted: bool = False) -> bool:
    watch = Watch(is_redacted=is_redacted)
    scan([b"\n".join(lines)], watch=watch)
    return watch.settled


def given(text: bytes) -> bytes:
    """Return the start of a call with these arguments, as they are written in JSON."""
    return line(start(input={"a": "?"})).replace(b'"?"', b'"%b"' % text)


def batch(first: Rank | None, final: Rank | None, *, settled: bool = True) -> Batch:
    made = Batch()
    made.first, made.final, made.settled = first, final, settled
    return made


@pytest.mark.parametrize(
    ("stretches", "settled"),
    [
        ([((1, 1), (1, 5)), ((1, 5), (2, 0))], True),
        ([((1, 1), (1, 5)), ((1, 4), (1, 7))], False),
        ([((1, 1), (1, 5)), (None, None), ((1, 4), (1, 7))], False),
        ([((2, 0), (2, 0)), ((1, 9), (1, 9))], False),
    ],
)
def test_each_stretch_goes_on_where_the_last_one_ended(stretches: Sequence[Any], settled: bool) -> None:
    watch = Watch()
    for first, final in stretches:
        watch.take(batch(first, final))
    assert watch.settled is settled


def test_one_stretch_is_enough() -> None:
    watch = Watch()
    for settled in (True, False, True):
        watch.take(batch(None, None, settled=settled))
    assert not watch.settled


CONCLUSION: Event = {"component": "grader", "phase": "conclusion"}
CLOSING = event("session.collection", component="collector", phase="conclusion")


@pytest.mark.parametrize(
    "events",
    [
        [event("mcp.event", at=1, **CONCLUSION), event("mcp.event", at=2)],
        [event("mcp.event", **CONCLUSION), CLOSING],
        [event("mcp.event", at=5), event("mcp.event", at=9, **CONCLUSION), event("mcp.event")],
    ],
)
def test_what_a_conclusion_appended_comes_last(events: list[Any]) -> None:
    assert not is_settled(*map(line, events))
    assert is_settled(*map(line, canonical(events)))


@pytest.mark.parametrize("escape", [b"\\u0020", b"\\u003a", b"\\u004D", b"\\u005f", b"\\u0061", b"\\u0078"])
def test_what_json_need_not_escape_might_be_anything(escape: bytes) -> None:
    assert not is_settled(given(escape))


@pytest.mark.parametrize("escape", [b"\\u001f", b"\\u00e9", b"\\n", b"\\\\", b"\\/"])
def test_other_escapes_are_read(escape: bytes) -> None:
    assert is_settled(given(escape))


@pytest.mark.parametrize("text", [LINK, LINK.replace(b"/", b"\\/"), b"x\\n" + LINK])
def test_secrets_in_arguments(text: bytes) -> None:
    assert not is_settled(given(text))
    assert is_settled(given(text), is_redacted=True)
    assert is_settled(given(text.replace(b"@", b"#")))


TOKEN = "ghp_" + "a" * 36


@pytest.mark.parametrize(
    "one",
    [
        *(start(TOKEN), start(id_=TOKEN), start(id=TOKEN), start(mcpServerName=TOKEN), start(command=TOKEN)),
        *(start(agentId=TOKEN), start(sessionId=TOKEN), start(path=TOKEN), start(input={TOKEN: 1})),
        *(done(TOKEN), done("a", TOKEN), done("a", sessionId=TOKEN)),
        *(asked(TOKEN), asked("a", TOKEN), asked("a", server=TOKEN), asked("a", toolCallId=TOKEN)),
        *(answered(TOKEN), answered(server=TOKEN), row(TOKEN), row("a", path=TOKEN)),
        *(event("x.y", component=TOKEN), event("x.y", phase=TOKEN), start() | {"timestamp": TOKEN}),
        *(event("experiment.assignment", {"assignments": {TOKEN: "v"}}), event("workflow.info", {"runId": TOKEN})),
        *(event("eval.result", {"id": TOKEN}), event("mcp.event", {"event": "retry", "message": TOKEN})),
        event("session.start", {"sessionId": TOKEN}),
    ],
)
def test_secrets_in_what_decides_a_number(one: Event) -> None:
    assert not is_settled(line(one))
    assert is_settled(line(one), is_redacted=True)
    assert is_settled(line(one).replace(b"ghp_", b"gho!"))


@pytest.mark.parametrize("one", [done("a", output=TOKEN), done("a", error=TOKEN), event("x.y", {"a": TOKEN})])
def test_secrets_elsewhere_are_not_looked_for(one: Event) -> None:
    assert is_settled(line(one))


def test_a_line_that_is_too_long_to_be_looked_at() -> None:
    watch = Watch()
    long = line(start("b" * 900))
    scan([line(start()), b"\n", long], watch=watch, skip_malformed=True, limits=Limits(session_line_bytes=500))
    assert not watch.settled
