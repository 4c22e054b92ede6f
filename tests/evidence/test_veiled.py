"""A secret that is spelled otherwise is taken out as well, and what stands beside it stays."""

import json
import time
from base64 import b64decode, b64encode, encodebytes, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.evidence.errors import SecretInRequest, SecretNotRemovable
from opvalue.evidence.redaction import check_request, redact, redact_text
from tests.evidence.test_redaction import JSON, TOKENS, asked

OWN = "S3cr3t-other/token+value==x"
ESCAPED: dict[str, Callable[[str], str]] = {
    "address": lambda text: "".join(f"%{ord(one):02X}" for one in text),
    "address in small letters": lambda text: "".join(f"%{ord(one):02x}" for one in text),
    "one character of an address": lambda text: f"%{ord(text[0]):02x}{text[1:]}",
    "the last character of an address": lambda text: f"{text[:-1]}%{ord(text[-1]):02x}",
    "address within an address": lambda text: "".join(f"%2525{ord(one):02X}" for one in text),
    "program": lambda text: "".join(f"\\u{ord(one):04x}" for one in text),
    "program within a program": lambda text: "".join(f"\\\\\\\\u{ord(one):04X}" for one in text),
    "page": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "page in hexadecimal": lambda text: "".join(f"&#x00{ord(one):x};" for one in text),
    "one character of a page": lambda text: f"{text[:3]}&#{ord(text[3])};{text[4:]}",
}
WHOLE_TOKENS = [token for token in TOKENS if not token.startswith("eyJ")]


@pytest.mark.parametrize("spell", ESCAPED.values(), ids=list(ESCAPED))
@pytest.mark.parametrize("secret", [OWN, *WHOLE_TOKENS])
def test_escapes(spell: Callable[[str], str], secret: str) -> None:
    text = f"é%20&amp;a {spell(secret)} b%41"
    for media in ("text/plain", "text/html"):
        assert redact(text.encode(), media, [OWN.encode()]).decode() == "é%20&amp;a REDACTED b%41"
    cleaned = json.loads(redact(json.dumps({"body": text}).encode(), JSON, [OWN.encode()]))
    assert cleaned == {"body": "é%20&amp;a REDACTED b%41"}
    assert redact_text(text, [OWN.encode()]) == "é%20&amp;a REDACTED b%41"


@pytest.mark.parametrize("text", ["%41%zz%", "\\u00", "&#300;&#65", "a%2Fb%20c%E2%82%AC", "&#39;&#x27;", "%25%25"])
def test_escapes_of_nothing_secret_stay(text: str) -> None:
    for body in (text.encode(), json.dumps({"a": text}).encode()):
        assert redact(body, JSON, [OWN.encode()]) == body


@pytest.mark.parametrize("before", ["", "x", "xy", "xyz", "username: "])
@pytest.mark.parametrize("secret", [OWN, *(token for token in TOKENS if token.startswith(("gh", "github_pat_")))])
def test_base64(before: str, secret: str) -> None:
    plain = f"{before}{secret}\nand more".encode()
    expected = f"{before}REDACTED\nand more".encode()
    for encode, decode in ((b64encode, b64decode), (urlsafe_b64encode, urlsafe_b64decode)):
        body = b'{"content":"' + encode(plain) + b'","size":7}'
        assert decode(json.loads(redact(body, JSON, [OWN.encode()]))["content"]) == expected
        assert decode(redact(encode(plain), "text/plain", [OWN.encode()])) == expected


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("length", range(100, 160, 7))
def test_base64_in_lines(ending: str, length: int) -> None:
    """As the contents of a file come: in lines of sixty characters, each ended."""
    plain = b"\xff" * length + TOKENS[0].encode() + b" end\0"
    encoded = b64encode(plain).decode()
    content = "".join(encoded[at : at + 60] + ending for at in range(0, len(encoded), 60))
    cleaned = json.loads(redact(json.dumps({"content": content}).encode(), JSON))["content"]
    assert b64decode(cleaned) == b"\xff" * length + b"REDACTED end\0"
    lines = cleaned.split(ending)
    assert lines[-1] == ""
    assert {len(line) for line in lines[:-2]} == {60}
    assert redact(cleaned.encode(), "text/plain") == cleaned.encode()


