"""The first commit of a file, in real repositories."""

from pathlib import Path

import pytest

from opvalue.checkout import (
    History,
    NeverCommitted,
    NoTrustedRemote,
    ObjectMalformed,
    ObjectMissing,
    ObjectNotFetched,
    ShallowHistory,
)
from opvalue.checkout.store import ObjectStore
from opvalue.identity import CommitId, Instant, RepoPath, Repository
from tests.support.repository import GitRepository

_FILE = RepoPath.parse(".github/workflows/triage.md")
_TEXT = "---\non: push\n---\n# Triage\n\n" + "".join(f"Line {number} of what it says.\n" for number in range(20))


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "clone")


def _first(repository: GitRepository, path: RepoPath = _FILE) -> tuple[object, ...]:
    with History.open(repository.path) as history:
        return history.first_commit(path)


def test_the_first_commit_its_parent_and_the_text_then(repository: GitRepository) -> None:
    before = repository.commit({"README.md": "hello\n"})
    first = repository.commit({str(_FILE): _TEXT}, "Adopt", when="2026-08-01T09:30:00+0545")
    repository.commit({str(_FILE): _TEXT + "More.\n"}, "Change")
    found = _first(repository)
    assert found[:2] == (CommitId(first), CommitId(before))
    assert found[2] == found[3] == (Instant.parse("2026-08-01T03:45:00Z"), 345)
    assert found[4:] == (_FILE, _TEXT.encode(), ())


def test_of_a_repositorys_first_commit_there_is_no_parent(repository: GitRepository) -> None:
    first = repository.commit({str(_FILE): _TEXT})
    assert _first(repository)[:2] == (CommitId(first), None)


def test_renames_are_followed_also_with_a_change(repository: GitRepository) -> None:
    repository.commit({"README.md": "hello\n"})
    first = repository.commit({".github/workflows/old.md": _TEXT})
    repository("mv", ".github/workflows/old.md", ".github/workflows/mid [1].md")
    repository.commit({}, "Rename")
    repository("mv", ".github/workflows/mid [1].md", str(_FILE))
    repository.commit({str(_FILE): _TEXT.replace("Line 3 ", "Row 3 ")}, "Rename and change")
    found = _first(repository)
    assert found[0] == CommitId(first)
    assert found[4] == RepoPath.parse(".github/workflows/old.md")
    assert found[6] == (RepoPath.parse(".github/workflows/mid [1].md"), _FILE)


def test_every_rename_is_followed(repository: GitRepository) -> None:
    first = repository.commit({"0.md": _TEXT})
    for number in range(1, 23):
        repository("mv", f"{number - 1}.md", f"{number}.md")
        repository.commit({}, "Rename")
    found = _first(repository, RepoPath.parse("22.md"))
    assert (found[0], found[4]) == (CommitId(first), RepoPath.parse("0.md"))
    assert found[6] == tuple(RepoPath.parse(f"{number}.md") for number in range(1, 23))


def test_a_link_or_a_folder_of_that_name_is_not_the_file(repository: GitRepository) -> None:
    repository.commit({f"{_FILE}/README": "A folder.\n"})
    repository("rm", "-q", "-r", str(_FILE))
    (repository.path / _FILE.text).parent.mkdir(parents=True, exist_ok=True)
    (repository.path / _FILE.text).symlink_to("/etc/hostname")
    link = repository.commit({})
    repository("rm", "-q", str(_FILE))
    first = repository.commit({str(_FILE): _TEXT})
    found = _first(repository)
    assert (found[0], found[1], found[5]) == (CommitId(first), CommitId(link), _TEXT.encode())
    with History.open(repository.path) as history:
        assert history.has(CommitId(link), _FILE) is False


def test_what_a_message_says_is_no_time(repository: GitRepository) -> None:
    repository.commit(
        {str(_FILE): _TEXT},
        "Adopt\n\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 -0130",
        when="2026-08-01T09:30:00-0130",
    )
    found = _first(repository)
    assert found[2] == found[3] == (Instant.parse("2026-08-01T11:00:00Z"), -90)


def test_of_the_files_that_a_commit_renames_the_one_in_question(repository: GitRepository) -> None:
    first = repository.commit({"z.md": _TEXT})
    repository.commit({"a.md": _TEXT.replace("Line", "Row")})
    repository("mv", "a.md", "b.md")
    repository("mv", "z.md", "y.md")
    repository.commit({}, "Rename both")
    found = _first(repository, RepoPath.parse("y.md"))
    assert (found[0], found[4]) == (CommitId(first), RepoPath.parse("z.md"))


def test_a_name_that_no_path_may_have_ends_the_search(repository: GitRepository) -> None:
    repository.commit({"-old.md": _TEXT})
    repository("mv", "./-old.md", str(repository.path / "new.md"))
    renamed = repository.commit({}, "Rename")
    assert _first(repository, RepoPath.parse("new.md"))[0] == CommitId(renamed)


