"""``opvalue bundle diff``: which requests only one of two bundles answers, and which they answer differently."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.bundle_text import as_answer, as_request, broken, broken_fields, observed
from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Line, Style, Styled, single_line
from opvalue.cli.paths import PATH

if TYPE_CHECKING:
    from opvalue.evidence.bundle import Bundle
    from opvalue.evidence.bundle.compare import Comparison, Difference
    from opvalue.evidence.exchange import Answer, Exchange

DIFFERENT: Final = 10
"""How the command ends when the evidence differs: there are findings (DESIGN 4)."""


@declare(
    "diff",
    examples=(
        "opvalue bundle diff monday.bundle tuesday.bundle",
        "opvalue bundle diff a.bundle b.bundle --json | jq '.different[].request.path'",
    ),
)
@click.argument("a", metavar="A", type=PATH)
@click.argument("b", metavar="B", type=PATH)
@json_option
def command(console: Console, a: Path, b: Path) -> int:
    """Say how the evidence in the bundle B differs from that in the bundle A.

    Ends with status 0 when both hold the same evidence, whenever it was recorded, and with 10 when they do not.
    """
    from opvalue.evidence.bundle import read_bundle  # noqa: PLC0415 - help is shown without it
    from opvalue.evidence.bundle.compare import compare  # noqa: PLC0415

    with console.progress(f"reading {a} and {b}"):
        bundles = (read_bundle(a), read_bundle(b))
        comparison = compare(*bundles)
    if console.json:
        console.data(_document(comparison, a, b))
    else:
        console.lines(_lines(comparison, bundles, (a, b), console.columns))
    return 0 if comparison.same else DIFFERENT


def _lines(
    comparison: "Comparison", bundles: tuple["Bundle", "Bundle"], files: tuple[Path, Path], columns: int | None
) -> Iterator[Line]:
    rows: list[tuple[str, str]] = []
    for name, file, bundle in zip(("A", "B"), files, bundles, strict=True):
        times = observed(exchange.observed_at for exchange in bundle.exchanges)
        rows += [(name, str(file)), ("  digest", bundle.digest.hex), ("  observed", times)]
    yield from broken_fields(rows, columns)
    for field, in_a, in_b in comparison.header:
        yield from _section(f"{field} differs", [f"A {in_a}", f"B {in_b}"], columns)
    for title, exchanges in (("only in A", comparison.only_a), ("only in B", comparison.only_b)):
        yield from _section(f"{title}: {len(exchanges)}", map(_exchange, exchanges), columns, empty=False)
    for difference in comparison.different:
        change = f"{as_answer(difference.a)} -> {as_answer(difference.b)}"
        title = f"other answer: {as_request(difference.request)}"
        yield from _section(title, [change, *difference.changes], columns)
    yield ""
    style = Style.GOOD if comparison.same else Style.WARN
    yield from ((Styled(line, style),) for line in broken(_verdict(comparison), columns))


def _section(title: str, lines: Iterable[str], columns: int | None, *, empty: bool = True) -> Iterator[Line]:
    below = list(lines)
    if not below and not empty:
        return
    yield ""
    yield from ((Styled(line, Style.BOLD),) for line in _set_in(title, "", columns))
    for text in below:
        yield from _set_in(text, "  ", columns)


def _set_in(text: str, indent: str, columns: int | None) -> Iterator[str]:
    first, *rest = broken(single_line(text), columns - len(indent) - 2 if columns else None)
    yield indent + first
    yield from (f"{indent}  {line}" for line in rest)


def _exchange(exchange: "Exchange") -> str:
    return f"{as_answer(exchange.answer)}: {as_request(exchange.request)}"


def _verdict(comparison: "Comparison") -> str:
    if comparison.same:
        return "The evidence is the same."
    counts = [
        f"{len(comparison.only_a)} only in A",
        f"{len(comparison.only_b)} only in B",
        f"{len(comparison.different)} answered differently",
    ]
    return f"The evidence differs: {', '.join(counts)}."


def _document(comparison: "Comparison", a: Path, b: Path) -> dict[str, object]:
    from opvalue.evidence.bundle.documents import described  # noqa: PLC0415

    return {
        "same": comparison.same,
        "a": {"file": str(a), "digest": comparison.digests[0].hex},
        "b": {"file": str(b), "digest": comparison.digests[1].hex},
        "header": [{"field": field, "a": in_a, "b": in_b} for field, in_a, in_b in comparison.header],
        "onlyA": [described(exchange) for exchange in comparison.only_a],
        "onlyB": [described(exchange) for exchange in comparison.only_b],
        "different": [_described(difference) for difference in comparison.different],
    }


def _described(difference: "Difference") -> dict[str, object]:
    return {
        "id": difference.request.id,
        "request": difference.request.described(),
        "a": _answer(difference.a),
        "b": _answer(difference.b),
        "changes": list(difference.changes),
    }


def _answer(answer: "Answer") -> dict[str, object]:
    from opvalue.identity import Digest  # noqa: PLC0415

    sha256 = Digest.of(answer.body).hex if answer.body else None
    return {"status": answer.status, "headers": dict(answer.headers), "sha256": sha256, "bytes": len(answer.body)}
