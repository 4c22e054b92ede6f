"""Programs with their names and places, and how they are compiled."""

import shutil
from collections.abc import Mapping

import pytest

from opvalue.errors import OpvalueError
from opvalue.process import OutputTooLarge, TimedOut
from tests.verifier.scripts import subject_of
from verifier import jq_versions
from verifier.gh_calls import gh_api_calls
from verifier.jq_programs import JqProgram, jq_programs
from verifier.syntax import syntax_of


def _programs(text: str) -> tuple[JqProgram, ...]:
    return jq_programs(syntax_of(subject_of(text)))


def _texts(text: str) -> list[str]:
    return [program.text for program in _programs(text)]


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        ("jq .a x\n", [".a"]),
        ("jq -r --arg a b --argjson c 1 '.x' y\n", [".x"]),
        ("jq --indent 1 -L d .a\n", [".a"]),
        ("jq --args .a b c\n", [".a"]),
        ("jq .a --jsonargs b c\n", [".a"]),
        ('P=.a\njq "$P" x\n', [".a"]),
        ("P=.a\njq \"$P\"' | .b' x\n", [".a | .b"]),
        ("jq \"$(cat <<'END'\n.a\nEND\n)\"\n", [".a"]),
        ('P="$(cat <<\'END\'\n.a\nEND\n)"\njq "$P"\n', [".a"]),
        ("jq -nf /dev/stdin <<'END'\n.a\nEND\n", [".a\n"]),
        ("jq --from-file <(cat <<'END'\n.a\nEND\n)\n", [".a\n"]),
        ("gh api x --jq=.a\ngh api y -q.b\ngh api z -q '.c'\n", [".a", ".b", ".c"]),
        ('j() { jq -r "$1"; }\nj .a\n', [".a"]),
        ('D=".b |"\nj() { jq "$D $1"; }\nj .a\nj\n', [".b | .a"]),
        ('j() { jq "$D$1"; }\nj .a\n', []),
        ('jq "$@" x.json\njq "${o[@]}" x.json\njq "${o[@]}" ".a"\n', [".a"]),
        ('j() { jq "$@"; }\nj -r --arg a b .c\nj -f x\nj "$@"\n', [".c"]),
        ("cat >\"$t/a.jq\" <<'END'\n.a\nEND\ncat >\"$t/a.txt\" <<'END'\n.b\nEND\n", [".a\n"]),
        ('jq ".a | $x"\njq\njq -f\njq -f x.json\ngh api x --jq "$y"\ngh api\n', []),
        ("jq . <<'END'\n.a\nEND\n", ["."]),
    ],
)
def test_found(text: str, programs: list[str]) -> None:
    assert _texts(text) == programs


def test_names() -> None:
    first, second = _programs('jq --arg a 1 --rawfile b x \'.\'\njq --arg "$n" 1 "${o[@]}" .a\n')
    assert (first.names, first.open) == (frozenset({"a", "b"}), False)
    assert (second.names, second.open) == (frozenset(), True)


def test_places() -> None:
    (program,) = _programs("P='\n  .a\n'\njq \"$P\"\n")
    assert program.at()[1:] == (1, 3)
    assert program.at(".a")[1:] == (2, 3)
    assert program.at("nowhere")[1:] == (1, 3)
    assert program.at(line=3)[1:] == (3, 1)
    assert program.at(line=99)[1:] == (3, 1)


def test_gh_calls() -> None:
    text = 'while :; do gh api -X GET "/repos/$r/issues?per_page=50" -f page="$p" -i; done\ngh api graphql -F a=1\n'
    first, second = gh_api_calls(syntax_of(subject_of(text)))
    assert first.path == ("repos", "\0", "issues")
    assert (first.per_page, first.reads, first.paged) == (50, True, True)
    assert first.switches == {"--include"}
    assert (second.reads, second.paged, second.per_page) == (False, False, None)


def test_compiling() -> None:
    assert jq_versions.compile_here(".a", frozenset()) == (None, None, ())
    assert jq_versions.compile_here("$a | $b", frozenset({"a"})) == (None, None, ("b",))
    bad = jq_versions.compile_here(".a\n| nosuch", frozenset())
    assert (bad.message, bad.line, bad.missing) == ("nosuch/0 is not defined", 2, ())
    assert jq_versions.version_here().startswith("jq-")


def test_many_are_compiled_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    really = jq_versions._with_jq

    def counted(text: str, names: Mapping[str, None]) -> str | None:
        asked.append(text)
        return really(text, names)

    monkeypatch.setattr(jq_versions, "_with_jq", counted)
    good = tuple((f"# {number}\ndef f: $a; f + {number} # end", frozenset({"a", "b"})) for number in range(9))
    assert jq_versions.compile_each(good) == ((None, None, ()),) * 9
    assert len(asked) == 1
    mixed = (*good, ("$c", frozenset({"a"})), (".a |", frozenset()), ("def g: 1;", frozenset()))
    found = jq_versions.compile_each(mixed)
    assert [one.missing for one in found] == [()] * 9 + [("c",), (), ()]
    assert [one.message is None for one in found] == [True] * 10 + [False, True]
    assert jq_versions.compile_each(()) == ()


def test_nothing_is_run() -> None:
    assert jq_versions.compile_here('"x" | error, halt_error, input', frozenset()).message is None


def test_what_upsets_jq_is_a_refusal() -> None:
    found = jq_versions.compile_here("[" * 9_000 + "]" * 9_000, frozenset())
    assert found.message is None or found.message
    if jq_versions.newer_version() is not None:
        assert jq_versions.compile_newer("[" * 9_000 + "]" * 9_000, frozenset()) is not None


@pytest.mark.parametrize("problem", [TimedOut("jq takes too long"), OutputTooLarge("jq says too much")])
def test_a_compiler_that_does_not_end_well_refuses(monkeypatch: pytest.MonkeyPatch, problem: OpvalueError) -> None:
    def fails(_argv: tuple[str, ...], _stdin: bytes) -> tuple[int, str]:
        raise problem

    monkeypatch.setattr(jq_versions, "_ended", fails)
    assert jq_versions.compile_here(f".{id(problem)}", frozenset()).message == problem.message


def test_a_compiler_that_breaks_down_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jq_versions, "_ended", lambda _argv, _stdin: (-11, ""))
    assert jq_versions.compile_here(".breaks_down", frozenset()).message == "jq breaks down over it with status -11"


def test_modules() -> None:
    assert jq_versions.uses_modules('import "a" as a; .')
    assert not jq_versions.uses_modules('"include \\"a\\""')


@pytest.mark.skipif(jq_versions.newer_version() is None, reason="PyPI's jq is not installed")
def test_the_newer_version() -> None:
    found = jq_versions.compile_newer("if .a then 1 end", frozenset())
    assert found == (None, None, ())
    bad = jq_versions.compile_newer("{a", frozenset())
    assert bad is not None
    assert bad.line == 1


def test_without_the_newer_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jq_versions, "newer_version", lambda: None)
    assert jq_versions.compile_newer(".unheard_of_before", frozenset()) is None


def test_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        raise ImportError

    monkeypatch.setattr("importlib.import_module", missing)
    assert jq_versions.newer_version.__wrapped__() is None


def test_jq_is_there() -> None:
    assert shutil.which("jq")
