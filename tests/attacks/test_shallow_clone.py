"""A depth-1 clone and a commit two back: refused with the exact command, which works (GT-01)."""

import shlex
from pathlib import Path

import pytest

from opvalue.checkout import CommitAbsent
from opvalue.identity import CommitId
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, published


def shallow(tmp_path: Path) -> tuple[Repo, CommitId, CommitId]:
    source, old = published(tmp_path / "source")
    source.commit({str(PATH): b"echo 2\n"})
    tip = source.commit({str(PATH): b"echo 3\n"})
    source.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return Repo.clone(source, tmp_path / "clone", "--depth", "1"), old, tip


def test_absent_commit_is_refused_and_head_does_not_stand_in(tmp_path: Path) -> None:
    repo, old, _ = shallow(tmp_path)
    with repo.open() as checkout:
        with pytest.raises(CommitAbsent) as refused:
            checkout.commit(old)
        assert checkout.holding_ref(old) is None
    assert refused.value.message == f"commit {old} is not in this checkout (shallow)"
    assert f"git -C {repo.path} fetch --unshallow origin" in refused.value.hint
    assert f"git -C {repo.path} fetch origin {old}" in refused.value.hint


def test_what_is_there_is_read_and_held(tmp_path: Path) -> None:
    repo, _, tip = shallow(tmp_path)
    with repo.open() as checkout:
        commit = checkout.commit(tip)
        assert checkout.read(commit, PATH, LIMIT) == b"echo 3\n"
        assert len(commit.parents) == 1, "the commit's own word, not the shallow file's"
        assert checkout.holding_ref(tip) == "refs/heads/main"


def test_depth_two_walks_to_the_end_of_history_and_not_past_it(tmp_path: Path) -> None:
    source, old = published(tmp_path / "source")
    middle = source.commit({"x": b"1"})
    source.commit({"x": b"2"})
    repo = Repo.clone(source, tmp_path / "clone", "--depth", "2")
    with repo.open() as checkout:
        assert checkout.holding_ref(middle) == "refs/heads/main"
        assert checkout.holding_ref(old) is None


def run_hint(repo: Repo, source: Path, hint: str, word: str) -> None:
    """Run the command in ``hint`` that holds ``word``, against the local source in place of the network."""
    start = hint.index("git -C", hint.rindex("git -C", 0, hint.index(word)))
    words = shlex.split(hint[start:].split(" - ", maxsplit=1)[0])[3:]
    repo.git("-c", f"url.file://{source}.insteadOf=https://github.com/acme/widgets.git", *words)


@pytest.mark.parametrize(("word", "held"), [("--unshallow", "refs/heads/main"), ("fetch origin", None)])
def test_the_hint_works(tmp_path: Path, word: str, held: str | None) -> None:
    repo, old, _ = shallow(tmp_path)
    with repo.open() as checkout:
        hint = checkout.absent_hint(old)
    run_hint(repo, tmp_path / "source", hint, word)
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(old), PATH, LIMIT) == SCRIPT
        assert checkout.holding_ref(old) == held
