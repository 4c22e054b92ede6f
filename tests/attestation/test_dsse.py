"""The envelope: its encoding, and what is no envelope."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.attestation.dsse import Envelope, Signature, is_envelope, pae, read_envelope
from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from tests.attestation.samples import ALICE, bent, sealed, text

LIMITS = Limits()
ENVELOPE = text(sealed(b"payload"))


def code(data: bytes, limits: Limits = LIMITS) -> str:
    with pytest.raises(OpvalueError) as caught:
        read_envelope(data, limits)
    return caught.value.code


@pytest.mark.parametrize(
    ("payload_type", "payload", "expected"),
    [
        # The test vector of DSSE's protocol.md.
        ("http://example.com/HelloWorld", b"hello world", b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"),
        ("", b"", b"DSSEv1 0  0 "),
        ("é", "ü\n".encode(), "DSSEv1 2 é 3 ü\n".encode()),
        ("application/vnd.in-toto+json", b"{}", b"DSSEv1 28 application/vnd.in-toto+json 2 {}"),
    ],
)
def test_pre_authentication_encoding(payload_type: str, payload: bytes, expected: bytes) -> None:
    assert pae(payload_type, payload) == expected


@given(st.tuples(st.text("ab 1", max_size=4), st.binary(max_size=4)), st.tuples(st.text("ab 1"), st.binary()))
def test_two_messages_never_encode_alike(one: tuple[str, bytes], other: tuple[str, bytes]) -> None:
    assert (pae(*one) == pae(*other)) is (one == other)


@given(
    st.binary(), st.dictionaries(st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64), min_size=1)
)
def test_what_is_written_is_read(payload: bytes, signatures: dict[bytes, bytes]) -> None:
    envelope = Envelope(payload, tuple(Signature(key.hex(), value) for key, value in sorted(signatures.items())))
    assert read_envelope(envelope.encode(), LIMITS) == envelope
    assert Envelope(payload, envelope.signatures[::-1]).encode() == envelope.encode()


def test_the_text_of_an_envelope() -> None:
    key, value = "0" * 64, bytes(64)
    assert Envelope(b"{}\n", (Signature(key, value),)).encode() == (
        b'{\n  "payload": "e30K",\n  "payloadType": "application/vnd.in-toto+json",\n  "signatures": [\n    {\n'
        b'      "keyid": "%b",\n      "sig": "%b"\n    }\n  ]\n}\n'
    ) % (b"0" * 64, base64.b64encode(value))


def signature(**changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        row = document["signatures"][0]
        row.update(changes)
        for name in [name for name, value in row.items() if value is ...]:
            del row[name]

    return change


BENT: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("envelope-malformed", lambda d: d.update(extra=1)),
    ("envelope-malformed", lambda d: d.pop("payload")),
    ("envelope-malformed", lambda d: d.pop("payloadType")),
    ("envelope-malformed", lambda d: d.pop("signatures")),
    ("envelope-malformed", lambda d: d.update(payload=1)),
    ("envelope-malformed", lambda d: d.update(payload=None)),
    ("envelope-malformed", lambda d: d.update(signatures={})),
    ("envelope-malformed", lambda d: d.update(signatures=["x"])),
    ("envelope-malformed", signature(cert="x")),
    ("envelope-malformed", signature(keyid=...)),
    ("envelope-malformed", signature(sig=...)),
    ("envelope-malformed", signature(keyid="")),
    ("envelope-malformed", signature(keyid=None)),
    ("envelope-malformed", signature(keyid="A" * 64)),
    ("envelope-malformed", signature(sig=[])),
    ("envelope-malformed", signature(sig="")),
    ("envelope-malformed", signature(sig=base64.b64encode(bytes(63)).decode())),
    ("envelope-malformed", signature(sig=base64.b64encode(bytes(72)).decode())),
    ("payload-type", lambda d: d.update(payloadType="application/json")),
    ("payload-type", lambda d: d.update(payloadType="application/vnd.in-toto+JSON")),
    ("payload-type", lambda d: d.update(payloadType=None)),
    ("base64", lambda d: d.update(payload=d["payload"].rstrip("="))),
    ("base64", lambda d: d.update(payload=d["payload"] + "\n")),
    ("base64", lambda d: d.update(payload=d["payload"] + "=")),
    ("base64", lambda d: d.update(payload="*" + d["payload"][1:])),
    ("base64", lambda d: d.update(payload="\u00e9" + d["payload"][1:])),
    # The same bytes: the last character's lowest bits are padding.
    ("base64", lambda d: d.update(payload=base64.b64encode(b"payloads").decode()[:-2] + "x=")),
    ("base64", signature(sig="-_" + base64.b64encode(bytes(64)).decode()[2:])),
    ("base64", signature(sig=base64.b64encode(bytes(64)).decode()[:-3] + "B==")),
    ("no-signature", lambda d: d.update(signatures=[])),
    ("signed-twice", lambda d: d["signatures"].append(d["signatures"][0])),
    (
        "signed-twice",
        lambda d: d["signatures"].append({**d["signatures"][0], "sig": base64.b64encode(bytes(64)).decode()}),
    ),
    ("too-many-signatures", lambda d: d.update(signatures=d["signatures"] * 65)),
]


@pytest.mark.parametrize(("expected", "change"), BENT)
def test_what_is_no_envelope(expected: str, change: Callable[[dict[str, Any]], object]) -> None:
    assert code(bent(ENVELOPE, change)) == f"attestation.{expected}"


@pytest.mark.parametrize(
    "data",
    [
        ENVELOPE[:-1],
        ENVELOPE + b"\n",
        b" " + ENVELOPE,
        ENVELOPE.replace(b"\n", b"\r\n"),
        json.dumps(json.loads(ENVELOPE)).encode(),
        text(dict(sorted(json.loads(ENVELOPE).items(), reverse=True))),
        ENVELOPE.replace(b"application/vnd", b"application\\/vnd"),
        ENVELOPE.replace(b'"payload"', b'"p\\u0061yload"'),
        text({**sealed(b"payload"), "signatures": [dict(reversed(sealed(b"payload")["signatures"][0].items()))]}),
    ],
)
def test_another_spelling(data: bytes) -> None:
    assert code(data) == "attestation.not-canonical"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "json.refused"),
        (b"[]", "json.refused"),
        (b"\xef\xbb\xbf" + ENVELOPE, "json.refused"),
        (ENVELOPE + b"{}", "json.more-than-one-value"),
        (ENVELOPE.replace(b'"payloadType"', b'"payload": "", "payloadType"'), "json.refused"),
        (b"[" * 100_000, "json.refused"),
    ],
)
def test_what_is_not_even_json(data: bytes, expected: str) -> None:
    assert code(data) == expected


def test_signatures_out_of_order() -> None:
    rows = [{"keyid": digit * 64, "sig": base64.b64encode(bytes(64)).decode()} for digit in "21"]
    assert code(text({**sealed(b""), "signatures": rows})) == "attestation.not-canonical"
    assert len(read_envelope(text({**sealed(b""), "signatures": rows[::-1]}), LIMITS).signatures) == 2


def test_bounds() -> None:
    assert code(ENVELOPE, LIMITS._replace(attestation_bytes=len(ENVELOPE) - 1)) == "attestation.too-large"
    read_envelope(ENVELOPE, LIMITS._replace(attestation_bytes=len(ENVELOPE), attestation_signatures=1))
    assert code(ENVELOPE, LIMITS._replace(attestation_signatures=0)) == "attestation.too-many-signatures"


def test_what_is_signed() -> None:
    envelope = read_envelope(ENVELOPE, LIMITS)
    assert envelope.signed == b"DSSEv1 28 application/vnd.in-toto+json 7 payload"
    assert ALICE.public.verifies(envelope.signatures[0].value, envelope.signed)


@pytest.mark.parametrize(
    ("data", "expected"),
    [(ENVELOPE, True), (b'{"payloadType": 1}', True), (b"{}", False), (b"[1]", False), (b"\xff", False)],
)
def test_what_means_to_be_an_envelope(data: bytes, expected: bool) -> None:
    assert is_envelope(data) is expected
