"""Keys: known answers, the forms of RFC 8410, and what is no key of ours."""

import base64
import hashlib
import pickle

import pytest
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x25519

from opvalue.attestation import PrivateKey, PublicKey, parse_private_key, parse_public_key
from opvalue.attestation.errors import KeyMalformed
from opvalue.attestation.keys import _SMALL_ORDER
from opvalue.errors import Kind, OpvalueError
from opvalue.limits import Limits
from tests.attestation.samples import ALICE, BOB

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
# RFC 8032, 7.1: seed, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]
# RFC 8410, 10.1 and 10.3: one pair; the second private form has attributes and the public key in it.
PUBLIC_PEM = b"""-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
"""
PRIVATE_PEM = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
"""
SECRET = b"correct horse"
ENCRYPTED_PEM = ALICE.encode(SECRET)


def pem(key: object) -> bytes:
    """Return a foreign key's PKCS#8 PEM."""
    made: bytes = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())  # type: ignore[attr-defined]
    return made


def public_pem(key: object) -> bytes:
    """Return a foreign key's public PEM."""
    made: bytes = key.public_key().public_bytes(  # type: ignore[attr-defined]
        form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo
    )
    return made


def framed(der: bytes) -> bytes:
    """Return DER as a public key's PEM."""
    return b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(der) + b"\n-----END PUBLIC KEY-----\n"


def spki(raw: bytes) -> bytes:
    """Return the PEM of any 32 bytes."""
    return framed(bytes.fromhex("302a300506032b6570032100") + raw)


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032)
def test_known_answers(seed: str, public: str, message: str, signature: str) -> None:
    key, said = PrivateKey.from_seed(bytes.fromhex(seed)), bytes.fromhex(message)
    assert key.public.raw.hex() == public
    assert key.sign(said).hex() == signature
    assert key.public.verifies(bytes.fromhex(signature), said)
    assert not key.public.verifies(bytes.fromhex(signature), said + b"x")
    assert not BOB.public.verifies(ALICE.sign(said), said)


def test_the_pair_of_the_standard() -> None:
    public, private = parse_public_key(PUBLIC_PEM), parse_private_key(PRIVATE_PEM)
    assert private.public == public
    assert public.encode() == PUBLIC_PEM
    assert private.encode() == PRIVATE_PEM
    assert public.id == hashlib.sha256(public.der).hexdigest()
    assert public.der == base64.b64decode(PUBLIC_PEM.splitlines()[1])


@pytest.mark.parametrize("length", [0, 1, 63, 65, 128])
def test_signatures_of_another_length(length: int) -> None:
    assert not ALICE.public.verifies(ALICE.sign(b"")[:length].ljust(length, b"\0"), b"")


def test_a_signature_is_not_malleable() -> None:
    signature = ALICE.sign(b"message")
    scalar = int.from_bytes(signature[32:], "little")
    assert scalar < ORDER
    for times in range(1, 15):
        other = signature[:32] + (scalar + times * ORDER).to_bytes(32, "little")
        assert not ALICE.public.verifies(other, b"message"), times


@pytest.mark.parametrize(
    "data",
    [PUBLIC_PEM.replace(b"\n", b"\r\n"), PUBLIC_PEM.rstrip(), b"\n\n" + PUBLIC_PEM + b"\n"],
)
def test_line_ends_are_free(data: bytes) -> None:
    assert parse_public_key(data).encode() == PUBLIC_PEM


def test_an_encrypted_key() -> None:
    assert ENCRYPTED_PEM.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    assert parse_private_key(ENCRYPTED_PEM, SECRET).public == ALICE.public
    assert parse_private_key(ENCRYPTED_PEM.replace(b"\n", b"\r\n"), SECRET).public == ALICE.public
    longest = b"x" * 1023
    assert parse_private_key(ALICE.encode(longest), longest).public == ALICE.public


RSA = rsa.generate_private_key(65537, 2048)
FOREIGN = [
    RSA,
    ec.generate_private_key(ec.SECP256R1()),
    ed448.Ed448PrivateKey.generate(),
    x25519.X25519PrivateKey.generate(),
]
OPENSSH = ed25519.Ed25519PrivateKey.generate().private_bytes(
    form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption()
)
TRADITIONAL = RSA.private_bytes(form.Encoding.PEM, form.PrivateFormat.TraditionalOpenSSL, form.NoEncryption())


