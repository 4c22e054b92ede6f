"""No secret stays in an answer; all else stays byte for byte."""

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from opvalue.evidence.errors import SecretInRequest, SecretNotRemovable
from opvalue.evidence.exchange import Answer, Request, kept_headers, normalise
from opvalue.evidence.redaction import PLACEHOLDER, check_request, redact, redact_answer, redact_cut, redact_text
from opvalue.identity import GITHUB

JSON = "application/json; charset=utf-8"
SECRET = b"canary/CANARY+\"canary\\' \xc3\xa9 12345"
PLAIN = b"canaryCANARYcanary1234567890"

TOKENS = [
    *(f"gh{kind}_" + "aB3" * 12 for kind in "psour"),
    "ghs_" + "aB3" * 12 + ".aB3-_" * 4,
    "ghp_canaryCANARYcanaryCANARYcanary123456",
    "github_pat_" + "11ABCDEFG0" * 2 + "_" + "a1B2" * 14,
    "v1." + "0123456789abcdef" * 2 + "01234567",
    "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJnaXRodWIuY29tIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ",
]
"""What GitHub's tokens look like: personal, server, OAuth, user, refresh, fine-grained, old installation, JSON web."""

LINKS = {
    "raw": "https://raw.githubusercontent.com/acme/widgets/main/x.md?token=CANARY7XQ2A",
    "codeload": "https://codeload.github.com/acme/widgets/legacy.tar.gz/refs/heads/main?token=CANARY7XQ2A",
    "s3": (
        "https://github-cloud.s3.amazonaws.com/x?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=CANARYID%2F20260830"
        "&X-Amz-Date=20260830T120000Z&X-Amz-Expires=300&X-Amz-Security-Token=CANARYtoken&X-Amz-Signature=CANARY0a1b"
    ),
    "s3 of old": "https://x.s3.amazonaws.com/y?AWSAccessKeyId=CANARYID&Signature=CANARY%2Bsig%3D&Expires=1789000000",
    "azure": (
        "https://productionresultssa1.blob.core.windows.net/actions-results/x/artifact.zip?rscd=attachment&se=2026-08-30T12"
        "%3A10%3A00Z&sig=CANARY%2Fsig%3D&ske=CANARYske&skoid=CANARYoid&sks=b&skt=CANARYskt&sktid=CANARYtid&skv=2025-11-05"
        "&sp=r&spr=https&sr=b&st=CANARYst&sv=2025-11-05"
    ),
    "google": "https://storage.googleapis.com/x?X-Goog-Credential=CANARYc&X-Goog-Signature=CANARYs",
    "cloudfront": "https://d1.cloudfront.net/x?Expires=1789000000&Signature=CANARYs~&Key-Pair-Id=CANARYK&Policy=CANARYp",
    "image": "https://private-user-images.githubusercontent.com/1/2.png?jwt=CANARYjwt",
    "clone": "https://x-access-token:CANARYtoken@github.com/acme/widgets.git",
    "basic": "ssh://user:CANARYpass@host.example/x",
    "long user": "https://CANARY0123456789abcdef0123456789@github.com/acme/widgets",
    "oauth": "https://app.example/callback#access_token=CANARYtoken&state=1",
    "html": 'https://x.example/y?a=1&amp;sig=CANARYsig&amp;se=CANARYse" alt="z',
}
HEADERS = [
    "Authorization: Basic Q0FOQVJZOkNBTkFSWQ==",
    "authorization: bearer CANARYcanaryCANARY",
    "AUTHORIZATION:  token CANARYcanaryCANARY",
    '"Authorization": "Bearer CANARYcanaryCANARY"',
]


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("around", ["{}", "see {}.", "x={}\n", "\n{}", "[{}]({})", "-{}-", '"{}"'])
def test_a_token_is_taken_out_by_its_shape(token: str, around: str) -> None:
    text = around.replace("{}", token)
    for body, media in ((text.encode(), "text/plain"), (json.dumps({"body": text}).encode(), JSON)):
        cleaned = redact(body, media)
        assert token.encode() not in cleaned
        assert token.rpartition(".")[2].encode() not in cleaned
        assert redact(cleaned, media) == cleaned