def test_base64_among_words() -> None:
    hidden = b64encode(f"token={TOKENS[0]}".encode()).decode()
    text = f"one\nseveral/words-and_more\n{hidden}\nx"
    cleaned = redact(text.encode(), "text/plain").decode().split("\n")
    assert (cleaned[0], cleaned[1], cleaned[3]) == ("one", "several/words-and_more", "x")
    assert b64decode(cleaned[2]) == b"token=REDACTED"


def test_base64_that_holds_nothing_stays() -> None:
    plain = b"https://github.com/acme/widgets ghp_short github_pat_ " * 30
    body = json.dumps({"content": encodebytes(plain).decode(), "sha": "ab" * 20}).encode()
    assert redact(body, JSON, [OWN.encode()]) == body


@pytest.mark.parametrize(
    "body",
    [
        b"\xe9 " + TOKENS[0].encode(),
        b"\x1f\x8b\xff" + TOKENS[-2].encode(),
        TOKENS[0].encode("utf-16"),
        TOKENS[0].encode("utf-16-le"),
        OWN.encode("utf-16-be"),
        OWN.encode("utf-32-le"),
    ],
)
def test_what_is_no_text_is_refused(body: bytes) -> None:
    with pytest.raises(SecretNotRemovable) as refused:
        redact(body, "application/octet-stream", [OWN.encode()])
    assert refused.value.code == "evidence.secret-not-removable"


def test_zero_bytes_alone_are_no_fault() -> None:
    for body in (b"\0" * 100, b"a\0b", "plain".encode("utf-16"), b"\xff\0ghp_"):
        assert redact(body, "application/octet-stream", [OWN.encode()]) == body
    assert redact(b"\0" + OWN.encode() + b"\0", "text/plain", [OWN.encode()]) == b"\0REDACTED\0"


def test_a_request_hides_none_either() -> None:
    for spell in (ESCAPED["address within an address"], ESCAPED["page"]):
        with pytest.raises(SecretInRequest):
            check_request(
                asked(
                    "/search/issues?q=" + spell(TOKENS[0]).replace("&", "%26").replace("#", "%23").replace(";", "%3B")
                )
            )
    with pytest.raises(SecretInRequest):
        check_request(asked(f"/search/issues?q={b64encode(TOKENS[0].encode()).decode().rstrip('=')}"))


@given(st.binary(max_size=40), st.binary(max_size=40), st.sampled_from([OWN, *TOKENS[:6], TOKENS[7]]))
def test_any_file_in_base64_loses_it_and_settles(before: bytes, after: bytes, secret: str) -> None:
    body = encodebytes(before + b" " + secret.encode() + b" " + after)
    cleaned = redact(body, "text/plain", [OWN.encode()])
    assert secret.encode() not in b64decode(cleaned)
    assert redact(cleaned, "text/plain", [OWN.encode()]) == cleaned


@pytest.mark.parametrize(
    "piece", [b"%41", b"%25", b"\\u0041", b"&#65;", b"&#", b"\\", b"Z2hwX", b"aGgh\n", b"a", b"\0"]
)
def test_a_hostile_body_takes_no_more_than_its_length(piece: bytes) -> None:
    begun = time.perf_counter()
    redact(piece * (200_000 // len(piece)) + b64encode(TOKENS[0].encode()), "text/plain", [OWN.encode()])
    assert time.perf_counter() - begun < 5


@pytest.mark.parametrize("before", [b"", b"0", b"ab", b"abc", b"abcd", b"path/"])
def test_base64_is_found_wherever_in_a_run_it_begins(before: bytes) -> None:
    for secret in (TOKENS[0].encode(), OWN.encode()):
        cleaned = redact(before + b64encode(b"user " + secret + b" end"), "text/plain", [OWN.encode()])
        assert cleaned == before + b64encode(b"user REDACTED end")


def test_base64_of_a_secret_in_an_address_is_found() -> None:
    secret = b"canary/with space+and=signs"
    assert redact(b64encode(b"q=canary%2Fwith%20space%2Band%3Dsigns;"), "text/plain", [secret]) == b64encode(
        b"q=REDACTED;"
    )


def test_a_character_of_a_page_that_is_no_byte_stays() -> None:
    assert redact(f"&#999; ghp&#95;{'aB3' * 12}".encode(), "text/plain") == b"&#999; REDACTED"


def test_secrets_that_begin_within_each_other_leave_no_rest() -> None:
    body = b"a canary%2fof%20words and more"
    for secrets in ([b"canary/of words", b"canary/of"], [b"canary/of", b"of words"]):
        assert redact(body, "text/plain", secrets) == b"a REDACTED and more"
