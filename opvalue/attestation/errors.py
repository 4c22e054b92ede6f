"""Why a signed statement, or a key, is refused: one class a cause."""

from opvalue.errors import Kind, OpvalueError

_NOT_OURS = "Get the file again from whoever made it; opvalue writes no such envelope."
_TAMPERED = "Do not rely on this file: it was changed after it was signed, or was not written by opvalue."


class AttestationRefused(OpvalueError):
    """Base of every refusal of this room. Nothing of what was signed may be relied on."""

    kind = Kind.REFUSED


# The envelope


class AttestationTooLarge(AttestationRefused):
    """An envelope, or the observation to be signed, is larger than any that is read."""

    code = "attestation.too-large"
    advice = "Raise no bound for it: an observation of this size shows a fault of its evaluator."


class EnvelopeMalformed(AttestationRefused):
    """A file is not a DSSE envelope of exactly the fields that opvalue writes, signatures by Ed25519 included."""

    code = "attestation.envelope-malformed"
    advice = _NOT_OURS


class PayloadTypeUnknown(AttestationRefused):
    """The envelope's payload is not of the in-toto type."""

    code = "attestation.payload-type"
    advice = _NOT_OURS


class Base64Refused(AttestationRefused):
    """The payload or a signature is not standard base64 in its one canonical spelling."""

    code = "attestation.base64"
    advice = _TAMPERED


class NotCanonical(AttestationRefused):
    """Envelope or payload were written anew: other spacing, order, escapes or numbers than opvalue's own."""

    code = "attestation.not-canonical"
    advice = "Use the file as it was written; a tool that formats JSON must not touch it."


class SignatureMissing(AttestationRefused):
    """The envelope holds no signature at all."""

    code = "attestation.no-signature"
    advice = "Get the signed file again; whoever took the signature away left nothing to verify."


class SignatureTwice(AttestationRefused):
    """One key signed an envelope twice, or is asked to."""

    code = "attestation.signed-twice"
    advice = "One signature of each key is enough: sign with another key, or leave the envelope as it is."


class TooManySignatures(AttestationRefused):
    """An envelope holds, or would hold, more signatures than any that is read."""

    code = "attestation.too-many-signatures"
    advice = "Sign a fresh envelope of the same observation."


class SignatureWrong(AttestationRefused):
    """The signature of a trusted key does not verify: payload, type or signature were changed, or it is forged."""

    code = "attestation.signature-wrong"
    advice = _TAMPERED


class NotTrusted(AttestationRefused):
    """Fewer of the trusted keys signed than the threshold asks for."""

    code = "attestation.not-trusted"
    advice = "Give the signers' public keys with --key, if you trust them; or ask them to sign."


class ThresholdImpossible(AttestationRefused):
    """The threshold is less than one, or more than the distinct keys that are given."""

    code = "attestation.threshold"
    kind = Kind.USAGE
    advice = "Give at least as many different keys as the threshold asks for."


# What is signed


class PayloadMalformed(AttestationRefused):
    """The payload is not an in-toto statement (v1) of exactly the fields that opvalue writes."""

    code = "attestation.payload-malformed"
    advice = _NOT_OURS


class PredicateTypeUnknown(AttestationRefused):
    """The in-toto statement says something else than an observation of opvalue's."""

    code = "attestation.predicate-type"
    advice = "Use the tool that made the attestation; opvalue verifies observations only."


class ExecutionInside(AttestationRefused):
    """What is to be signed, or was, carries ``execution``, which is not part of the statement."""

    code = "attestation.execution-inside"
    advice = "Sign the document that opvalue regrade wrote, with opvalue attestation sign: it leaves execution out."


class StatementMalformed(AttestationRefused):
    """What is to be signed, or was, is not the statement of a regrade document of exactly the known fields."""

    code = "attestation.statement-malformed"
    advice = "Sign the document that opvalue regrade wrote, as it was written."


