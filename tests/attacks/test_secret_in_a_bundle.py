"""An answer carries secrets of every kind into a bundle: none arrives, and without redaction nothing is written."""

import json
import re
from base64 import b64decode, encodebytes
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from opvalue.evidence.bundle import Bundle, save
from opvalue.evidence.bundle.errors import HoldsASecret
from opvalue.evidence.exchange import Answer, Exchange, kept_headers
from opvalue.evidence.redaction import redact_answer
from opvalue.identity import GITHUB
from tests.evidence.bundle.made import exchange, header
from tests.evidence.test_redaction import HEADERS, LINKS, TOKENS
from tests.support.canary import CANARY

REPOSITORY = {"full_name": "acme/widgets", "temp_clone_token": "CANARYclone", "body": "\n".join(HEADERS)}
BODIES = {
    "JSON": json.dumps({**REPOSITORY, "tokens": TOKENS, "links": LINKS, "own": CANARY}),
    "JSON on many lines": json.dumps({**REPOSITORY, "tokens": TOKENS, "links": LINKS, "own": CANARY}, indent=2),
    "JSON with slashes escaped": json.dumps({**REPOSITORY, "links": LINKS}).replace("/", "\\/").replace("&", "\\u0026"),
    "text": "\n".join([*HEADERS, *TOKENS, *LINKS.values(), CANARY]),
}
TOKEN = "ghp_" + "CaNaRy" * 6
VEILED = {
    "a file in base64": json.dumps({"content": encodebytes(f"user: me\ntoken: {TOKEN}\n".encode() * 3).decode()}),
    "a file in base64 as text": encodebytes(b"\xff" * 50 + TOKEN.encode()).decode(),
    "an address": json.dumps({"url": "https://x.example/?next=%2F%3Fkey%3D" + TOKEN.replace("_", "%5f")}),
    "an address within an address": f"https://x.example/?next={TOKEN.replace('_', '%255F').replace('C', '%2543')}",
    "a page": f"<p>{''.join(f'&#{ord(one)};' for one in TOKEN)}</p>",
    "JSON within JSON": json.dumps({"log": json.dumps({"t": TOKEN}).replace("g", "\\u0067")}),
    "extensions of a query": json.dumps(
        {"data": {}, "extensions": {"debug": [{"h": f"Authorization: token {TOKEN}"}]}}
    ),
    "a message of an error": json.dumps({"message": f"Bad credentials: {TOKEN}", "status": "404"}),
}
SENT = [
    ("Set-Cookie", "session=CANARYcookie; HttpOnly"),
    ("Authorization", "token CANARYcanaryCANARY"),
    ("Location", LINKS["codeload"]),
    ("X-GitHub-Request-Id", "CANARYid"),
    ("Link", f'<{LINKS["raw"]}>; rel="next", <{LINKS["s3"]}>; rel="last"'),
]


def received(kind: str) -> Exchange:
    media = "application/json" if kind.startswith("JSON") else "text/plain"
    headers = kept_headers([("Content-Type", media), *SENT], host=GITHUB, root=GITHUB.api_url)
    return exchange("/repos/acme/widgets")._replace(answer=Answer(200, headers, BODIES[kind].encode()))


@pytest.mark.parametrize("kind", BODIES)
def test_no_secret_arrives(kind: str, tmp_path: Path) -> None:
    live = received(kind)
    cleaned = live._replace(answer=redact_answer(live.answer, [CANARY.encode()]))
    save(tmp_path / "bundle", Bundle.of(header(), [cleaned]))
    data = (tmp_path / "bundle").read_bytes()
    for secret in ("CANARY", "canary", "Q0FOQVJZ", *(token.rpartition(".")[2] for token in TOKENS)):
        assert secret.encode() not in data
    if kind.startswith("JSON"):
        assert json.loads(cleaned.answer.body)["full_name"] == "acme/widgets"


@pytest.mark.parametrize("kind", VEILED)
@pytest.mark.parametrize("media", ["application/json", "text/plain"])
def test_no_veiled_one_arrives(kind: str, media: str, tmp_path: Path) -> None:
    body = VEILED[kind].encode()
    live = exchange("/repos/acme/widgets/contents/x", body=body, kind=media)
    with pytest.raises(HoldsASecret):
        save(tmp_path / "bundle", Bundle.of(header(), [live]))
    cleaned = redact_answer(live.answer)
    save(tmp_path / "bundle", Bundle.of(header(), [live._replace(answer=cleaned)]))
    found = unquote(unquote(unescape(cleaned.body.decode().replace("\\n", "").replace("\n", ""))))
    runs = [one + "=" * (-len(one) % 4) for one in re.findall("[A-Za-z0-9+/]{8,}", found)]
    assert "CaNaRy" not in found
    assert not any(b"CaNaRy" in b64decode(run) for run in runs if len(run.rstrip("=")) % 4 != 1)
    assert json.loads(cleaned.body) if VEILED[kind].startswith("{") else cleaned.body


@pytest.mark.parametrize("kind", BODIES)
def test_what_was_not_redacted_is_not_written(kind: str, tmp_path: Path) -> None:
    with pytest.raises(HoldsASecret):
        save(tmp_path / "bundle", Bundle.of(header(), [received(kind)]))
    assert not list(tmp_path.iterdir())