@pytest.mark.parametrize("link", LINKS.values(), ids=list(LINKS))
@pytest.mark.parametrize("escape", [lambda text: text, lambda text: text.replace("/", r"\/"), None])
def test_a_signed_link_loses_its_signature(link: str, escape: Callable[[str], str] | None) -> None:
    dumped = json.dumps({"url": link, "n": 1})
    escaped = escape(dumped) if escape else dumped.replace("&", r"\u0026").replace("=", r"\u003D")
    body = escaped.encode()
    cleaned = redact(body, JSON)
    assert b"CANARY" not in cleaned
    assert json.loads(cleaned)["n"] == 1
    assert redact(cleaned, JSON) == cleaned
    assert "CANARY" not in redact_text(link)


def test_a_link_keeps_what_is_no_secret() -> None:
    link = "https://x.example/y?rscd=attachment&se=1&sig=abc&sp=r#frag"
    assert redact_text(link) == "https://x.example/y?rscd=attachment&se=REDACTED&sig=REDACTED&sp=REDACTED#frag"
    assert redact_text("(https://x.example/y?token=abc)") == "(https://x.example/y?token=REDACTED)"


@pytest.mark.parametrize("line", HEADERS)
def test_a_pasted_authorization_is_taken_out(line: str) -> None:
    for body, media in ((line.encode(), "text/plain"), (json.dumps({"body": line}).encode(), JSON)):
        cleaned = redact(body, media)
        assert b"CANARY" not in cleaned
        assert b"Q0FOQVJZ" not in cleaned


@pytest.mark.parametrize(
    "body",
    [
        '{"temp_clone_token":"CANARY"}',
        '{"temp_clone_token" : \n "CANARY\\"CANARY\\\\"}',
        '{"a":1,"tempCloneToken":"CANARY"}',
    ],
)
def test_a_temporary_clone_token_is_taken_out(body: str) -> None:
    cleaned = redact(body.encode(), JSON)
    assert b"CANARY" not in cleaned
    assert PLACEHOLDER in json.loads(cleaned).values()


