"""Read the evaluator at the trusted commit and match it, byte for byte, with the archived one (DESIGN 4.6).

What runs later is what is read here, from re-hashed git objects. The archived copy is only ever compared.
"""

from opvalue.bash import Closure, ShellParser, closure_digest, read_closure
from opvalue.identity import Digest, RepoPath
from opvalue.limits import Limits
from opvalue.trust import errors
from opvalue.trust.git import Objects
from opvalue.trust.states import AnchoredRun, PinnedTree, VerifiedEvaluator, done


def pin(anchored: AnchoredRun, objects: Objects, limits: Limits | None = None) -> PinnedTree:
    """Read the evaluator's blob at the trusted commit. A merge commit must hold the very same one."""
    limits = limits or Limits()
    path = anchored.run.evaluator_path
    evaluator = objects.read(anchored.trusted, path, limits.evaluator_bytes)
    checks = anchored.checks
    if anchored.recorded.id != anchored.trusted.id:
        _check_same_in_merge(anchored, objects, path, evaluator, limits.evaluator_bytes)
        checks = (*checks, done("commit.merge-evaluator", "the merge and its anchored parent hold one evaluator"))
    return PinnedTree(anchored, objects, evaluator, checks)


def match(pinned: PinnedTree, parser: ShellParser | None = None, limits: Limits | None = None) -> VerifiedEvaluator:
    """Compare the pinned evaluator with the archived one, then gather what it sources from the same commit.

    ``parser`` reads what the built-in parser cannot. Raises ``EvaluatorDiffers``, ``SiblingAbsent`` and what
    ``bash`` refuses.
    """
    limits = limits or Limits()
    run = pinned.anchored.run
    _check_equal(pinned, run.evaluator_digest)
    closure = read_closure(
        run.evaluator_path, pinned.evaluator, _SiblingReader(pinned, limits), parser=parser, limits=limits
    )
    digest = closure_digest(closure)
    at = pinned.anchored.trusted.id.short
    checks = [
        *pinned.checks,
        done("evaluator.at-commit", f"the evaluator at commit {at} is the archived one, byte for byte"),
        done("evaluator.closure", _closure_detail(closure)),
    ]
    return VerifiedEvaluator(pinned, closure, digest, tuple(checks))


def _check_equal(pinned: PinnedTree, digest: Digest) -> None:
    archived, stored = pinned.anchored.run.archived.evaluator, pinned.evaluator
    actual = Digest.of(stored)
    if actual == digest and stored == archived:
        return
    only_returns = stored.replace(b"\r\n", b"\n") == archived.replace(b"\r\n", b"\n")
    at = f"{pinned.anchored.run.evaluator_path} at commit {pinned.anchored.trusted.id.short}"
    raise errors.EvaluatorDiffers(
        f"{at} differs from the archived evaluator" + (" only by carriage returns" if only_returns else ""),
        expected=f"sha256:{digest} (archived)",
        found=f"sha256:{actual} (commit)",
    )


class _SiblingReader:
    """Reads sourced files from the trusted commit; in a merge commit they must be the same."""

    def __init__(self, pinned: PinnedTree, limits: Limits) -> None:
        self._anchored = pinned.anchored
        self._objects = pinned.objects
        self._limit = limits.sibling_bytes

    def __call__(self, path: RepoPath) -> bytes | None:
        data = self._objects.find(self._anchored.trusted, path, self._limit)
        if self._anchored.recorded.id != self._anchored.trusted.id:
            _check_same_in_merge(self._anchored, self._objects, path, data, self._limit)
        return data


def _check_same_in_merge(
    anchored: AnchoredRun, objects: Objects, path: RepoPath, data: bytes | None, limit: int
) -> None:
    if objects.find(anchored.recorded, path, limit) != data:
        raise errors.MergeEvaluatorDiffers(
            f"{path} at merge commit {anchored.recorded.id.short} is not the file of its anchored parent",
            expected=f"the file at {anchored.trusted.id.short}",
            found="another file, or none",
        )


def _closure_detail(closure: Closure) -> str:
    sourced = [str(path) for path, _ in closure.files[1:]]
    if not sourced:
        return "the evaluator sources no other file that its syntax tree shows"
    return f"sources {', '.join(sourced)}, from the same commit"
