"""Every example of a help text and every line of a README's shell block is typed, and does what it is there for."""

import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.cli.test_command import commands
from tests.docs.examples import Desk, Typed
from tests.docs.test_readme import sample

ROOT: Final = Path(__file__).parents[2]
_HELP: Final = sorted({line for _, command in commands() for line in getattr(command, "examples", ())})
_ONLINE: Final = re.compile(
    r"(?:opvalue regrade|operational-value|graders run) (?:123456|https:)(?!.*(?:--artifact|--offline))"
)
"""What asks GitHub; here it cannot be reached."""
_FOUND: Final = {
    "opvalue verify --quick score.sh": 10,
    "opvalue session validate usage/aw_session.jsonl": 10,
    "opvalue session validate session.jsonl --json": 10,
}
"""Lines that end otherwise on these files."""
_WRITES: Final = re.compile(r"(?:-o|--output|--record|--keep|>) (\S+)")


def readme() -> list[str]:
    """Return the lines of the README's shell blocks that are ours, without what a comment says of them."""
    text = (ROOT / "README.md").read_text("utf-8").replace("\\\n", "")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    typed = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in typed if re.match(r"(?:\w+=\S+ )?(?:opvalue|gh-aw) ", line)]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


def typed_anew(desk: Desk, line: str) -> Typed:
    """Type a line where nothing lies yet that it writes, and put things back."""
    kept = desk.clone.with_name("kept")
    shutil.copytree(desk.clone, kept, symlinks=True)
    try:
        for name in _WRITES.findall(line):
            for place in desk.clone.glob(f"{name}*"):
                shutil.rmtree(place) if place.is_dir() else place.unlink()
        return desk.type(line)
    finally:
        shutil.rmtree(desk.clone)
        kept.rename(desk.clone)


@pytest.mark.parametrize("line", sorted({*_HELP, *readme()}))
def test_what_is_shown_can_be_typed(desk: Desk, line: str) -> None:
    done = typed_anew(desk, line.replace("/tmp/opvalue-demo", "demo"))
    if _ONLINE.search(line):
        assert done.status == 9, done
        assert "http.network-failed" in done.out + done.err
        return
    assert done.status == _FOUND.get(line, 0), done


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("#        id", "opvalue bundle show evidence.bundle"),
        ("verified     the key", "opvalue attestation verify observation.json.dsse.json --key observer.key.pub"),
        ("score.sh:67:14", "opvalue verify --quick score.sh"),
        ("grader   ", "opvalue graders run usage/aw_session.jsonl"),
    ],
)
def test_the_readme_shows_what_is_printed(desk: Desk, first: str, line: str) -> None:
    typed = next(one for one in readme() if one.startswith(line))
    assert "\n".join(sample(first)) in desk.type(typed).out


def test_no_example_is_of_another_time() -> None:
    assert [line for line in _HELP if re.search(r"20[013-9]\d-|202[6-9]-", line)] == []