def test_git_that_leaves_the_first_commit_out_is_not_believed(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({str(_FILE): _TEXT})
    later = repository.commit({str(_FILE): "more\n"})
    monkeypatch.setattr(ObjectStore, "touching", lambda *_: [CommitId(later)])
    with pytest.raises(NeverCommitted):
        _first(repository)


def test_what_a_store_lacks_is_said(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    before = repository.commit({"README.md": "hello\n"})
    first = repository.commit({str(_FILE): _TEXT})
    _remove(repository, repository("rev-parse", f"HEAD:{_FILE}"))
    with pytest.raises(ObjectNotFetched, match="is not in this clone"):
        _first(repository)
    _remove(repository, before)
    monkeypatch.setattr(ObjectStore, "touching", lambda *_: [CommitId(first)])
    with pytest.raises(ObjectMissing, match=f"commit {before}, a parent of"):
        _first(repository)


def _remove(repository: GitRepository, oid: str) -> None:
    (repository.path / ".git/objects" / oid[:2] / oid[2:]).unlink()


def test_another_file_is_no_rename(repository: GitRepository) -> None:
    repository.commit({"a.md": "short and different\n"})
    repository("rm", "-q", "a.md")
    first = repository.commit({str(_FILE): _TEXT})
    assert _first(repository)[0] == CommitId(first)


def test_a_file_that_went_and_came_back_began_the_first_time(repository: GitRepository) -> None:
    first = repository.commit({str(_FILE): _TEXT}, when="2026-08-01T00:00:00Z")
    repository("rm", "-q", str(_FILE))
    repository.commit({}, when="2026-08-02T00:00:00Z")
    repository.commit({str(_FILE): "anew\n"}, when="2026-08-03T00:00:00Z")
    assert _first(repository)[0] == CommitId(first)


def test_a_file_that_a_branch_brought_began_there(repository: GitRepository) -> None:
    repository.commit({"README.md": "hello\n"}, when="2026-08-01T00:00:00Z")
    repository("checkout", "-q", "-b", "topic")
    first = repository.commit({str(_FILE): _TEXT}, when="2026-08-02T00:00:00Z")
    repository("checkout", "-q", "main")
    repository.commit({"README.md": "bye\n"}, when="2026-08-03T00:00:00Z")
    repository("merge", "-q", "--no-ff", "-m", "Merge", "topic")
    assert _first(repository)[0] == CommitId(first)


def test_a_file_that_two_branches_brought_began_on_the_first(repository: GitRepository) -> None:
    repository.commit({"README.md": "hello\n"}, when="2026-08-01T00:00:00Z")
    repository("checkout", "-q", "-b", "topic")
    first = repository.commit({str(_FILE): _TEXT}, when="2026-08-02T00:00:00Z")
    repository("checkout", "-q", "main")
    repository.commit({str(_FILE): _TEXT, "README.md": "bye\n"}, when="2026-08-03T00:00:00Z")
    repository("merge", "-q", "--no-ff", "-m", "Merge", "topic")
    assert _first(repository)[0] == CommitId(first)


def test_a_replacement_is_not_looked_at(repository: GitRepository) -> None:
    base = repository.commit({"README.md": "hello\n"})
    first = repository.commit({str(_FILE): _TEXT})
    repository("replace", first, base)
    assert _first(repository)[0] == CommitId(first)


def test_a_shallow_clone_is_refused_with_what_brings_the_rest(repository: GitRepository, tmp_path: Path) -> None:
    repository.commit({str(_FILE): _TEXT})
    repository.commit({str(_FILE): "more\n"})
    repository("clone", "-q", "--depth=1", repository.path.as_uri(), str(tmp_path / "shallow"))
    with pytest.raises(ShallowHistory) as refused:
        History.open(tmp_path / "shallow")
    assert refused.value.code == "checkout.shallow-history"
    assert "fetch --unshallow origin" in str(refused.value.hint)


def test_what_was_never_committed_is_refused(repository: GitRepository) -> None:
    with pytest.raises(NeverCommitted):
        _first(repository)
    repository.commit({"README.md": "hello\n"})
    with pytest.raises(NeverCommitted):
        _first(repository)


def test_a_clone_of_another_repository_is_refused(repository: GitRepository) -> None:
    repository.commit({str(_FILE): _TEXT})
    with pytest.raises(NoTrustedRemote):
        History.open(repository.path, repository=Repository.parse("acme/other"))
    History.open(repository.path, repository=Repository.parse("ACME/widgets")).close()


def test_which_commits_have_a_file(repository: GitRepository) -> None:
    before = repository.commit({"README.md": "hello\n", ".github": "no folder\n"})
    repository("rm", "-q", ".github")
    first = repository.commit({str(_FILE): _TEXT})
    with History.open(repository.path) as history:
        assert history.has(CommitId(first), _FILE) is True
        assert history.has(CommitId(before), _FILE) is False
        assert history.has(CommitId("0" * 40), _FILE) is None


@pytest.mark.parametrize("seconds", ["253402300799", "-62135596800"])
def test_the_first_and_the_last_time_that_can_be_written(repository: GitRepository, seconds: str) -> None:
    _commit_at(repository, seconds)
    found = _first(repository)
    assert found[2] == found[3] == (Instant(int(seconds) * 1000), 0)
    assert str(found[2][0]) in {"9999-12-31T23:59:59.000Z", "0001-01-01T00:00:00.000Z"}


@pytest.mark.parametrize("seconds", ["253402300800", "-62135596801", "9999999999999"])
def test_a_time_that_cannot_be_written(repository: GitRepository, seconds: str) -> None:
    _commit_at(repository, seconds)
    with pytest.raises(ObjectMalformed, match="a time that no calendar has"):
        _first(repository)


def _commit_at(repository: GitRepository, seconds: str) -> None:
    tree = repository("rev-parse", f"{repository.commit({str(_FILE): _TEXT})}^{{tree}}")
    by = f"A <a@example.com> {seconds} +0000"
    text = f"tree {tree}\nauthor {by}\ncommitter {by}\n\nAdopt\n"
    repository(
        "update-ref",
        "HEAD",
        repository("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=text.encode()),
    )
