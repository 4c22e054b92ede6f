"""The tables of ``opvalue help`` are whole."""

import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

import opvalue as package
import verifier
from opvalue.cli.environment import VARIABLES
from opvalue.cli.error_index import causes, error_classes, first_sentence
from opvalue.cli.exit_codes import statuses
from opvalue.errors import Kind, OpvalueError, every_error_class
from tests.cli.conftest import Answer
from verifier.simulated.failing import Cut

Run = Callable[..., Answer]
SOURCES = Path(package.__file__).parent
CODE = re.compile(r"[a-z]+(?:-[a-z]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)?")


def everything(package: ModuleType) -> Iterator[type[OpvalueError]]:
    name = f"{package.__name__}."
    for module in walk_packages(package.__path__, name):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    return (found for found in every_error_class() if found.__module__.startswith(name))


def test_every_error_of_the_package_is_listed() -> None:
    # What the verifier makes believe reaches nobody.
    ours = set(everything(package)) | set(everything(verifier)) - {Cut}
    assert set(error_classes()) == ours


def test_every_code_names_one_cause() -> None:
    codes = [found.code for found in error_classes()]
    assert len(set(codes)) == len(codes)
    assert codes == sorted(codes)
    assert all(CODE.fullmatch(code) for code in codes), codes


def test_every_error_says_when_and_what_to_do() -> None:
    for found in error_classes():
        assert found.__doc__, found
        assert len(first_sentence(found)) > 20, found
        assert found.advice.endswith((".", "?")) or " " in found.advice, found


def test_the_errors_are_printed(opvalue: Run) -> None:
    status, out, err = opvalue("help", "errors")
    assert (status, err) == (0, "")
    entries = json.loads(opvalue("help", "errors", "--json").out)["errors"]
    assert len(entries) == len(error_classes())
    for entry in entries:
        assert f"{entry['code']}  ({entry['kind']}, exit status {entry['exitStatus']})" in out
        assert entry["raised"] in out
        assert entry["advice"] in out


def test_the_exit_codes_are_printed(opvalue: Run) -> None:
    out = opvalue("help", "exit-codes").out
    rows = json.loads(opvalue("help", "exit-codes", "--json").out)["exitCodes"]
    assert [row["status"] for row in rows] == sorted([0, 10, *(kind.exit_status for kind in Kind), 141])
    assert len(out.splitlines()) == len(rows) == len(statuses())
    for row in rows:
        assert re.search(rf"^ *{row['status']}  {row['kind']} +{re.escape(row['meaning'])}$", out, re.MULTILINE)


def test_the_environment_is_printed(opvalue: Run) -> None:
    out = opvalue("help", "environment").out
    listed = json.loads(opvalue("help", "environment", "--json").out)["variables"]
    assert {row["name"]: row["meaning"] for row in listed} == VARIABLES
    assert [line.split()[0] for line in out.splitlines()] == list(VARIABLES) == sorted(VARIABLES)


def test_every_variable_that_is_read_is_listed() -> None:
    reading = re.compile(r"""environ(?:\.get\(|\[)\s*["'](\w+)["']|getenv\(\s*["'](\w+)["']""")
    for source in SOURCES.rglob("*.py"):
        for found in reading.finditer(source.read_text(encoding="utf-8")):
            assert (found[1] or found[2]) in VARIABLES, source


