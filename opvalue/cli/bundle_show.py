"""``opvalue bundle show``: whose evidence a bundle is, and its exchanges one a row; or one body as it was received."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from opvalue.cli.bundle_text import ID_SHOWN, NARROWEST, as_request, broken, broken_fields, header_rows
from opvalue.cli.cache import size_in_words
from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Line, Style, Styled, single_line
from opvalue.cli.paths import PATH
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.evidence.bundle import Bundle
    from opvalue.evidence.exchange import Exchange
    from opvalue.evidence.scope import Attribution, Scope, Standing

_HEADINGS: Final = ("#", "id", "code", "size")
_BELOW: Final = 4
"""How far a request is set in that stands below the rest of its row."""
_LONGEST_NUMBER: Final = 6
_SHORTEST_ID: Final = 4


class _Row(NamedTuple):
    number: int
    exchange: "Exchange"
    attribution: "Attribution"
    standing: "Standing | None"
    """``None`` where the bundle does not say what was declared."""


@declare(
    "show",
    examples=(
        "opvalue bundle show evidence.bundle",
        "opvalue bundle show evidence.bundle --body 1 | jq .",
        "opvalue bundle show evidence.bundle --json | jq '.exchanges[].request.path'",
    ),
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--body", metavar="N|ID", help="Print the body of one answer as it was received, redacted, nothing else.")
@click.option("--sent", metavar="N|ID", help="Print the body of one request, such as a GraphQL document, nothing else.")
@json_option
def command(console: Console, file: Path, body: str | None, sent: str | None) -> None:
    """Show what the bundle FILE is the evidence of, and every request with its answer.

    An exchange that is not of a declared repository says so below its request. N is the number of an exchange in the
    bundle, ID the first characters of its id, which it has in every bundle.
    """
    from opvalue.evidence.bundle import read_bundle  # noqa: PLC0415 - help is shown without it

    if body is not None and sent is not None:
        raise UsageError("--body and --sent are two bodies", hint="Give one or the other.")
    with console.progress(f"reading {file}"):
        bundle = read_bundle(file)
        rows = [] if body or sent else list(_rows(bundle))
    chosen = body if body is not None else sent
    if chosen is not None:
        number, exchange = _find(bundle, chosen)
        _print_body(console, number, exchange, sent=sent is not None)
    elif console.json:
        console.data(_document(bundle, file, rows))
    else:
        columns = console.columns
        console.lines(broken_fields(header_rows(bundle, file), columns))
        console.lines(_failures(bundle, columns))
        console.lines(_table(rows, columns))


def _rows(bundle: "Bundle") -> Iterator[_Row]:
    from opvalue.evidence.bundle import scope_of  # noqa: PLC0415
    from opvalue.evidence.errors import RequestRefused  # noqa: PLC0415
    from opvalue.evidence.scope import Attribution, attribute  # noqa: PLC0415

    scope = scope_of(bundle.header.declared)
    for number, exchange in enumerate(bundle.exchanges, 1):
        try:
            attribution = attribute(exchange.request)
        except RequestRefused:
            attribution = Attribution.of(unattributed=True)
        yield _Row(number, exchange, attribution, _standing(scope, attribution))


def _standing(scope: "Scope", attribution: "Attribution") -> "Standing | None":
    return scope.judge(attribution) if scope.declared else None


def _failures(bundle: "Bundle", columns: int | None) -> Iterator[Line]:
    for cause, request in bundle.header.failures:
        first, *rest = broken(single_line(f"{cause}: {request}"), columns - 2 if columns else None)
        yield (Styled(f"  {first}", Style.BAD),)
        yield from ((Styled(f"  {line}", Style.BAD),) for line in rest)


def _table(rows: list[_Row], columns: int | None) -> Iterator[Line]:
    yield ""
    if not rows:
        yield "no exchanges"
        return
    cells = [_cells(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(_HEADINGS, *cells, strict=True)]
    indent = sum(widths) + 2 * len(widths)
    below = columns is not None and columns - indent < NARROWEST
    if below:
        indent = _BELOW
    for line in _placed(_aligned(_HEADINGS, widths), ["request"], indent, below=below):
        yield (Styled(line, Style.DIM),)
    for row, texts in zip(rows, cells, strict=True):
        yield from _lines(row, _aligned(texts, widths), indent, columns, below=below)
    yield ""
    yield _in_words(rows)


def _cells(row: _Row) -> tuple[str, ...]:
    answer = row.exchange.answer
    shown = row.exchange.request.id[:ID_SHOWN]
    return (str(row.number), shown, str(answer.status), size_in_words(len(answer.body)))


def _aligned(texts: tuple[str, ...], widths: list[int]) -> str:
    return "".join(text.rjust(room) + "  " for text, room in zip(texts, widths, strict=True))


def _lines(row: _Row, start: str, indent: int, columns: int | None, *, below: bool) -> Iterator[Line]:
    room = columns - indent if columns else None
    first, *rest = _placed(start, broken(as_request(row.exchange.request), room), indent, below=below)
    good = row.exchange.answer.status < 400
    yield first if good else (Styled(first, Style.WARN),)
    yield from rest
    outside = _outside(row)
    if outside:
        yield from ((" " * indent, Styled(line, Style.WARN)) for line in broken(outside, room))


def _placed(start: str, texts: list[str], indent: int, *, below: bool) -> list[str]:
    """Return the lines of a row: its texts behind what stands at its start, or below that."""
    first, *rest = texts
    lines = [start.rstrip(), " " * indent + first] if below else [start + first]
    return [*lines, *(" " * indent + line for line in rest)]


def _outside(row: _Row) -> str:
    from opvalue.evidence.scope import Standing  # noqa: PLC0415

    if row.standing in {None, Standing.DECLARED}:
        return ""
    names = [*row.attribution.repositories, *(["others"] if row.attribution.unattributed else [])]
    if row.standing is Standing.UNDECLARED:
        return f"undeclared: {', '.join(names)}"
    return "unattributed"


def _in_words(rows: list[_Row]) -> str:
    size = sum(len(row.exchange.answer.body) for row in rows)
    parts = [f"{len(rows)} {'exchange' if len(rows) == 1 else 'exchanges'}, {size_in_words(size)} of answers"]
    standings = [row.standing.value for row in rows if row.standing]
    parts += [f"{standings.count(name)} {name}" for name in ("undeclared", "unattributed") if standings.count(name)]
    return ", ".join(parts)


def _find(bundle: "Bundle", text: str) -> tuple[int, "Exchange"]:
    numbered = list(enumerate(bundle.exchanges, 1))
    if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER:
        found = [one for one in numbered if one[0] == int(text)]
    else:
        found = [one for one in numbered if one[1].request.id.startswith(text.lower()) and len(text) >= _SHORTEST_ID]
    if len(found) == 1:
        return found[0]
    raise UsageError(
        f"{text[:80]!r} does not name one exchange",
        expected=f"a number from 1 to {len(numbered)}, or at least {_SHORTEST_ID} characters of an id",
        found=f"{len(found)} exchanges",
        hint="opvalue bundle show FILE lists them.",
    )


def _print_body(console: Console, number: int, exchange: "Exchange", *, sent: bool) -> None:
    body = exchange.request.body if sent else exchange.answer.body
    text = _text(body)
    if console.json:
        console.data(_body_document(number, exchange, body, text))
    elif text is None and console.columns is not None:
        raise UsageError(
            f"the body is {size_in_words(len(body))} of binary data",
            hint="Redirect it to a file, or give --json to have it in base64.",
        )
    else:
        console.raw(body)


def _text(body: bytes) -> str | None:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def _body_document(number: int, exchange: "Exchange", body: bytes, text: str | None) -> dict[str, object]:
    from base64 import b64encode  # noqa: PLC0415

    content = {"text": text} if text is not None else {"base64": b64encode(body).decode()}
    kind = exchange.answer.header("content-type")
    return {"number": number, "id": exchange.request.id, "contentType": kind, "bytes": len(body), **content}


def _document(bundle: "Bundle", file: Path, rows: list[_Row]) -> dict[str, object]:
    from opvalue.evidence.bundle.documents import described, header_fields  # noqa: PLC0415

    exchanges = [
        {
            "number": row.number,
            "id": row.exchange.request.id,
            **described(row.exchange),
            "repositories": list(row.attribution.repositories),
            "standing": row.standing.value if row.standing else None,
        }
        for row in rows
    ]
    return {
        "file": str(file),
        "digest": bundle.digest.hex,
        "header": header_fields(bundle.header),
        "exchanges": exchanges,
    }
