"""The pieces every reader shares."""

import subprocess

import pytest

from opvalue.bash.tree import ansi_text, unescaped, unescaped_in_quotes
from opvalue.bash.values import ROOT, SCRATCH, Unknown, basename, checked, dirname, normal, trimmed
from tests.bash.trees import needs_bash_5


def bash_prints(script: str) -> list[str]:
    finished = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return finished.stdout.split("\n")[:-1]


@pytest.mark.parametrize("raw", ["a", r"a\ b", r"\a\\b", r"\"\'\$", "a\\\nb", r"x\*", "\\"])
def test_unquoted_escapes(raw: str) -> None:
    assert [unescaped(raw)] == bash_prints(f"printf '%s\\n' {raw}" if raw != "\\" else "printf '%s\\n' '\\'")


@pytest.mark.parametrize("raw", ["a", r"a\ b", r"\a\\b", r"\"'\$\`", "a\\\nb", r"x\*\n"])
def test_escapes_in_quotes(raw: str) -> None:
    assert [unescaped_in_quotes(raw)] == bash_prints(f"printf '%s\\n' \"{raw}\"")


@pytest.mark.parametrize("raw", ["a", r"a\tb", r"it\'s", r"\\", r"a\\\\b", r"\"x\"", r"\\n", r"--definition", r"\\\t"])
def test_ansi_strings(raw: str) -> None:
    assert [ansi_text(raw)] == bash_prints(f"printf '%s\\n' $'{raw}'")


@needs_bash_5
@pytest.mark.parametrize("raw", [r"\x41", r"\u41z", r"\101", r"\1011", r"sour\143e", r"\x4", r"\q", r"\?", r"\ea\b\v"])
def test_numeric_ansi_escapes(raw: str) -> None:
    assert [ansi_text(raw)] == bash_prints(f"printf '%s\\n' $'{raw}'")


@pytest.mark.parametrize("raw", [r"\xe9", r"\u00e9", r"\cA", r"\377", r"\0", r"\U0041"])
def test_ansi_escapes_beyond_plain_text_are_not_followed(raw: str) -> None:
    assert ansi_text(raw) is None


_PATHS = ("/a/b/c.sh", "a/b", "a", "/", "a/", "//a//b/", "", ".", "/a", "a.b.c", "lib/lib")
_PATTERNS = ("/*", "*/", ".*", "*.", ".sh", "a", "*", "/", "lib*", "*lib", "/b", "*/lib")


def test_trimming_is_bashs() -> None:
    cases = [(text, sign, pattern) for text in _PATHS for sign in ("#", "##", "%", "%%") for pattern in _PATTERNS]
    script = "\n".join(f"x='{text}'; printf '%s\\n' \"${{x{sign}{pattern}}}\"" for text, sign, pattern in cases)
    assert [trimmed(*case) for case in cases] == bash_prints(script)


@pytest.mark.parametrize("pattern", ["a?", "[a]", "*a*", "a*b", r"a\b", "@(a)"])
def test_other_patterns_are_not_followed(pattern: str) -> None:
    assert isinstance(trimmed("abc", "%", pattern), Unknown)


def test_dirname_and_basename_are_the_systems() -> None:
    paths = [path for path in _PATHS if path]
    assert [dirname(path) for path in paths] == bash_prints("\n".join(f"dirname -- '{path}'" for path in paths))
    assert [basename(path) for path in paths] == bash_prints("\n".join(f"basename -- '{path}'" for path in paths))
    pairs = [("/a/b.sh", ".sh"), (".sh", ".sh"), ("b.sh", "x")]
    assert [basename(*pair) for pair in pairs] == bash_prints("\n".join(f"basename {a} {b}" for a, b in pairs))
    assert (dirname(""), basename("")) == (".", "")


def test_what_cuts_into_a_directory_not_yet_known_is_unknown() -> None:
    assert isinstance(dirname(ROOT), Unknown)
    assert isinstance(trimmed(ROOT + "/a", "#", "*/"), Unknown)
    assert isinstance(normal(ROOT + "/..", ROOT), Unknown)
    assert trimmed(ROOT + "/a", "%%", "/*") == ""
    assert trimmed(ROOT + "/a/b", "##", "*/") == "b"
    assert trimmed(ROOT + "/a/b", "#", ROOT + "/") == "a/b"


def test_paths_are_seen_from_the_current_folder() -> None:
    assert normal("a/../b", ROOT + "/c") == ROOT + "/c/b"
    assert normal("a", SCRATCH) == SCRATCH + "/a"
    assert normal("//a", SCRATCH) == "/a"
    assert normal("a", Unknown("why")) == Unknown("why")


def test_a_value_that_grows_without_end_is_not_followed() -> None:
    assert checked("a" * 4096) == "a" * 4096
    assert checked("a" * 4097) == Unknown("the value is too long")
