"""What the commands of ``opvalue bundle`` share: how requests and headers are shown. Prints nothing by itself."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from opvalue.cli.cache import size_in_words
from opvalue.cli.console import Line, Style, Styled, single_line
from opvalue.cli.folding import FILLER, filled

if TYPE_CHECKING:
    from opvalue.evidence.bundle import Bundle, Profile
    from opvalue.evidence.exchange import Answer, Request
    from opvalue.identity import Instant

ID_SHOWN: Final = 8
"""Characters of a request's id that are shown."""
_BREAKS: Final = "/?&"
NARROWEST: Final = 20
"""Columns of a line that breaks no further."""
_QUERY_SHOWN: Final = 60


def as_request(request: "Request") -> str:
    """Return a request as one line, whole."""
    return single_line(f"{request.method} {request.target}{_sent(request.body)}")


def as_answer(answer: "Answer") -> str:
    """Return an answer in few words."""
    return f"{answer.status}, {size_in_words(len(answer.body))}"


def broken(text: str, room: int | None) -> list[str]:
    """Return ``text`` in lines of at most ``room`` columns, parted at spaces or within an address where it can be."""
    if room is None:
        return [text]
    wide = filled(text)
    # A wide character may come to stand at the edge: it needs two columns.
    parts = _parts(wide, max(room, NARROWEST) - (wide != text))
    return [part.replace(FILLER, "") for part in parts]


def broken_fields(rows: Iterable[tuple[str, str]], columns: int | None) -> Iterator[Line]:
    """Yield names and values in two aligned columns, long values set in."""
    table = [(name, single_line(value)) for name, value in rows]
    indent = max(len(name) for name, _ in table) + 2
    for name, value in table:
        first, *rest = broken(value, columns - indent if columns else None)
        yield (Styled(name.ljust(indent), Style.DIM), first)
        yield from (" " * indent + line for line in rest)


def header_rows(bundle: "Bundle", path: Path) -> list[tuple[str, str]]:
    """Return what a bundle's header says, as names and values."""
    header = bundle.header
    declared = [f"{one.repository} #{one.id}" if one.id else one.repository for one in header.declared]
    return [
        ("bundle", str(path)),
        ("digest", bundle.digest.hex),
        ("host", header.host.name),
        ("run", f"{header.run_id}, attempt {header.attempt}, of repository #{header.repository_id}"),
        ("evaluator", header.evaluator_digest.hex),
        ("closure", header.closure_digest.hex),
        ("evidence at", ", ".join(map(str, header.requests))),
        ("observed", observed(exchange.observed_at for exchange in bundle.exchanges)),
        ("declared", ", ".join(declared) or "not recorded"),
        ("made with", _profile(header.profile)),
        ("complete", "yes" if header.complete else "no"),
    ]


def _profile(profile: "Profile") -> str:
    parts = [f"a stand-in for {profile.gh}" if profile.gh else "", profile.jq]
    return ", ".join(part for part in parts if part) or "not recorded"


def clock() -> "Instant":
    """Return the time by this machine's clock."""
    from datetime import UTC, datetime  # noqa: PLC0415 - help is shown without it

    from opvalue.identity import Instant  # noqa: PLC0415

    return Instant.from_datetime(datetime.now(UTC))


def observed(times: Iterable["Instant"]) -> str:
    """Return from when to when."""
    ordered = sorted(times)
    if not ordered:
        return "nothing"
    first, last = ordered[0], ordered[-1]
    return str(first) if first == last else f"{first} to {last}"


def _parts(text: str, room: int) -> Iterator[str]:
    while len(text) > room:
        cut = next((at for at in _cuts(text, room) if at > room // 2), room)
        yield text[:cut].rstrip()
        text = text[cut:].lstrip()
    yield text


def _cuts(text: str, room: int) -> Iterator[int]:
    # A space just behind the edge is as good.
    yield text.rfind(" ", 0, room + 1) + 1
    yield max(text.rfind(one, 0, room) for one in _BREAKS) + 1


def _sent(body: bytes) -> str:
    if not body:
        return ""
    from opvalue.strictjson import JsonRefused, loads_object  # noqa: PLC0415 - few requests have a body

    try:
        query = loads_object(body).get("query")
    except JsonRefused:
        query = None
    if not isinstance(query, str):
        return f" with {len(body)} bytes"
    words = " ".join(query.split())
    return f" {words if len(words) <= _QUERY_SHOWN else words[: _QUERY_SHOWN - 3] + '...'}"
