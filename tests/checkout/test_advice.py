"""What would bring what a clone lacks: commands that can be pasted into a shell as they are."""

from pathlib import Path

from opvalue.checkout.advice import Advice
from opvalue.identity import CommitId

_COMMIT = CommitId("a" * 40)


def test_names_with_blanks_and_quotes_are_quoted() -> None:
    whole = Advice(Path("/my clones/x"), "o'x", shallow=False, partial=False)
    git, remote = "git -C '/my clones/x'", "'o'\"'\"'x'"
    assert whole.incompleteness == ""
    assert whole.for_history.startswith(f"Fetch it: {git} fetch --unshallow {remote} - ")
    assert f"{git} fetch --tags {remote} - or" in whole.for_commit(_COMMIT, None)
    assert whole.for_commit(_COMMIT, "refs/heads/main").endswith(f": {git} fetch {remote} {_COMMIT}")
    assert whole.for_object("b" * 40) == f"Fetch it, online: {git} cat-file -e {'b' * 40}"


def test_what_is_fetched_depends_on_what_is_there_and_on_the_ref() -> None:
    shallow = Advice(Path("/x"), "origin", shallow=True, partial=False)
    assert shallow.incompleteness == " (shallow)"
    assert "git -C /x fetch --unshallow origin - or" in shallow.for_commit(_COMMIT, None)
    partial = Advice(Path("/x"), "origin", shallow=False, partial=True)
    assert partial.for_commit(_COMMIT, None).endswith(f": git -C /x fetch --no-filter origin {_COMMIT}")
    merge = partial.for_commit(_COMMIT, "refs/pull/7/merge")
    assert merge.startswith("This is the throw-away merge commit of pull request 7, which no branch holds.")
    assert "throw-away" not in partial.for_commit(_COMMIT, "refs/pull/7/head")
