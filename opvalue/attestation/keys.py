"""Ed25519 keys (RFC 8032): PKCS#8 and SubjectPublicKeyInfo in PEM (RFC 8410), and the id of a key.

A key's id is the SHA-256 of its public key's DER, so ``openssl pkey -pubin -outform DER | sha256sum`` shows it. Nothing
here prints or returns private material but ``PrivateKey.encode``. Not done here: files, their modes, randomness.
"""

import binascii
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from opvalue.attestation import errors
from opvalue.identity import Digest
from opvalue.limits import Limits

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEED_BYTES: Final = 32
_DER_PREFIX: Final = bytes.fromhex("302a300506032b6570032100")
"""The whole of a SubjectPublicKeyInfo for Ed25519 but the key: the encoding has no other form."""
_BEGIN, _END = b"-----BEGIN PUBLIC KEY-----\n", b"\n-----END PUBLIC KEY-----"
_PRIVATE: Final = b"-----BEGIN PRIVATE KEY-----\n"
_ENCRYPTED: Final = b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
_FIELD: Final = 2**255 - 19
_ORDER_EIGHT: Final = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
# The second coordinates of the points of small order: with such a key, one signature fits many messages.
_SMALL_ORDER: Final = frozenset({0, 1, _FIELD - 1, _ORDER_EIGHT, _FIELD - _ORDER_EIGHT})


class PublicKey(NamedTuple):
    """A public key: 32 bytes. Equal keys have equal bytes; other spellings of a point are refused when it is read."""

    raw: bytes

    @property
    def der(self) -> bytes:
        """SubjectPublicKeyInfo, DER."""
        return _DER_PREFIX + self.raw

    @property
    def id(self) -> str:
        """The key's id: SHA-256 of ``der``, 64 hexadecimal characters."""
        return Digest.of(self.der).hex

    def encode(self) -> bytes:
        """Return the PEM text."""
        return _BEGIN + b64encode(self.der) + _END + b"\n"

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Tell whether ``signature`` is this key's over ``message``. An S beyond the group's order never is."""
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - takes longer to load than all the rest
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True


class PrivateKey:
    """A private key. It shows its id, never itself."""

    __slots__ = ("_key", "public")

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key
        self.public = PublicKey(key.public_key().public_bytes_raw())

    @classmethod
    def from_seed(cls, seed: bytes) -> Self:
        """Return the key of 32 secret random bytes."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the signature; always the same for one message (RFC 8032)."""
        return self._key.sign(message)

    def encode(self, passphrase: bytes | None = None) -> bytes:
        """Return the PKCS#8 PEM text, encrypted if there is a passphrase. Raises ``PassphraseTooLong``, ``Missing``."""
        from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415

        how: form.KeySerializationEncryption = form.NoEncryption()
        if passphrase is not None:
            _check_passphrase(passphrase)
            how = form.BestAvailableEncryption(passphrase)
        return self._key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, how)

    def __repr__(self) -> str:
        return f"PrivateKey({self.public.id})"


def parse_public_key(pem: bytes) -> PublicKey:
    """Read one PEM block ``PUBLIC KEY`` that holds an Ed25519 key; line ends and blank lines around it are free.

    Raises ``KeyMalformed``, ``KeyTypeUnknown``, ``KeyWeak``, ``PrivateKeyGiven``. Not checked: whose key it is.
    """
    text = _one_block(pem)
    if text.startswith((_PRIVATE, _ENCRYPTED)):
        raise errors.PrivateKeyGiven("this is a private key", expected="a public key")
    if not text.startswith(_BEGIN) or not text.endswith(_END):
        raise errors.KeyMalformed("the key is not a public key in PEM", expected=_BEGIN.decode().strip())
    der = _der(text[len(_BEGIN) : -len(_END)])
    raw = der[len(_DER_PREFIX) :]
    if not der.startswith(_DER_PREFIX) or len(raw) != SEED_BYTES:
        raise errors.KeyTypeUnknown("the public key is not an Ed25519 key", expected="Ed25519")
    # The highest bit is the first coordinate's sign.
    second = int.from_bytes(raw, "little") & (2**255 - 1)
    if second >= _FIELD or second in _SMALL_ORDER:
        raise errors.KeyWeak("the public key is a point of small order or in a spelling of its own")
    return PublicKey(raw)


def parse_private_key(pem: bytes, passphrase: bytes | None = None) -> PrivateKey:
    """Read one PEM block ``PRIVATE KEY`` or ``ENCRYPTED PRIVATE KEY`` that holds an Ed25519 key.

    Raises ``KeyMalformed``, ``KeyTypeUnknown``, ``PublicKeyGiven`` and those of the passphrase. No message holds any of
    the key or the passphrase.
    """
    text = _one_block(pem)
    if text.startswith(_BEGIN):
        raise errors.PublicKeyGiven("this is a public key", expected="a private key")
    if text.startswith(_ENCRYPTED):
        if passphrase is None:
            raise errors.PassphraseMissing("the private key is encrypted", expected="its passphrase")
        _check_passphrase(passphrase)
    elif not text.startswith(_PRIVATE):
        raise errors.KeyMalformed("the key is not a private key in PKCS#8 PEM", expected=_PRIVATE.decode().strip())
    elif passphrase is not None:
        raise errors.PassphraseUnneeded("the private key is not encrypted, yet a passphrase was given")
    return _loaded(text + b"\n", passphrase)


def _loaded(text: bytes, passphrase: bytes | None) -> PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

    try:
        key = load_pem_private_key(text, passphrase)
    except UnsupportedAlgorithm:
        raise errors.KeyTypeUnknown("the private key is of a kind nobody here knows", expected="Ed25519") from None
    except (ValueError, TypeError):
        if passphrase is None:
            raise errors.KeyMalformed("the private key cannot be read", expected="an Ed25519 key in PKCS#8") from None
        raise errors.PassphraseWrong("the private key does not open with this passphrase") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise errors.KeyTypeUnknown("the private key is not an Ed25519 key", expected="Ed25519")
    return PrivateKey(key)


def _one_block(pem: bytes) -> bytes:
    if len(pem) > Limits().key_bytes:
        raise errors.KeyMalformed("the key file is too large", expected=f"at most {Limits().key_bytes} bytes")
    text = pem.replace(b"\r\n", b"\n").strip()
    if text.count(b"-----BEGIN ") != 1 or not text.startswith(b"-----BEGIN ") or not text.endswith(b"-----"):
        raise errors.KeyMalformed("the key file is not one PEM block", expected="one key and nothing else")
    return text


def _der(text: bytes) -> bytes:
    flat = text.replace(b"\n", b"")
    try:
        der = b64decode(flat, validate=True)
    except binascii.Error:
        der = b""
    if not der or b64encode(der) != flat:
        raise errors.KeyMalformed("the key is not canonical base64", expected="standard base64 with padding")
    return der


def _check_passphrase(passphrase: bytes) -> None:
    if not passphrase:
        raise errors.PassphraseMissing("the passphrase is empty", expected="a passphrase")
    if len(passphrase) > Limits().passphrase_bytes:
        raise errors.PassphraseTooLong(
            "the passphrase is too long",
            expected=f"at most {Limits().passphrase_bytes} bytes",
            found=f"{len(passphrase)} bytes",
        )