@pytest.mark.parametrize(
    "text",
    [
        '{"temp_clone_token":null}',
        '{"temp_clone_token":""}',
        "2026-08-30T12:00:00Z",
        "https://api.github.com/repos/acme/widgets/issues?page=2&per_page=100",
        "https://x.example/?st=open&sp=1&se=x&expires=never&policy=none",
        "https://org@dev.azure.com/org/x",
        "ssh://git@github.com/acme/widgets",
        "git@github.com:acme/widgets.git",
        "https://medium.com/@user/x?a=b",
        "mail someone@example.com about https://x.example",
        "ghp_short and github_pat_short and eyJ.eyJ.x and v1.2.3",
        "v1." + "a" * 41,
        "authorization: token is missing",
        "what? x=1 # y=2 token = abc",
        "sig=abc without a question mark",
        "REDACTED ?token=REDACTED https://REDACTED@x",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    for body in (text.encode(), json.dumps({"body": text}).encode(), json.dumps({"body": text}, indent=1).encode()):
        assert redact(body, JSON, [PLAIN]) == body


def test_numbers_and_spacing_of_json_stay() -> None:
    body = b'{ "id" : 12345678901234567890, "x":1.0e2,\r\n"y": "\\u00e9\\/", "t":"ghp_' + b"a" * 36 + b'" }'
    assert redact(body, JSON) == body.replace(b"ghp_" + b"a" * 36, b"REDACTED")


@pytest.mark.parametrize("secret", [SECRET, PLAIN, b'quo"ted\\secret'])
def test_an_exact_secret_is_taken_out_however_it_is_spelled(secret: bytes) -> None:
    text = secret.decode()
    spellings = [
        json.dumps(text).encode(),
        json.dumps(text, ensure_ascii=False).encode(),
        json.dumps(text).replace("/", "\\/").encode(),
        json.dumps(text).replace("\\u00e9", "\\u00E9").encode(),
        ('"' + "".join(f"\\u{ord(one):04x}" for one in text) + '"').encode(),
        ('"' + "".join(f"\\u{ord(one):04X}" for one in text) + '"').encode(),
        b'"?x='
        + b"".join(b"%%%02X" % byte if not chr(byte).isalnum() or byte > 127 else bytes([byte]) for byte in secret)
        + b'"',
    ]
    for spelling in spellings:
        cleaned = json.loads(redact(b'{"a":' + spelling + b"}", JSON, [secret]))["a"]
        assert cleaned in {PLACEHOLDER, f"?x={PLACEHOLDER}"}
    assert redact(b"<" + secret + b">", "text/html", [b"", secret]) == b"<REDACTED>"


def test_a_secret_that_is_part_of_another_does_not_shield_it() -> None:
    assert redact(b"abcdefgh-suffix", "text/plain", [b"abcdefgh", b"abcdefgh-suffix"]) == b"REDACTED"


def test_keys_of_json_are_cleaned_as_well() -> None:
    assert json.loads(redact(json.dumps({PLAIN.decode(): 1}).encode(), JSON, [PLAIN])) == {PLACEHOLDER: 1}


def test_binary_data_that_holds_a_secret_is_refused() -> None:
    body = b"\x1f\x8b\xff" + PLAIN
    assert redact(body, "application/gzip", [b"another-secret"]) == body
    with pytest.raises(SecretNotRemovable) as refused:
        redact(body, "application/gzip", [PLAIN, b"\xff\xfe no text"])
    assert refused.value.code == "evidence.secret-not-removable"
    assert PLAIN.decode() not in refused.value.diagnostics()


def test_json_that_holds_a_secret_outside_a_string_is_refused() -> None:
    with pytest.raises(SecretNotRemovable):
        redact(b'{"id":1234567890123}', JSON, [b"1234567890123"])


def test_what_only_says_that_it_is_json_is_cleaned_as_text() -> None:
    assert redact(b"not json 1234567890123", JSON, [b"1234567890123"]) == b"not json REDACTED"
    assert redact(b'{"a":"\\u0067hp_' + b"a" * 36, JSON) == b'{"a":"REDACTED'


def test_secrets_that_the_placeholder_is_made_of_end_in_a_refusal() -> None:
    with pytest.raises(SecretNotRemovable):
        redact(b"DACT", "text/plain", [b"DACT"])


def test_an_answer_is_cleaned_whole() -> None:
    headers = kept_headers(
        [("Content-Type", JSON), ("Set-Cookie", "s=CANARY"), ("Link", f'<{LINKS["raw"]}>; rel="next"')],
        host=GITHUB,
        root=GITHUB.api_url,
    )
    cleaned = redact_answer(Answer(200, headers, b'{"a":"' + PLAIN + b'"}'), [PLAIN])
    assert cleaned.body == b'{"a":"REDACTED"}'
    assert "CANARY" not in repr(cleaned)
    assert cleaned.status == 200


def asked(target: str = "/user", *, method: str = "GET", accept: str = "", body: bytes = b"") -> Request:
    return normalise(method, target, host=GITHUB, accept=accept, api_version="", body=body)


@pytest.mark.parametrize(
    "request_",
    [
        asked(f"/user?access_token={TOKENS[0]}"),
        asked("/user?access_token=anything"),
        asked(f"/repos/acme/widgets/contents/{TOKENS[0]}"),
        asked("/search/issues?q=" + "".join(f"%{byte:02x}" for byte in TOKENS[0].encode())),
        asked("/search/issues?q=" + PLAIN.decode()),
        asked(accept=TOKENS[0]),
        asked("/graphql", method="POST", body=json.dumps({"query": TOKENS[0]}).encode()),
        asked("/graphql", method="POST", body=json.dumps({"query": "x", "variables": {"a": PLAIN.decode()}}).encode()),
    ],
)
def test_a_request_that_holds_a_secret_is_refused(request_: Request) -> None:
    with pytest.raises(SecretInRequest) as refused:
        check_request(request_, [PLAIN])
    assert refused.value.code == "evidence.secret-in-request"
    shown = refused.value.diagnostics()
    assert TOKENS[0] not in shown
    assert PLAIN.decode() not in shown


@pytest.mark.parametrize("before", range(60, 140))
def test_a_secret_that_a_short_text_would_cut_is_not_shown_in_part(before: int) -> None:
    for secret in (TOKENS[0], PLAIN.decode()):
        for target in (f"/repos/acme/widgets/contents/{'x' * before}/{secret}", f"/x?q={'x' * before}{secret}"):
            with pytest.raises(SecretInRequest) as refused:
                check_request(asked(target), [PLAIN])
            assert secret[:3] not in str(refused.value.found)


def test_a_secret_with_blanks_is_found_and_not_shown() -> None:
    with pytest.raises(SecretInRequest) as refused:
        check_request(asked("/search/issues?q=is:open+a+canary%2fof+words"), [b"canary/of words"])
    assert refused.value.found == "GET"


def test_terms_of_a_link_without_a_signature_stay() -> None:
    link = b"https://x.example/?st=2026&se=3&expires=9&page=4"
    assert redact(link, "text/plain") == link
    assert redact(link + b"&token=abc", "text/plain") == link + b"&token=REDACTED"
    assert redact(link + b"&sig=abc", "text/plain").count(b"REDACTED") == 4


def test_the_beginning_of_a_token_at_the_end_of_a_text_is_taken_out() -> None:
    assert redact_cut("GET /x?q=ghp_aB3aB3...") == "GET /x?q=REDACTED..."
    assert redact_cut(f"GET /ghp_aB3/{TOKENS[0]}/x: '/github_pat_11AB'") == "GET /ghp_aB3/REDACTED/x: '/REDACTED'"
    assert redact_cut("GET /ghp_aB3/x") == "GET /ghp_aB3/x"


def test_an_ordinary_request_is_not() -> None:
    check_request(asked("/search/issues?q=repo:acme/widgets+token+sig"), [PLAIN])
    check_request(asked("/graphql", method="POST", body=b'{"query":"{viewer{login}}"}'), [PLAIN])


_LEAF = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=30),
    st.sampled_from([*TOKENS, *LINKS.values(), *HEADERS, PLAIN.decode(), SECRET.decode(), "temp_clone_token"]),
    st.tuples(st.text(max_size=5), st.sampled_from([*TOKENS, *LINKS.values(), PLAIN.decode()])).map("".join),
)
_KEY = st.one_of(st.text(max_size=5), st.sampled_from(["temp_clone_token", "tempCloneToken", "url", TOKENS[0]]))
_VALUE = st.recursive(_LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEY, inner, max_size=4))


