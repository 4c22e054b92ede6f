import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.errors import Kind
from opvalue.identity import CommitId, PathRefused, RepoPath

SHA1 = "3f2a9c61d0b84e7755c1a2e9f60d4b8837ce1a05"
SHA256 = SHA1 + "b" * 24


@pytest.mark.parametrize("text", [SHA1, SHA256, "0" * 40])
def test_full_ids(text: str) -> None:
    commit = CommitId.parse(text)
    assert commit is not None
    assert str(commit) == text
    assert commit.short == text[:12]


@pytest.mark.parametrize(
    "text",
    [
        "",
        SHA1[:7],
        SHA1[:39],
        SHA1 + "0",
        SHA1.upper(),
        "g" * 40,
        SHA1 + "\n",
        " " + SHA1,
        "HEAD",
        "refs/heads/main",
        None,
        5,
        SHA1.encode(),
    ],
)
def test_no_ids(text: object) -> None:
    assert CommitId.parse(text) is None


@pytest.mark.parametrize(
    "text",
    [
        ".github/graders/daily-operational-value.sh",
        "x.sh",
        "a/-b/c.sh",
        "a/...",
        "a/..b",
        "..a/b",
        "pfad/mit leer zeichen.sh",
        "名前/値.sh",
        "a" * 1024,
    ],
)
def test_clean_paths(text: str) -> None:
    assert RepoPath.parse(text).text == text
    assert str(RepoPath.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("-x.sh", "begins with a dash"),
        ("--upload-pack=x", "begins with a dash"),
        ("/etc/passwd", "is absolute"),
        ("//x", "is absolute"),
        ("a\\b", "backslash or a colon"),
        ("C:/x", "backslash or a colon"),
        ("a:b", "backslash or a colon"),
        (":(glob)x", "backslash or a colon"),
        ("a\x00b", "control character"),
        ("a\nb", "control character"),
        ("a\x7fb", "control character"),
        ("a\x9bb", "control character"),
        ("a\ud800", "surrogate"),
        (".", "climbs out"),
        ("..", "climbs out"),
        ("../x", "climbs out"),
        ("a/../../x", "cleaned form"),
        ("a/../x", "cleaned form"),
        ("./x", "cleaned form"),
        ("a//b", "cleaned form"),
        ("a/", "cleaned form"),
        ("a/.", "cleaned form"),
        ("a/./b", "cleaned form"),
        ("a" * 1025, "longer than 1024"),
    ],
)
def test_unsafe_paths(text: str, why: str) -> None:
    with pytest.raises(PathRefused, match=why) as caught:
        RepoPath.parse(text)
    assert caught.value.code == "identity.unsafe-path"
    assert caught.value.kind is Kind.REFUSED


@pytest.mark.parametrize(
    ("text", "beside", "path"),
    [
        ("./x.sh", ".github/workflows", ".github/workflows/x.sh"),
        ("./x.sh", ".github/workflows/nested", ".github/workflows/nested/x.sh"),
        ("./a/./b.sh", ".github/workflows", ".github/workflows/a/b.sh"),
        ("./../graders/x.sh", ".github/workflows", ".github/graders/x.sh"),
        (".github/graders/x.sh", "elsewhere", ".github/graders/x.sh"),
    ],
)
def test_declared_paths(text: str, beside: str, path: str) -> None:
    assert RepoPath.declared(text, beside=beside).text == path


def test_declared_paths_lie_beside_the_workflows_unless_told() -> None:
    assert RepoPath.declared("./x.sh").text == ".github/workflows/x.sh"


@pytest.mark.parametrize("text", ["./../../../x.sh", "../x.sh", "/x.sh", "./\x00", "./a\\b", ""])
def test_declared_paths_stay_in_the_repository(text: str) -> None:
    with pytest.raises(PathRefused):
        RepoPath.declared(text)


def test_parts_and_folder() -> None:
    path = RepoPath.parse(".github/graders/x.sh")
    assert path.folder == ".github/graders"
    assert path.parts == (".github", "graders", "x.sh")
    assert RepoPath.parse("x.sh").folder == ""


@given(st.text(alphabet="ab./-\\:\x00\n") | st.text())
def test_an_accepted_path_stays_below_any_root(text: str) -> None:
    try:
        path = RepoPath.parse(text)
    except PathRefused:
        return
    assert posixpath.normpath(posixpath.join("/root", path.text)) == f"/root/{path.text}"
    assert ".." not in path.parts
    assert path.text.encode().decode() == path.text
