"""Why a bundle is not taken: one class a cause (DESIGN 5). A bundle is taken whole or not at all."""

from opvalue.errors import Kind, OpvalueError


class BundleRefused(OpvalueError):
    """Base of every refusal of a bundle."""

    kind = Kind.REFUSED


class BundleMissing(OpvalueError):
    """The bundle's file does not exist."""

    code = "bundle.missing"
    kind = Kind.ARTIFACT
    advice = "Give the file that --record wrote."


class BundleUnreadable(OpvalueError):
    """The bundle's file cannot be read, or is no regular file."""

    code = "bundle.unreadable"
    kind = Kind.ARTIFACT
    advice = "Give a file that this user may read."


class BundleTooLarge(BundleRefused):
    """The bundle, its list of exchanges, or their number is beyond the bounds."""

    code = "bundle.too-large"
    advice = "Record less: one run, one evidence time, and no more pages than the evaluator needs."


class NotABundle(BundleRefused):
    """The file does not begin as a bundle of evidence does."""

    code = "bundle.not-a-bundle"
    advice = "Give the file that --record wrote, as it was written: not compressed, not unpacked."


class UnknownVersion(BundleRefused):
    """The bundle has a version that this tool does not know."""

    code = "bundle.unknown-version"
    advice = "Use a version of this tool that knows it."


class BundleCut(BundleRefused):
    """The bundle ends before its seal says so: a copy or a download was cut off."""

    code = "bundle.cut"
    advice = "Copy the bundle again."


class BundleExtended(BundleRefused):
    """Bytes follow where the seal says that the bundle ends."""

    code = "bundle.extended"
    advice = "Copy the bundle again; something was added to it."


class BundleChanged(BundleRefused):
    """The bundle is not the bytes that it was sealed with."""

    code = "bundle.changed"
    advice = "Copy the bundle again; if it stays so, treat it as tampered with."


class BundleMalformed(BundleRefused):
    """The bundle is as it was sealed, but its writer did not follow the format. Nothing of it is used."""

    code = "bundle.malformed"
    advice = "Record the evidence again. The format is in docs/bundle.md."


class WrongDigest(BundleRefused):
    """The digest of the evidence is another one than the bundle states, or than was asked for."""

    code = "bundle.wrong-digest"
    advice = "Give the bundle that the statement names."


class HoldsASecret(BundleRefused):
    """Something in a bundle has the shape of a secret, or a secret stands in a request, which is never rewritten."""

    code = "bundle.holds-a-secret"
    advice = "Revoke the secret if it is a real one, and take it out of what the evaluator asks for."


class OtherHost(BundleRefused):
    """The bundle's evidence is from another GitHub host."""

    code = "bundle.other-host"
    advice = "Give the bundle that was recorded for this run."


class OtherRepository(BundleRefused):
    """The bundle was recorded for a run of another repository, by its numeric id."""

    code = "bundle.other-repository"
    advice = "Give the bundle that was recorded for this run."


class OtherRun(BundleRefused):
    """The bundle was recorded for another run."""

    code = "bundle.other-run"
    advice = "Give the bundle that was recorded for this run."


class OtherAttempt(BundleRefused):
    """The bundle was recorded for another attempt of the run."""

    code = "bundle.other-attempt"
    advice = "Give the bundle of this attempt, or name the attempt with --attempt."


class OtherEvaluator(BundleRefused):
    """The bundle was recorded for another evaluator."""

    code = "bundle.other-evaluator"
    advice = "Give the bundle that was recorded with this evaluator."


class OtherClosure(BundleRefused):
    """The bundle was recorded for an evaluator that sources other files."""

    code = "bundle.other-closure"
    advice = "Give the bundle that was recorded with this evaluator and the files it sources."


class OtherDeclared(BundleRefused):
    """The bundle says of other repositories than the definition that they are declared evidence."""

    code = "bundle.other-declared"
    advice = "Record the evidence again: the definition, or the repository's name, has changed since."


class OtherExchanges(BundleRefused):
    """A statement says of another number of exchanges than the bundle holds."""

    code = "bundle.other-exchanges"
    advice = "Do not rely on this statement: opvalue writes none that counts other exchanges than its bundle's."


class OtherUndeclared(BundleRefused):
    """A statement says that something undeclared was read, which the bundle declares or has not."""

    code = "bundle.other-undeclared"
    advice = "Do not rely on this statement: opvalue writes none that names other requests than its bundle's."


class BundleIncomplete(BundleRefused):
    """The recording failed somewhere, so the bundle cannot stand for what an evaluator would have seen."""

    code = "bundle.incomplete"
    kind = Kind.NOT_OBSERVED
    advice = "Record again when the cause is gone."


class EvidenceTooOld(BundleRefused):
    """An exchange was observed before the evidence cutoff, so what happened until then may be missing from it."""

    code = "evidence.too-old"
    kind = Kind.NOT_OBSERVED
    advice = "Record the evidence again, at or after the cutoff."


class ObservedLater(BundleRefused):
    """An exchange says that it was observed later than now, so its times cannot be relied on."""

    code = "evidence.observed-later"
    advice = "Set this machine's clock; if it is right, the recorder's was wrong: record the evidence again."
