"""A bundle without further secrets is another bundle."""

import pytest

from opvalue.evidence.bundle import Bundle, Failed, Profile, read_bundle, write
from opvalue.evidence.bundle.errors import HoldsASecret
from opvalue.evidence.bundle.redacting import without_secrets
from tests.evidence.bundle.made import bundle, exchange, header

SECRET = b"Octocat-Secret-Name"


def test_only_answers_that_held_the_secret_change() -> None:
    made = Bundle.of(
        header(
            complete=False, failures=(("a.b", "GET /Octocat-Secret-Name"),), profile=Profile("Octocat-Secret-Name", "1")
        ),
        [
            exchange("/a", {"login": SECRET.decode()}),
            exchange("/b", {"login": "x"}),
            exchange("/c", link="<x?Octocat-Secret-Name>"),
        ],
    )
    redacted = without_secrets(made, [SECRET])
    assert [request.path for request in redacted.changed] == ["/a", "/c"]
    assert redacted.bundle.exchanges[0].answer.body == b'{"login": "REDACTED"}'
    assert redacted.bundle.exchanges[1] == made.exchanges[1]
    assert redacted.bundle.header.failures == (Failed("a.b", "GET /REDACTED"),)
    assert redacted.bundle.header.profile.gh == "REDACTED"
    data = write(redacted.bundle)
    assert SECRET not in data
    assert read_bundle(data).digest == redacted.bundle.digest != made.digest
    assert without_secrets(redacted.bundle, [SECRET]) == (redacted.bundle, ())


def test_without_a_find_it_is_the_same_bundle() -> None:
    assert without_secrets(bundle(), [SECRET]) == (bundle(), ())


@pytest.mark.parametrize(
    "made",
    [
        exchange(f"/users/{SECRET.decode()}"),
        exchange("/graphql", sent={"query": "{x}", "variables": {"a": SECRET.decode()}}),
        exchange("/x", body=b"\xff" + SECRET),
    ],
)
def test_what_cannot_be_taken_out_is_refused(made: object) -> None:
    with pytest.raises(HoldsASecret) as refused:
        without_secrets(Bundle.of(header(), [made]), [SECRET])  # type: ignore[list-item]
    assert refused.value.code == "bundle.holds-a-secret"
    assert SECRET.decode() not in refused.value.diagnostics()


def test_a_declared_repository_is_not_rewritten() -> None:
    with pytest.raises(HoldsASecret) as refused:
        without_secrets(bundle(), [b"acme/wid"])
    assert "acme/wid" not in refused.value.diagnostics()
