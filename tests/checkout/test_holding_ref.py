"""Which branch or tag of the trusted remote holds a commit."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from opvalue.checkout import GitCheckout, GitFailed, SearchTimedOut
from opvalue.identity import CommitId, Repository
from opvalue.limits import Limits
from tests.checkout.repos import REPOSITORY, Repo, program, published


def holding(repo: Repo, commit_id: CommitId, repository: Repository | None = REPOSITORY) -> str | None:
    with repo.open(repository) as checkout:
        return checkout.holding_ref(commit_id)


def test_tip_and_ancestors(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    commits = [first, *(repo.commit({"x": str(number).encode()}) for number in range(5))]
    repo.publish("main", commits[3])
    with repo.open() as checkout:
        found = [checkout.holding_ref(commit) for commit in commits]
    assert found == ["refs/heads/main"] * 4 + [None] * 2


def test_the_nearest_branch_is_named_and_the_default_one_before_it(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    side = repo.commit({"x": b"1"})
    repo.publish("side", side)
    repo.publish("aside", side)
    repo.commit({"x": b"2"})
    repo.publish("main")
    assert holding(repo, side) == "refs/heads/aside"
    assert holding(repo, first) == "refs/heads/aside"
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    assert holding(repo, side) == "refs/heads/main"
    repo.publish("later", repo.commit({"x": b"3"}))
    assert holding(repo, repo.head()) == "refs/heads/later"


def test_branch_names_with_slashes_and_other_letters(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    repo.git("update-ref", "-d", "refs/remotes/origin/main")
    repo.publish("feature/schön/7")
    assert holding(repo, commit_id) == "refs/heads/feature/schön/7"


def test_a_name_that_would_turn_a_line_round_is_shown_escaped(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    repo.git("update-ref", "-d", "refs/remotes/origin/main")
    repo.publish("a\u202eb")
    assert holding(repo, commit_id) == "refs/heads/a\\u202eb"


def test_a_ref_that_stands_for_another_is_no_branch_and_makes_none_the_default(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    repo.publish("side", first)
    local = repo.commit({"x": b"1"})
    repo.git("symbolic-ref", "refs/remotes/origin/alias", "refs/heads/main")
    repo.git("symbolic-ref", "refs/remotes/origin/other", "refs/remotes/origin/side")
    assert repo.head("refs/remotes/origin/alias") == local
    assert holding(repo, local) is None
    assert holding(repo, first) == "refs/heads/main"


@pytest.mark.parametrize("words", [(), ("-a", "-m", "x")], ids=["lightweight", "annotated"])
def test_tags(tmp_path: Path, words: tuple[str, ...]) -> None:
    repo, first = published(tmp_path / "r")
    second = repo.commit({"x": b"x"})
    third = repo.commit({"x": b"y"})
    repo.git("tag", *words, "v1", third.hex)
    assert holding(repo, second) == "refs/tags/v1"
    assert holding(repo, third) == "refs/tags/v1"
    assert holding(repo, first) == "refs/heads/main", "a branch before a tag"


def test_tag_of_a_tag_and_tags_of_other_things(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    second = repo.commit({"x": b"x"})
    repo.git("tag", "-a", "-m", "x", "inner", second.hex)
    repo.git("tag", "-a", "-m", "x", "outer", "inner")
    repo.git("tag", "-d", "inner")
    repo.git("tag", "-a", "-m", "x", "tree", "HEAD^{tree}")
    repo.git("tag", "blob", "HEAD:x")
    assert holding(repo, second) == "refs/tags/outer"


def test_endless_chain_of_tags_holds_nothing(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    second = repo.commit({"x": b"x"})
    oid, kind = second.hex, "commit"
    for _ in range(12):
        oid, kind = repo.raw("tag", f"object {oid}\ntype {kind}\ntag t\n\n".encode()), "tag"
    repo.git("update-ref", "refs/tags/deep", oid)
    assert holding(repo, second) is None


def test_damaged_refs_do_not_hide_the_others(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    repo.commit({"x": b"x"})
    repo.publish("main")
    for name, oid in (("remotes/origin/gone", "1" * 40), ("tags/gone", "2" * 40)):
        file = repo.path / ".git/refs" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{oid}\n")
    (repo.path / ".git/refs/remotes/origin/noise").write_text("noise\n")
    assert holding(repo, first) == "refs/heads/main"
    assert holding(repo, CommitId("1" * 40)) is None
    assert holding(repo, repo.commit_tree(repo.git("rev-parse", "HEAD^{tree}"))) is None


def test_branch_ref_at_something_that_is_no_commit(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    repo.git("update-ref", "refs/remotes/origin/odd", repo.git("rev-parse", "HEAD^{tree}"))
    (repo.path / ".git/refs/remotes/origin/odd").write_text(repo.git("rev-parse", "HEAD^{tree}") + "\n")
    assert holding(repo, first) == "refs/heads/main"


def test_two_remotes_of_one_repository(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    repo.git("remote", "add", "ssh", "git@github.com:Acme/Widgets.git")
    commit_id = repo.commit({"x": b"x"})
    repo.git("update-ref", "refs/remotes/ssh/main", commit_id.hex)
    repo.git("tag", "v1")
    assert holding(repo, commit_id) == "refs/heads/main"
    assert holding(repo, commit_id, None) == "refs/heads/main"


def test_local_branch_counts_in_no_clone_with_a_working_tree(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    commit_id = repo.commit({"x": b"x"})
    assert holding(repo, commit_id) is None
    repo.git("config", "--unset", "remote.origin.fetch")
    assert holding(repo, commit_id) is None


def test_merge_history(tmp_path: Path) -> None:
    repo, base = published(tmp_path / "r")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    left = [base]
    right = [base]
    for number in range(4):
        left.append(repo.commit_tree(tree, left[-1], message=f"left {number}"))
        right.append(repo.commit_tree(tree, right[-1], left[number], message=f"right {number}"))
    merge = repo.commit_tree(tree, left[-1], right[-1])
    repo.publish("main", merge)
    with repo.open() as checkout:
        assert {checkout.holding_ref(commit) for commit in (*left, *right, merge)} == {"refs/heads/main"}


def test_time_limit(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    repo.commit({"x": b"x"})
    repo.publish("main")
    slow = program(tmp_path / "git", 'for word; do [ "$word" != rev-list ] || sleep 20; done; exec git "$@"')
    limits = Limits(git_seconds=1.5)
    opened = GitCheckout.open(repo.path, repository=REPOSITORY, git=slow, limits=limits)
    with opened as checkout, pytest.raises(SearchTimedOut) as refused:
        checkout.holding_ref(first)
    assert refused.value.hint.startswith("Name the commit with --commit, or ")


def test_history_is_walked_once(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    second = repo.commit({"x": b"1"})
    repo.commit({"x": b"2"})
    repo.publish("main")
    with repo.open() as checkout:
        assert checkout.holding_ref(first) == "refs/heads/main"
        # Verified bytes stay verified, whatever happens to the store afterwards.
        _, data = repo.content(second.hex)
        repo.alter(second.hex, data + b"more\n")
        assert checkout.holding_ref(first) == "refs/heads/main"
    with repo.open() as checkout:
        assert checkout.holding_ref(first) is None


def test_history_git_cannot_read_is_a_refusal_of_its_own(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    second = repo.commit({"x": b"1"})
    repo.commit({"x": b"2"})
    repo.publish("main")
    repo.alter(second.hex, b"tree x\n")
    with repo.open() as checkout, pytest.raises(GitFailed) as refused:
        checkout.holding_ref(first)
    assert "git rev-list failed" in refused.value.message
    assert "hint" not in refused.value.message


def test_branch_whose_tip_is_altered_to_another_type(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    second = repo.commit({"x": b"1"})
    repo.publish("main", second)
    repo.publish("side", second)
    repo.git("tag", "v1")
    repo.alter(second.hex, b"x", "blob")
    assert holding(repo, first) is None


def test_limit_on_reading_tags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "r")
    second = repo.commit({"x": b"x"})
    repo.git("tag", "v1")
    with GitCheckout.open(repo.path, repository=REPOSITORY) as checkout:
        checkout.commit(second)
        clock = iter(range(0, 10_000, 100))
        monkeypatch.setattr("opvalue.checkout.refs.time", SimpleNamespace(monotonic=lambda: next(clock)))
        with pytest.raises(SearchTimedOut, match="the tags were not read in time"):
            checkout.holding_ref(second)