def test_every_listed_variable_is_read() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py") if path.name != "environment.py")
    by_libraries = {"COLUMNS", "ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "XDG_CACHE_HOME"}
    for name in VARIABLES.keys() - by_libraries:
        assert f'"{name}"' in text, name


def test_an_unknown_topic_lists_those_that_exist(opvalue: Run) -> None:
    status, _, err = opvalue("help", "qqqq")
    assert status == 2
    assert "exit-codes | environment | errors | a command | an error's code" in err
    assert "opvalue --help" in err


@pytest.mark.parametrize(
    "names", [("regrade",), ("bundle",), ("bundle", "diff"), ("verify",), ("rule", "show"), ("help",)]
)
def test_the_help_of_a_command(opvalue: Run, names: tuple[str, ...]) -> None:
    assert opvalue("help", *names) == opvalue(*names, "--help")


@pytest.mark.parametrize(
    ("names", "code", "said"),
    [
        (("regrade", "x"), "usage", "opvalue regrade has no commands"),
        (("bundle", "x"), "cli.unknown-command", "opvalue bundle has no command 'x'"),
        (("regrade", "--json"), "usage", "opvalue help COMMAND has no option --json"),
    ],
)
def test_the_help_of_no_command(opvalue: Run, names: tuple[str, ...], code: str, said: str) -> None:
    answer = opvalue("help", *names, *(() if "--json" in names else ("--", "--json")))
    assert answer.status == 2
    shown = answer.out if "--json" in names else answer.err
    assert said in shown
    assert code in shown


@pytest.mark.parametrize("words", [("evidence.absence-unproven",), ("errors", "evidence.absence-unproven")])
def test_the_help_of_an_error(opvalue: Run, words: tuple[str, ...]) -> None:
    answer = opvalue("help", *words)
    assert (answer.status, answer.err) == (0, "")
    assert (
        answer.out
        == """evidence.absence-unproven  (not-observed, exit status 9)
  meaning  The evidence could not be observed. This is not a score.
  cause    GitHub has no such thing (404 and the like) where it is not shown that it would say so if there were one.
           A 404 also stands for what the reader may not see. It is an answer only below a repository that can be read.
  do       Check the address, and that the token can read the repository.
"""
    )


def test_no_error_says_where_its_words_come_from() -> None:
    inward = re.compile(r"\bDESIGN\b|\b[A-Z]{2}-\d{2}\b|\breference \d|Specification \d+(?!\.5)|\bstep \d")
    for found in error_classes():
        assert inward.findall(" ".join((first_sentence(found), *causes(found), found.advice))) == [], found


def test_errors_of_packages_that_bring_commands_are_listed(opvalue: Run) -> None:
    assert opvalue("help", "verify.unknown-rule").out.startswith("verify.unknown-rule  (usage, exit status 2)\n")


@pytest.mark.parametrize("words", [("errors", "evidence"), ("evidence",), ("errors", "evidence.")])
def test_errors_are_listed_by_the_first_part_of_their_code(opvalue: Run, words: tuple[str, ...]) -> None:
    listed = json.loads(opvalue("help", *words, "--json").out)["errors"]
    codes = [found.code for found in error_classes() if found.code.startswith("evidence.")]
    assert len(codes) > 20
    assert [one["code"] for one in listed] == codes


def test_a_command_comes_before_errors_of_its_name(opvalue: Run) -> None:
    assert opvalue("help", "regrade").out.startswith("Usage: opvalue regrade")
    assert opvalue("help", "errors", "regrade").out.startswith("regrade.")


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_only_the_console_touches_the_standard_streams(path: Path) -> None:
    if path.name == "console.py":
        return
    found = re.search(r"\bprint\(|\bsys\.std(?:out|err)|\bclick\.(?:s?echo)\(", path.read_text(encoding="utf-8"))
    assert found is None, found


def test_one_error_is_explained(opvalue: Callable[..., Answer]) -> None:
    answer = opvalue("help", "errors", "trust.digest-mismatch")
    assert answer.status == 0
    assert answer.out.split("\n")[0] == "trust.digest-mismatch  (refused, exit status 5)"
    assert "  do       The archive contradicts itself: download it again, or treat it as tampered with.\n" in answer.out


def test_an_error_that_does_not_exist(opvalue: Callable[..., Answer]) -> None:
    answer = opvalue("help", "errors", "trust.nothing")
    assert answer.status == 2
    assert "there is no error 'trust.nothing'" in answer.err
