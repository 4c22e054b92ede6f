"""Sourced files that cannot be found."""

import pytest

from opvalue.limits import Limits
from tests.verifier.scripts import MAIN, findings_of, subject_of

_ID = "static-sourced"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('set -e\n  source "$1"\n', (2, 3)),
        ('\n. "$(dirname "${BASH_SOURCE[0]}")/missing.sh"\n', (2, 1)),
        ("source /etc/profile\n", (1, 1)),
        ("source lib.sh\n", (1, 1)),
    ],
)
def test_found(text: str, place: tuple[int, int]) -> None:
    (found,) = findings_of(_ID, subject_of(text))
    assert (found.severity.value, found.path, found.line, found.column) == ("error", MAIN, *place)


def test_the_file_that_sources_is_named() -> None:
    main = 'source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"\n'
    (found,) = findings_of(_ID, subject_of(main, {".github/graders/lib.sh": 'echo 1\nsource "$WANTED"\n'}))
    assert (found.path, found.line) == (".github/graders/lib.sh", 2)


@pytest.mark.parametrize(
    "text",
    [
        'source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"\n',
        '[ -f "${BASH_SOURCE[0]%/*}/none.sh" ] && . "${BASH_SOURCE[0]%/*}/none.sh"\n',
        'source "$GITHUB_WORKSPACE/.github/graders/lib.sh"\n',
        "# source $1\necho 'source $1'\n",
        "echo ${x~}\n",
    ],
)
def test_nothing(text: str) -> None:
    assert findings_of(_ID, subject_of(text, {".github/graders/lib.sh": ""})) == []


def test_too_many_files() -> None:
    count = Limits().siblings + 1
    files = {f".github/graders/l{number}.sh": "" for number in range(count)}
    text = "".join(f'. "${{BASH_SOURCE[0]%/*}}/l{number}.sh"\n' for number in range(count))
    (found,) = findings_of(_ID, subject_of(text, files))
    assert (found.line, found.message) == (None, "the evaluator sources too many files")