NO_PUBLIC_KEYS: list[tuple[bytes, str]] = [
    (b"", "key-malformed"),
    (b"\xff\xfe", "key-malformed"),
    (b"x" * 20_000, "key-malformed"),
    (PUBLIC_PEM + b"#" * 20_000, "key-malformed"),
    (b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA", "key-malformed"),
    (b"alice: " + PUBLIC_PEM, "key-malformed"),
    (PUBLIC_PEM + b"alice", "key-malformed"),
    (PUBLIC_PEM * 2, "key-malformed"),
    (PUBLIC_PEM[:-10], "key-malformed"),
    (PUBLIC_PEM.replace(b"PUBLIC KEY", b"CERTIFICATE"), "key-malformed"),
    (PUBLIC_PEM.replace(b"END PUBLIC", b"END OTHER"), "key-malformed"),
    (PUBLIC_PEM.replace(b"BEGIN PUBLIC KEY-----\n", b"BEGIN PUBLIC KEY-----"), "key-malformed"),
    (PUBLIC_PEM.replace(b"MCow", b"*Cow"), "key-malformed"),
    (PUBLIC_PEM.replace(b"ZuE=", b"ZuF="), "key-malformed"),
    (PUBLIC_PEM.replace(b"ZuE=", b"ZuE"), "key-malformed"),
    (PUBLIC_PEM.replace(b"MCow", b"MC ow"), "key-malformed"),
    (b"-----BEGIN PUBLIC KEY-----\n\n-----END PUBLIC KEY-----\n", "key-malformed"),
    (b"-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", "key-malformed"),
    (PRIVATE_PEM, "private-key-given"),
    (ENCRYPTED_PEM, "private-key-given"),
    *[(public_pem(key), "key-type") for key in FOREIGN],
    (framed(ALICE.public.der + b"\0"), "key-type"),
    (framed(ALICE.public.der[:-1]), "key-type"),
    (framed(b"\x30\x00"), "key-type"),
]


# By number: some of the keys are made anew each time, and every worker must give a test the same name.
@pytest.mark.parametrize("number", range(len(NO_PUBLIC_KEYS)))
def test_what_is_no_public_key(number: int) -> None:
    data, expected = NO_PUBLIC_KEYS[number]
    with pytest.raises(OpvalueError) as caught:
        parse_public_key(data)
    assert caught.value.code == f"attestation.{expected}"


def small_order_points() -> list[int]:
    """Return the second coordinates of the points of order 1, 2, 4 and 8, from the curve's equation."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    minus_one = pow(2, (FIELD - 1) // 4, FIELD)  # a root of -1

    def roots(square: int) -> list[int]:
        root = pow(square, (FIELD + 3) // 8, FIELD)
        return [one for one in (root, root * minus_one % FIELD) if one * one % FIELD == square]

    # Twice a point of order 8 has y = 0, so x^2 = -y^2; on -x^2 + y^2 = 1 + d x^2 y^2 that is d y^4 + 2 y^2 - 1 = 0.
    found = [0, 1, FIELD - 1]
    for root in roots((1 + d) % FIELD):
        for sign in (root, -root):
            square = (-1 + sign) * pow(d, -1, FIELD) % FIELD
            found += [y for one in roots(square) for y in (one, FIELD - one)]
    return found


def test_the_points_of_small_order() -> None:
    assert set(small_order_points()) == _SMALL_ORDER


@pytest.mark.parametrize("sign", [0, 1 << 255])
@pytest.mark.parametrize("second", [*sorted(_SMALL_ORDER), FIELD, FIELD + 1, FIELD + 18, 2**255 - 1])
def test_a_weak_key(second: int, sign: int) -> None:
    with pytest.raises(OpvalueError) as caught:
        parse_public_key(spki((second | sign).to_bytes(32, "little")))
    assert caught.value.code == "attestation.key-weak"
    assert caught.value.kind is Kind.REFUSED


NO_PRIVATE_KEYS: list[tuple[bytes, bytes | None, str]] = [
    (b"", None, "key-malformed"),
    (b"x" * 20_000, None, "key-malformed"),
    (PUBLIC_PEM, None, "public-key-given"),
    (PRIVATE_PEM * 2, None, "key-malformed"),
    (PRIVATE_PEM.replace(b"MC4C", b"MC5C"), None, "key-malformed"),
    (PRIVATE_PEM.replace(b"MC4C", b"*C4C"), None, "key-malformed"),
    (PRIVATE_PEM.replace(b"dVhC", b""), None, "key-malformed"),
    (PRIVATE_PEM.replace(b"END PRIVATE", b"END OTHER"), None, "key-malformed"),
    (OPENSSH, None, "key-malformed"),
    (TRADITIONAL, None, "key-malformed"),
    *[(pem(key), None, "key-type") for key in FOREIGN],
    (PRIVATE_PEM.replace(b"BQYDK2Vw", b"BQYDK2Z3"), None, "key-type"),
    (PRIVATE_PEM, SECRET, "passphrase-unneeded"),
    (ENCRYPTED_PEM, None, "passphrase-missing"),
    (ENCRYPTED_PEM, b"", "passphrase-missing"),
    (ENCRYPTED_PEM, b"x" * 1024, "passphrase-too-long"),
    (ENCRYPTED_PEM, b"wrong horse", "passphrase-wrong"),
    (ENCRYPTED_PEM.replace(b"MI", b"ME", 1), SECRET, "passphrase-wrong"),
]


@pytest.mark.parametrize("number", range(len(NO_PRIVATE_KEYS)))
def test_what_is_no_private_key(number: int) -> None:
    data, passphrase, expected = NO_PRIVATE_KEYS[number]
    with pytest.raises(OpvalueError) as caught:
        parse_private_key(data, passphrase)
    assert caught.value.code == f"attestation.{expected}"
    assert b"horse" not in caught.value.diagnostics().encode()
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(("passphrase", "expected"), [(b"", "missing"), (b"x" * 1024, "too-long")])
def test_a_passphrase_that_is_none(passphrase: bytes, expected: str) -> None:
    with pytest.raises(OpvalueError) as caught:
        ALICE.encode(passphrase)
    assert caught.value.code == f"attestation.passphrase-{expected}"


def test_a_private_key_shows_its_id_alone() -> None:
    assert repr(ALICE) == str(ALICE) == f"PrivateKey({ALICE.public.id})"
    with pytest.raises(TypeError):
        pickle.dumps(ALICE)


def test_equal_keys() -> None:
    assert parse_public_key(ALICE.public.encode()) == ALICE.public == PublicKey(ALICE.public.raw)
    assert ALICE.public != BOB.public


def test_a_key_file_may_be_as_large_as_its_bound() -> None:
    most = Limits().key_bytes
    for pem, read in ((ALICE.public.encode(), parse_public_key), (ALICE.encode(), parse_private_key)):
        assert read(pem.ljust(most, b"\n"))
        with pytest.raises(KeyMalformed, match="too large"):
            read(pem.ljust(most + 1, b"\n"))
