"""The exact commands that would bring what a clone lacks (GT-01 to GT-03). Text only; nothing is ever fetched here."""

import re
import shlex
from pathlib import Path

from opvalue.identity import CommitId

_PULL_REQUEST = re.compile(r"refs/pull/([0-9]+)/merge")


class Advice:
    """Knows the clone's place, its trusted remote, and in which ways it is incomplete."""

    def __init__(self, path: Path, remote: str, *, shallow: bool, partial: bool) -> None:
        self._git = f"git -C {shlex.quote(str(path))}"
        self._remote = shlex.quote(remote)
        self._shallow = shallow
        self._partial = partial

    @property
    def incompleteness(self) -> str:
        """`` (shallow)`` for a shallow clone, else nothing: a partial clone has every commit."""
        return " (shallow)" if self._shallow else ""

    @property
    def for_history(self) -> str:
        """What brings the whole history."""
        return f"Fetch it: {self._git} fetch --unshallow {self._remote} - for actions/checkout: fetch-depth: 0."

    def for_commit(self, commit_id: CommitId, ref: str | None) -> str:
        """Return what brings an absent commit. ``ref`` is the ref the run was recorded with, if known."""
        alone = f"{self._git} fetch {'--no-filter ' if self._partial else ''}{self._remote} {commit_id}"
        merge = _PULL_REQUEST.fullmatch(ref or "")
        if merge is not None:
            return (
                f"This is the throw-away merge commit of pull request {merge[1]}, which no branch holds. While the "
                f"server still has it, this fetches it: {alone}"
            )
        if self._shallow:
            return (
                f"The clone is shallow. Fetch its whole history: {self._git} fetch --unshallow {self._remote} - or "
                f"this commit alone, whose branch then cannot be shown: {alone}"
            )
        return (
            f"Fetch the branches and tags: {self._git} fetch --tags {self._remote} - or, if a forced push took the "
            f"commit from its branch, the commit alone while the server still has it: {alone}"
        )

    def for_object(self, oid: str) -> str:
        """Return what brings one object into a partial clone. Fetching its commit would not."""
        return f"Fetch it, online: {self._git} cat-file -e {oid}"
