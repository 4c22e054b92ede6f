"""Redaction: what goes, what stays, and that twice is once."""

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from opvalue.limits import Limits
from opvalue.session.errors import TooManySecrets
from opvalue.session.redaction import Redactor, is_redacted
from opvalue.session.redaction import redact as _redact
from opvalue.session.secrets import Secrets, masks_in
from opvalue.session.vocabulary import REDACTED
from opvalue.strictjson import dumps_compact

HUNTER = Secrets(values=("hunter2",), masks=("s3cret",))
TOKEN = "ghp_" + "a" * 36
SHAPES = {
    "personal": TOKEN,
    "installation": "ghs_" + "A1" * 18,
    "installation, new form": f"ghs_{'7' * 30}.{'abc' * 5}.{'d_-' * 9}",
    "fine-grained": "github_pat_" + "B2_" * 20,
    "model provider": "sk-ant-" + "api03-" + "x" * 40,
    "project key": "sk-proj-" + "x" * 40,
    "chat": "xoxb-123456789012-abcdef",
    "maps": "AIza" + "k" * 35,
    "oauth": "ya29." + "k" * 30,
    "cloud": "AKIA" + "Q" * 16,
    "cloud, short-lived": "ASIA" + "Q" * 16,
    "gitlab": "glpat-" + "k" * 20,
    "registry": "npm_" + "k" * 36,
    "index": "pypi-AgE" + "k" * 60,
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4",
    "payments": "sk_live_" + "A1b2" * 6,
    "payments, restricted": "rk_live_" + "A1b2" * 6,
    "models": "hf_" + "k" * 34,
    "mail": "SG." + "k" * 22 + "." + "k1" * 21 + "_",
    "age": "AGE-SECRET-KEY-1" + "Q9" * 29,
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nowIB\n-----END RSA PRIVATE KEY-----",
    "private key, cut": "-----BEGIN PRIVATE KEY-----\nMIIEowIB",
}


_ALPHABET = st.sampled_from('ab.*RED\n\r "\\%0A1é\ud800')
_TEXT = st.text(_ALPHABET, max_size=12)
_NUMBER = st.integers(-9, 99) | st.sampled_from([5000, 5000.0, 15000, -5000, 5e300, 0.5, -0.0, 1e-7, 2**53 + 2.0])
_SECRET = st.text(_ALPHABET, min_size=1, max_size=5) | st.sampled_from(["5000", "5e3", "5000.0", "-0", "1e-07", "0.50"])
_JSON = st.recursive(
    _TEXT | _NUMBER | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)
_EVENTS = st.lists(
    st.fixed_dictionaries(
        {"type": _TEXT.map(lambda name: f"x.{name}"), "data": st.dictionaries(_TEXT, _JSON, max_size=3)},
        optional={
            "timestamp": _TEXT | st.integers(0, 99),
            "id": _TEXT,
            "provenance": st.fixed_dictionaries(
                {"component": _TEXT, "path": _TEXT, "index": st.integers(0, 9)},
                optional={"timestampMs": st.integers(0, 9), "native": _JSON},
            ),
        },
    ),
    max_size=3,
)
_SECRETS = st.builds(Secrets, st.lists(_SECRET, max_size=4).map(tuple), st.lists(_SECRET, max_size=4).map(tuple))


def event(data: Any, **others: Any) -> Any:
    where = {"component": "agent", "phase": "agent", "path": "agent-session.jsonl", "index": 0}
    return {"type": "tool.execution_start", **others, "data": data, "provenance": where}


def redact(events: Any, secrets: Secrets) -> Any:
    return _redact(events, secrets)


def text(value: str, secrets: Secrets = HUNTER) -> str:
    return Redactor(secrets).text(value)


@pytest.mark.parametrize("secret", SHAPES.values(), ids=SHAPES)
def test_shapes_of_secrets(secret: str) -> None:
    assert text(f"a {secret} b", Secrets()) in (f"a {REDACTED} b", f"a {REDACTED}")
    assert text(secret, Secrets()) == REDACTED


