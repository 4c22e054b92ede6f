"""The page on bundles is right: its reader reads one, its seal is one, its codes and keys are those of the program."""

import json
import re
from pathlib import Path
from typing import Any, Final

from opvalue.errors import every_error_class
from opvalue.evidence.bundle import errors as refusals
from opvalue.evidence.bundle import write
from opvalue.evidence.bundle.documents import header_fields
from opvalue.limits import Limits
from tests.evidence.bundle.made import bundle, header, small
from tests.evidence.bundle.test_bundle import documents

PAGE: Final = (Path(__file__).parents[2] / "docs" / "bundle.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_reader_on_the_page_reads_a_bundle() -> None:
    namespace: dict[str, Any] = {}
    exec(block("python"), namespace)  # noqa: S102 - the page's own program
    for made in (bundle(), small()):
        read, exchanges = namespace["read"](write(made))
        assert read == header_fields(made.header)
        assert [(sent, received) for _, sent, received in exchanges] == [
            (one.request.body, one.answer.body) for one in made.exchanges
        ]


def test_the_seal_on_the_page_is_one() -> None:
    assert block("json").encode() == documents(write(small()))["opvalue-bundle.json"]


def test_the_keys_of_the_header_are_on_the_page_in_their_order() -> None:
    section = PAGE[PAGE.index("### The header") : PAGE.index("### The exchanges")]
    named = [
        name for row in re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    ]
    assert named == list(header_fields(header()))


def test_every_code_of_a_refusal_is_on_the_page() -> None:
    codes = {one.code for one in every_error_class() if one.__module__ == refusals.__name__}
    written = set(re.findall(r"`((?:bundle|evidence)\.[a-z-]+)`", PAGE))
    written |= {f"bundle.other{short}" for short in re.findall(r"`(-[a-z]+)`", PAGE)}
    assert codes - {"internal"} - {"bundle.holds-a-secret"} == written


def test_the_bounds_are_on_the_page() -> None:
    assert f"{Limits().bundle_bytes // 2**20} MiB with at most {Limits().bundle_exchanges:,} exchanges" in PAGE
    assert json.loads(block("json"))["version"] == 1
