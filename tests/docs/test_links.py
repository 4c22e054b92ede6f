"""Every link of the documents leads to a file or a heading that is there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "fixtures").glob("*.md"),
        *(ROOT / "fixtures" / "evaluators").rglob("*.md"),
        *(ROOT / "skills").rglob("*.md"),
    ]
)
_LINK: Final = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_ELSEWHERE: Final = re.compile(r"[a-z][a-z0-9+.-]*:")


def prose(text: str) -> str:
    """Return the text without its code, where brackets mean something else."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(text: str) -> set[str]:
    """Return the names of the page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> Iterator[str]:
    """Yield the links of a page that lead nowhere. Addresses of other sites are not asked for."""
    for link in _LINK.findall(prose(page.read_text("utf-8"))):
        if _ELSEWHERE.match(link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            yield link


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    assert list(broken(page)) == []


def test_all_pages_are_looked_at() -> None:
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "CONTRIBUTING.md", "docs/security.md", "docs/situations.md", "fixtures/README.md"} <= names


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One, two\n[a](page.md) [b](gone.md) [c](#one-two) [d](#three) [e](page.md#gone) [f](https://x/y)\n"
        "`[g](code.md)`\n```\n[h](code.md)\n# not a heading\n```\n[i](#not-a-heading)\n"
    )
    assert list(broken(page)) == ["gone.md", "#three", "page.md#gone", "#not-a-heading"]