@given(_VALUE, st.booleans(), st.sampled_from([None, 1, 2]), st.sampled_from([(), (PLAIN,), (PLAIN, SECRET)]))
def test_json_stays_json_without_any_canary(
    value: object, ascii_only: bool, indent: int | None, secrets: tuple[bytes, ...]
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    body = text.encode("utf-8", "surrogatepass")
    cleaned = redact(body, JSON, secrets)
    assert redact(cleaned, JSON, secrets) == cleaned
    assert _shape(json.loads(cleaned.decode("utf-8", "surrogatepass"))) == _shape(json.loads(text))
    found = cleaned.decode("utf-8", "surrogatepass")
    assert not any(token in found for token in TOKENS)
    assert not any(secret in cleaned for secret in secrets)


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return [_shape(one) for one in value.values()] if len(value) < 2 else len(value) > 0
    if isinstance(value, list):
        return [_shape(one) for one in value]
    return "text" if isinstance(value, str) else value


_PIECE = st.sampled_from(
    [
        b"ghp_",
        b"a" * 18,
        b"b" * 18,
        b"eyJ",
        b".",
        b"?",
        b"&",
        b"token=",
        b"sig=",
        b"://",
        b"u:p@",
        b'"',
        b"\\",
        b"\\u0067",
    ]
)


@given(
    st.lists(st.one_of(_PIECE, st.binary(max_size=4), st.just(PLAIN), st.just(PLAIN[:9])), max_size=14).map(b"".join)
)
def test_any_body_settles(body: bytes) -> None:
    for media in (JSON, "text/plain", "application/octet-stream"):
        try:
            cleaned = redact(body, media, [PLAIN])
        except SecretNotRemovable:
            continue
        assert redact(cleaned, media, [PLAIN]) == cleaned
        assert PLAIN not in cleaned


@given(st.text(max_size=60))
def test_a_text_without_secrets_stays(text: str) -> None:
    assume(not any(sign in text for sign in ("=", "@", "gh", "eyJ", "v1.")))
    assert redact_text(text, [PLAIN]) == text


@pytest.mark.parametrize(
    "piece",
    [
        b"eyJ",
        b"ghp_",
        b"?a=",
        b'"\\u',
        b'\\"',
        b'"temp_clone_token":"',
        b"uthorization: basic ",
        b"?sig=a&",
        b"://a",
        b"#=",
    ],
)
def test_a_hostile_body_takes_no_more_than_its_length(piece: bytes) -> None:
    begun = time.perf_counter()
    redact(piece * (200_000 // len(piece)), JSON, [PLAIN])
    assert time.perf_counter() - begun < 5