class StatementContradicts(AttestationRefused):
    """A statement contradicts itself: two places that name one run, evaluator, time or outcome differ."""

    code = "attestation.statement-contradicts"
    advice = "Regrade the run again; opvalue writes no such document."


class SubjectDiffers(AttestationRefused):
    """The in-toto subject is not the run and the digests of the statement beside it."""

    code = "attestation.subject-differs"
    advice = _NOT_OURS


class MaterialDiffers(AttestationRefused):
    """The materials do not name the evidence bundle that the statement names."""

    code = "attestation.material-differs"
    advice = _NOT_OURS


class OtherObservation(AttestationRefused):
    """The observation that was given is not the one that was signed."""

    code = "attestation.other-observation"
    advice = "Give the document that was signed, or regrade the run as of the signed evidence time."


class OtherBundle(AttestationRefused):
    """The evidence bundle that was given is not the one the signed statement rests on."""

    code = "attestation.other-bundle"
    advice = "Give the bundle that was recorded with this observation."


# Keys


class KeyMalformed(AttestationRefused):
    """A key file is not one PEM block: PKCS#8 for a private key, SubjectPublicKeyInfo for a public one."""

    code = "attestation.key-malformed"
    kind = Kind.USAGE
    advice = "Make a pair of keys with `opvalue attestation keygen -o KEY`."


class KeyTypeUnknown(AttestationRefused):
    """A key is not an Ed25519 key."""

    code = "attestation.key-type"
    kind = Kind.USAGE
    advice = "Make a pair of Ed25519 keys with `opvalue attestation keygen -o KEY`."


class KeyWeak(AttestationRefused):
    """A public key is no proper point of the curve: signatures that verify with it can be made by anybody."""

    code = "attestation.key-weak"
    advice = "Do not trust whoever gave you this key."


class PrivateKeyGiven(AttestationRefused):
    """A private key stands where a public one is meant."""

    code = "attestation.private-key-given"
    kind = Kind.USAGE
    advice = "Give the public key, KEY.pub; keep the private one to yourself."


class PublicKeyGiven(AttestationRefused):
    """A public key stands where a private one is meant."""

    code = "attestation.public-key-given"
    kind = Kind.USAGE
    advice = "Signing takes the private key, the file without .pub."


class PassphraseMissing(AttestationRefused):
    """A private key is encrypted and no passphrase was given, or an empty one."""

    code = "attestation.passphrase-missing"
    kind = Kind.CREDENTIALS
    advice = "Give it with --passphrase-file FILE, or --passphrase-env NAME for the variable that holds it."


class PassphraseWrong(AttestationRefused):
    """An encrypted private key does not open with the passphrase that was given, or is damaged."""

    code = "attestation.passphrase-wrong"
    kind = Kind.CREDENTIALS
    advice = "Give the passphrase the key was made with."


class PassphraseUnneeded(AttestationRefused):
    """A passphrase was given for a private key that is not encrypted: it may not be the key that is meant."""

    code = "attestation.passphrase-unneeded"
    kind = Kind.USAGE
    advice = "Leave the passphrase away, or give the key it belongs to."


class PassphraseTooLong(AttestationRefused):
    """A passphrase is longer than a key can be encrypted with."""

    code = "attestation.passphrase-too-long"
    kind = Kind.USAGE
    advice = "Choose a shorter passphrase; twenty random characters are plenty."


class FileUnreadable(AttestationRefused):
    """A key, a passphrase, an envelope or an observation cannot be read: absent, not a file, no permission."""

    code = "attestation.file-unreadable"
    kind = Kind.USAGE
    advice = "Check the name, and that you may read the file."


class KeyNotPrivate(AttestationRefused):
    """Others than its owner may read or write the file of a private key or a passphrase."""

    code = "attestation.key-not-private"
    kind = Kind.USAGE
    advice = "Take the others' rights away (chmod 600), and make a new key if somebody may have read it."