@pytest.mark.parametrize(
    ("link", "left"),
    [
        ("https://x/y?sv=1&sig=abcdEFGH%2B1234567890%3D&se=2", f"https://x/y?sv=1&sig={REDACTED}&se=2"),
        ("https://x/y?X-Amz-Signature=" + "ab" * 32, f"https://x/y?X-Amz-Signature={REDACTED}"),
        ("Authorization: Bearer abcdef1234567890abcd", f"Authorization: Bearer {REDACTED}"),
        ('{"authorization": "bearer ' + "a1." * 9 + '"}', f'{{"authorization": "bearer {REDACTED}"}}'),
        ("Authorization: basic dXNlcjpwYXNzd29yZA==", f"Authorization: basic {REDACTED}"),
        ("git clone https://me:hunter2@x.test/a", f"git clone https://{REDACTED}@x.test/a"),
        ("postgres://me:p%40ss@db:5432/x", f"postgres://{REDACTED}@db:5432/x"),
        ("Name=a;AccountKey=" + "aA" * 43 + "==;End", f"Name=a;AccountKey={REDACTED};End"),
    ],
)
def test_links_lose_their_signature_only(link: str, left: str) -> None:
    assert text(link, Secrets()) == left


@pytest.mark.parametrize(
    "plain",
    [
        *("ghp_short", "task-force-" + "x" * 40, "AKIAB", "eyJ", "sk-", "a.b.c", "github_pat_", "sk_live_x", "hf_hub"),
        *("Bearer of very-long-compound-names-without-a-digit", "basic internationalization", "Basic dXNl"),
        *("https://me@x.test", "https://x.test:443/a@b", "https://me:${TOKEN}@x.test", "https://me:***@x.test"),
    ],
)
def test_what_only_begins_alike_stays(plain: str) -> None:
    assert text(plain, Secrets()) == plain


def test_values_keys_and_ids_at_any_depth() -> None:
    given = event(
        {"toolCallId": "call-s3cret", "input": {"hunter2": [{"s3cret": "x"}, "to hunter2", 5, None, True]}},
        id="s3cret",
        parentId="hunter2",
        agentId=TOKEN,
    )
    [found] = redact([given], HUNTER)
    assert found == event(
        {"toolCallId": "call-***", "input": {REDACTED: [{"***": "x"}, f"to {REDACTED}", 5, None, True]}},
        id="***",
        parentId=REDACTED,
        agentId=REDACTED,
    )
    assert list(found) == list(given)


def test_what_has_no_secret_is_the_same_object() -> None:
    given = event({"input": {"a": [1]}})
    assert redact([given], HUNTER)[0] is given


def test_masks_are_decoded_split_and_trimmed() -> None:
    secrets = Secrets(masks=("first line%0D%0A  second%25%0A\t%0Athird",))
    assert text("a first line, b second%, c third, d   second%!", secrets) == "a ***, b ***, c ***, d ***!"
    # The command itself still shows the payload as it was encoded.
    assert text("::add-mask::first line%0D%0A  second%25%0A\t%0Athird", secrets) == "::add-mask::***"


def test_percent_is_decoded_once() -> None:
    assert text("a%0Ab", Secrets(masks=("a%250Ab",))) == "***"
    assert text("a b", Secrets(masks=("a%250Ab",))) == "a b"


def test_the_longest_goes_first() -> None:
    assert text("abcdef abc", Secrets(masks=("abc", "abcdef"))) == "*** ***"
    assert text("abcdef abc", Secrets(values=("abc", "abcdef"))) == f"{REDACTED} {REDACTED}"


def test_json_within_a_text() -> None:
    assert text(r'{"k":"a\"b\\c"}', Secrets(values=('a"b\\c',))) == f'{{"k":"{REDACTED}"}}'


@pytest.mark.parametrize("mask", ["", " ", "\t", "*", "***", "%0A", "* *"])
def test_masks_that_hide_nothing(mask: str) -> None:
    assert text("a * b *** c ", Secrets(masks=(mask,))) == "a * b *** c "


def test_a_mask_that_is_part_of_the_mark() -> None:
    secrets = Secrets(values=("hunter2",), masks=("RED", "E"))
    assert text("hunter2 RED E", secrets) == f"{REDACTED} *** ***"


def test_a_mask_that_holds_a_token() -> None:
    # The shape goes first, and the mask is still found.
    assert text(f"{TOKEN} rest, rest", Secrets(masks=(f"{TOKEN} rest",))) == "***, rest"


def test_what_never_settles_goes_whole() -> None:
    # Each round makes the next one's secret.
    masks = tuple("*" * 3 + letter for letter in "bcdefghijklmno")
    assert text("abcdefghijklmno", Secrets(masks=("a", *masks))) == REDACTED


