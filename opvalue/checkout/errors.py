"""Why a checkout cannot be trusted, or lacks what was asked for: one class a cause (DESIGN 4.6; GT-01 to GT-12)."""

from opvalue.errors import Kind, OpvalueError


class CheckoutRefused(OpvalueError):
    """Base of what the checkout refuses; never raised itself."""

    kind = Kind.REFUSED


class GitMissing(CheckoutRefused):
    """No ``git`` program is on PATH, or the one given cannot be started."""

    code = "checkout.git-missing"
    kind = Kind.USAGE
    advice = "Install git: apt-get install git, dnf install git, or xcode-select --install."


class GitFailed(CheckoutRefused):
    """Git ended with a failure that none of the other causes names; its own words are in the message."""

    code = "checkout.git-failed"
    advice = "Run git fsck in the checkout, or clone it again."


class GitTimedOut(CheckoutRefused):
    """Git did not answer within the limit."""

    code = "checkout.git-timed-out"
    advice = "Try again on a less busy machine or a local disk."


class SearchTimedOut(GitTimedOut):
    """No branch or tag was found within the limit that leads to the recorded commit, and some were not looked at."""

    code = "checkout.search-timed-out"
    advice = "Name the commit with --commit, or try again on a less busy machine or a local disk."


class NotARepository(CheckoutRefused):
    """The path is no git repository and lies in none."""

    code = "checkout.not-a-repository"
    kind = Kind.USAGE
    advice = "Give the path of a clone of the repository with --checkout."


class DubiousOwnership(CheckoutRefused):
    """Git refuses to read the repository because another user owns it, and the user's ``safe.directory`` is silent."""

    code = "checkout.dubious-ownership"
    advice = "If you trust its owner: git config --global --add safe.directory PATH."


class NoTrustedRemote(CheckoutRefused):
    """No remote of the checkout names the requested repository (host and OWNER/REPO), read before ``insteadOf``."""

    code = "checkout.no-trusted-remote"
    advice = "Use a clone of the requested repository, or add it as a remote and fetch it."


class AmbiguousRepository(CheckoutRefused):
    """No repository was asked for, and the checkout's remotes name several."""

    code = "checkout.ambiguous-repository"
    advice = "Say which one with --repo OWNER/REPO."


class UnsafeObjectId(CheckoutRefused):
    """An object id that is not written out in full; git would guess what an abbreviation means."""

    code = "checkout.unsafe-object-id"
    advice = "Write the id in full: 40 hexadecimal characters, or 64 in a SHA-256 repository."


class WrongObjectFormat(CheckoutRefused):
    """A SHA-1 id for a SHA-256 repository, or the other way round."""

    code = "checkout.wrong-object-format"
    advice = "Use a clone that has the object format of the run's repository."


class CommitAbsent(CheckoutRefused):
    """The recorded commit is not in this checkout (GT-01, GT-03, GT-04). HEAD never stands in for it."""

    code = "checkout.commit-absent"
    advice = "Fetch the commit by its full id."


class NotACommit(CheckoutRefused):
    """The recorded id names a tree, a blob or a tag."""

    code = "checkout.not-a-commit"
    advice = "The archive records something that no workflow run records. Do not trust it."


class ObjectAltered(CheckoutRefused):
    """The bytes git returned do not hash to the id they were asked for by."""

    code = "checkout.object-altered"
    advice = "Do not trust this object store. Run git fsck --full, and clone the repository again."


class ObjectMalformed(CheckoutRefused):
    """A commit, tree or tag hashes to its id but does not follow git's format."""

    code = "checkout.object-malformed"
    advice = "Run git fsck --full. No git that is known writes such an object."


class ObjectMissing(CheckoutRefused):
    """An object that a verified commit or tree names is not in the store of a repository that claims to be whole."""

    code = "checkout.object-missing"
    advice = "Run git fsck --full, and clone the repository again."


class ObjectNotFetched(CheckoutRefused):
    """The commit holds the file or folder, but this partial clone has not fetched it (GT-02)."""

    code = "checkout.not-fetched"
    advice = "Fetch it, or use a clone made without --filter."


class ObjectUnreadable(CheckoutRefused):
    """Git found the object and could not read it: broken compression, a damaged pack, no permission."""

    code = "checkout.object-unreadable"
    advice = "Run git fsck --full, and clone the repository again."


class ObjectTooLarge(CheckoutRefused):
    """An object is larger than what is accepted for its purpose."""

    code = "checkout.object-too-large"
    advice = "Evaluators are small scripts. Check that the path is the right one."


class PathAbsent(CheckoutRefused):
    """The commit has nothing at the path."""

    code = "checkout.path-absent"
    advice = "The archive names a file that its commit does not hold. Check the run and the commit."


class SymlinkRefused(CheckoutRefused):
    """The path, or a folder on the way to it, is a symbolic link at that commit."""

    code = "checkout.symlink"
    advice = "Commit the file itself in place of the link."


class SubmoduleRefused(CheckoutRefused):
    """The path, or a folder on the way to it, is a submodule: another repository's content."""

    code = "checkout.submodule"
    advice = "Keep the evaluator in the workflow's own repository."


class FolderRefused(CheckoutRefused):
    """The path is a folder at that commit."""

    code = "checkout.folder"
    advice = "Name the script itself."


class UnusualMode(CheckoutRefused):
    """The entry's mode is none that git writes."""

    code = "checkout.unusual-mode"
    advice = "Commit the file again with a current git."


class LfsPointer(CheckoutRefused):
    """The commit holds a Git LFS pointer, not the file (GT-09)."""

    code = "checkout.lfs-pointer"
    advice = "Store the evaluator in git itself: take it out of .gitattributes and commit it again."


class ShallowHistory(CheckoutRefused):
    """The clone is shallow, so that the first commit of a file cannot be told from where the clone begins."""

    code = "checkout.shallow-history"
    advice = "Fetch the whole history: git fetch --unshallow."


class NeverCommitted(CheckoutRefused):
    """No commit up to ``HEAD`` has the file whose first commit is asked for."""

    code = "checkout.never-committed"
    advice = "Commit the file first."