def test_the_masks_of_a_session() -> None:
    events = [
        event({"output": "x\n::add-mask::one%0Atwo\r\n  ::ADD-MASK name=x::three"}),
        event({"::add-mask::four": ["::add-mask::one%0Atwo", 1]}),
        event({"content": "no mask: add-mask::five"}),
    ]
    assert masks_in(events) == ["four", "one%0Atwo", "three"]


def test_keys_that_become_one_are_kept_apart() -> None:
    given = event({"input": {"s3cret": 1, "***": 2, "hunter2s3cret": 3, "s3crets3cret": 4, "x": "s3cret"}})
    [found] = redact([given], Secrets(masks=("s3cret", "hunter2")))
    assert found["data"] == {"input": {"****": 1, "***": 2, "******": 3, "*****": 4, "x": "***"}}
    assert redact([found], Secrets(masks=("s3cret", "hunter2"))) == [found]


SPELLINGS = pytest.mark.parametrize(
    ("mask", "number", "goes"),
    [
        *(
            ("12345678", number, True)
            for number in (12345678, 12345678.0, 1.2345678e7, -12345678, 9123456789, 0.12345678)
        ),
        *(("1.2345678e7", number, True) for number in (12345678, 12345678.0)),
        ("12345678.0", 12345678, True),
        ("12345678.0", 912345678, False),
        ("12345678", 1234567, False),
        ("0.50", 0.5, True),
        ("1E-07", 1e-7, True),
        ("9e999", 9e99, False),
        ("007", 7, False),
    ],
)


class TestNumbersAndTimes:
    def test_a_number_that_is_a_secret_is_no_number_any_more(self) -> None:
        secrets = Secrets(values=("482913",), masks=("7.5",))
        [found] = redact([event({"durationMs": 482913, "aic": 7.5, "holds": 4829131, "other": 482914})], secrets)
        assert found["data"] == {"durationMs": REDACTED, "aic": "***", "holds": REDACTED, "other": 482914}

    @SPELLINGS
    def test_a_number_is_one_in_any_spelling(self, mask: str, number: float, *, goes: bool) -> None:
        for secrets, mark in ((Secrets(masks=(mask,)), "***"), (Secrets(values=(mask,)), REDACTED)):
            [changed] = redact([event({"durationMs": number})], secrets)
            assert changed["data"] == {"durationMs": mark if goes else number}

    @pytest.mark.parametrize("timestamp", ["2026-11-02T10:00:01Z", 1793613601000])
    def test_an_event_whose_time_went_is_untimed(self, timestamp: Any) -> None:
        given = event({}, timestamp=timestamp)
        given["provenance"]["timestampMs"] = 1793613601000
        [found] = redact([given], Secrets(masks=(str(timestamp),)))
        assert found["timestamp"] == "***"
        assert "timestampMs" not in found["provenance"]
        assert given["provenance"]["timestampMs"] == 1793613601000

    def test_a_time_that_came_redacted_is_none(self) -> None:
        given = event({}, timestamp="***")
        given["provenance"]["timestampMs"] = 1
        assert "timestampMs" not in redact([given], Secrets())[0]["provenance"]

    def test_a_time_that_stays(self) -> None:
        given = event({}, timestamp="2026-11-02T10:00:01Z")
        given["provenance"]["timestampMs"] = 1793613601000
        assert redact([given], HUNTER)[0] is given


class TestWordsOfTheFormat:
    def test_masks_cannot_take_them(self) -> None:
        masks = ("tool.execution_start", "agent", "data", "type", "provenance", "component", "index", "0")
        given = event({"a": 1})
        assert redact([given], Secrets(masks=masks))[0] == {
            **given,
            "provenance": {**given["provenance"], "path": "***-session.jsonl"},
        }

    @pytest.mark.parametrize(
        ("name", "left"),
        [("own.s3cret", "own.***"), ("s3cret.own", "***.own"), ("a.b", "***.***"), ("dotless", "dotless")],
    )
    def test_a_type_of_ones_own_keeps_a_dot(self, name: str, left: str) -> None:
        secrets = Secrets(masks=("s3cret", "a.b"))
        [found] = redact([{**event({}), "type": name}], secrets)
        assert found["type"] == left
        assert redact([found], secrets) == [found]

    def test_unknown_fields_are_searched(self) -> None:
        given = event({}, s3cret="x")
        given["provenance"]["native"] = {"s3cret": "hunter2"}
        given["provenance"]["hunter2"] = "x"
        given["provenance"]["component"] = "s3cret"
        [found] = redact([given], HUNTER)
        assert found["***"] == "x"
        assert found["provenance"]["native"] == {"***": REDACTED}
        assert found["provenance"][REDACTED] == "x"
        assert found["provenance"]["component"] == "***"


class TestTheCollectorsAccount:
    ACCOUNT: Any = {  # noqa: RUF012 - never changed
        "type": "session.collection",
        "data": {
            "sources": [{"component": "mcp", "phase": "agent", "path": "mcp-logs/s3cret.jsonl", "events": 5}],
            "warnings": 0,
            "untimedEvents": 5,
            "absentComponents": ["eval"],
        },
        "provenance": {"component": "collector", "phase": "conclusion", "path": "usage/aw_session.jsonl", "index": 3},
    }

    def test_only_paths_are_searched(self) -> None:
        masks = ("mcp", "agent", "5", "0", "eval", "warnings", "events", "s3cret")
        [found] = redact([self.ACCOUNT], Secrets(masks=masks))
        assert found["data"] == {
            **self.ACCOUNT["data"],
            "sources": [{"component": "mcp", "phase": "agent", "path": "***-logs/***.jsonl", "events": 5}],
        }
        assert redact([self.ACCOUNT], HUNTER)[0] != self.ACCOUNT
        assert redact([self.ACCOUNT], Secrets())[0] is self.ACCOUNT

    def test_what_is_no_account_is_searched_whole(self) -> None:
        of_another = {**self.ACCOUNT, "provenance": {**self.ACCOUNT["provenance"], "component": "agent"}}
        for one in (of_another, {**self.ACCOUNT, "type": "own.kind"}):
            [found] = redact([one], Secrets(masks=("eval",)))
            assert found["data"]["absentComponents"] == ["***"]


@given(_EVENTS, _SECRETS)
def test_what_cannot_change_is_told_from_its_text(events: list[Any], secrets: Secrets) -> None:
    redactor = Redactor(secrets)
    for event in events:
        if not redactor.may_change(dumps_compact(event)):
            assert redactor.event(event) is event


def test_too_many_secrets() -> None:
    limits = Limits(session_secrets=3)
    assert Redactor(Secrets(values=("a", "b"), masks=("c",)), limits=limits).text("abcd") == f"{REDACTED}{REDACTED}***d"
    with pytest.raises(TooManySecrets) as refused:
        Redactor(Secrets(values=("a", "b"), masks=("c", "d")), limits=limits)
    assert refused.value.code == "session.too-many-secrets"
    assert refused.value.found == "4"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a***", True),
        ("a", False),
        ({"***": 1}, True),
        ({"a": ["***REDACTED***"]}, True),
        ([1, "x"], False),
        (5, False),
    ],
)
def test_is_redacted(value: Any, expected: bool) -> None:
    assert is_redacted(value) is expected


@given(_EVENTS, _SECRETS)
def test_twice_is_once_and_the_input_stays(events: list[Any], secrets: Secrets) -> None:
    before = copy.deepcopy(events)
    once = redact(events, secrets)
    assert events == before
    assert redact(once, secrets) == once
    assert json.dumps(once) == json.dumps(redact(events, secrets))


@given(_EVENTS, _SECRETS)
def test_nothing_gets_lost(events: list[Any], secrets: Secrets) -> None:
    for old, new in zip(events, redact(events, secrets), strict=True):
        assert len(old) == len(new)
        assert len(old["data"]) == len(new["data"])


@given(_JSON, _SECRETS)
def test_no_secret_survives_outside_the_marks(value: Any, secrets: Secrets) -> None:
    redactor = Redactor(secrets)
    for found in _texts(redactor.value(value)):
        for secret in (*secrets.values, *secrets.masks):
            for line in re.split(r"\r\n|\r|\n", secret):
                if line.strip("* \t\v\f"):
                    assert line not in re.sub(r"\*\*\*REDACTED\*\*\*", "***", found) or line in REDACTED


@given(st.text(max_size=20), st.text(min_size=4, max_size=9))
def test_a_secret_amid_any_text(around: str, secret: str) -> None:
    assume(secret.strip("* \t\v\f") and not re.search(r"[\r\n]", secret) and secret not in REDACTED)
    assert secret not in text(around + secret + around, Secrets(values=(secret,)))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for item in value.values() for text in _texts(item))]
    return [text for item in value for text in _texts(item)] if isinstance(value, list) else []
