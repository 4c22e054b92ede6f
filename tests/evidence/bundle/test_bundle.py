"""A bundle is written one way, read back the same, and has a digest that no time moves."""

import io
import json
import tarfile
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.atomic import OutputExists
from opvalue.cli.schema import SCHEMAS
from opvalue.evidence.bundle import Bundle, Declared, Failed, Header, Profile, read_bundle, save, write
from opvalue.evidence.bundle.documents import exchanges_document, list_exchanges
from opvalue.evidence.bundle.errors import BundleMalformed, BundleTooLarge, HoldsASecret
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.identity import Digest, Host, Instant
from opvalue.limits import Limits
from tests.evidence.bundle.made import EVIDENCE_AT, OBSERVED_AT, bundle, exchange, exchanges, header, small
from tests.support.canary import CANARY as TOKEN

ENTERPRISE = Host("ghe.example.com")


def documents(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]


def test_what_was_written_is_read_back() -> None:
    for made in (bundle(), small(), Bundle.of(header(), [])):
        assert read_bundle(write(made)) == made


def test_the_same_exchanges_in_any_order_are_the_same_bytes() -> None:
    for others in (exchanges()[::-1], exchanges()[3:] + exchanges()[:3]):
        assert write(Bundle.of(header(), others)) == write(bundle())


def test_the_bytes_are_the_same_for_ever() -> None:
    # Changing these is changing the format: then it is another version.
    assert Digest.of(write(small())).hex == "0ff89afede14975386594035f95d1387ebe60f8bc93392041b64f63bb5a0df60"
    assert small().digest.hex == "31552cb4bbd100db863c964c654d7bb3bc32e6d7f8f29b384c7abadfb43d87f3"


def test_any_tar_program_reads_and_could_have_written_it() -> None:
    data = write(bundle())
    again = io.BytesIO()
    with tarfile.open(fileobj=again, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in documents(data).items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o600
            archive.addfile(member, io.BytesIO(content))
    assert again.getvalue().rstrip(b"\0") == data.rstrip(b"\0")
    assert data.endswith(bytes(1024))


def test_members_lie_in_the_documented_order() -> None:
    names = list(documents(write(bundle())))
    assert names[:3] == ["opvalue-bundle.json", "header.json", "exchanges.json"]
    assert names[3:] == sorted(names[3:])
    assert all(name == f"blobs/{Digest.of(body)}" for name, body in list(documents(write(bundle())).items())[3:])


@pytest.mark.parametrize(
    ("member", "schema"),
    [("opvalue-bundle.json", "bundle"), ("header.json", "bundle-header"), ("exchanges.json", "bundle-exchanges")],
)
def test_the_documents_match_their_published_schemas(member: str, schema: str) -> None:
    published = SCHEMAS[schema]()
    jsonschema.Draft202012Validator.check_schema(published)
    for made in (bundle(), small()):
        document = json.loads(documents(write(made))[member])
        jsonschema.validate(document, published)
        for name in document:
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({key: value for key, value in document.items() if key != name}, published)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**document, "more": 1}, published)


def test_the_digest_can_be_computed_from_the_documents_alone() -> None:
    # As docs/bundle.md tells it.
    found = documents(write(bundle()))
    head, listed = json.loads(found["header.json"]), json.loads(found["exchanges.json"])["exchanges"]
    identity = {
        "format": "opvalue-evidence",
        "version": 1,
        **{name: value for name, value in head.items() if name not in {"failures", "profile"}},
        "exchanges": [{"request": one["request"], "answer": one["answer"]} for one in listed],
    }
    line = json.dumps(identity, ensure_ascii=False, separators=(",", ":")).encode()
    assert Digest.of(line) == bundle().digest
    assert json.loads(found["opvalue-bundle.json"])["digest"] == bundle().digest.hex


def test_no_time_of_observation_and_no_profile_moves_the_digest() -> None:
    later = [
        one._replace(observed_at=Instant(one.observed_at.milliseconds + 9), server_date=None) for one in exchanges()
    ]
    moved = Bundle.of(header(profile=Profile("3.0", "jq-1.8"), failures=()), later)
    assert moved.digest == bundle().digest
    assert write(moved) != write(bundle())


@pytest.mark.parametrize(
    "other",
    [
        header(host=Host("ghe.example.com")),
        header(repository_id=13),
        header(run_id="9"),
        header(attempt=2),
        header(evaluator_digest=Digest.of(b"")),
        header(closure_digest=Digest.of(b"")),
        header(requests=(Instant(0),)),
        header(requests=(EVIDENCE_AT, OBSERVED_AT)),
        header(complete=False),
        header(declared=()),
        header(declared=(Declared("acme/widgets", 13),)),
    ],
)
def test_whatever_else_the_header_says_is_part_of_the_digest(other: object) -> None:
    assert Bundle.of(other, []).digest != Bundle.of(header(), []).digest  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        exchange("/repos/acme/widgets", {"id": 13}),
        exchange("/repos/acme/widgets", {"id": 12}, status=201),
        exchange("/repos/acme/widgets", {"id": 12}, kind="text/plain"),
        exchange("/repos/acme/widgets", {"id": 12}, link="<x>"),
        exchange("/repos/acme/Widgets", {"id": 12}),
        exchange("/repos/acme/widgets?a", {"id": 12}),
    ],
)
def test_whatever_was_exchanged_is_part_of_the_digest(other: Exchange) -> None:
    this = exchange("/repos/acme/widgets", {"id": 12})
    assert Bundle.of(header(), [other]).digest != Bundle.of(header(), [this]).digest


def test_two_answers_to_one_request_are_none() -> None:
    with pytest.raises(BundleMalformed):
        Bundle.of(header(), [exchange("/user", 1), exchange("/user", 2)])


def test_a_header_is_put_in_order_and_on_one_line() -> None:
    made = Bundle.of(
        header(
            requests=(OBSERVED_AT, EVIDENCE_AT, OBSERVED_AT),
            failures=(("a.b", "GET /x\n\x1b[31m"),),
            profile=Profile("2\n", "jq\x07"),
            declared=(Declared("b/b"), Declared("a/a", 2), Declared("a/a", 2)),
        ),
        [exchange("/user", server_date="a\tb")],
    )
    assert made.header.requests == (EVIDENCE_AT, OBSERVED_AT)
    assert made.header.failures == (Failed("a.b", "GET /x \\u001b[31m"),)
    assert made.header.profile == Profile("2 ", "jq\\u0007")
    assert made.header.declared == (Declared("a/a", 2), Declared("b/b"))
    assert made.exchanges[0].server_date is None
    assert read_bundle(write(made)) == made


@pytest.mark.parametrize(
    "other",
    [
        header(requests=()),
        header(declared=(Declared("a/a", 2), Declared("a/a"))),
        header(declared=(Declared("a/a", 2), Declared("b/b", 2))),
    ],
)
def test_a_header_that_says_nothing_certain_is_none(other: Header) -> None:
    with pytest.raises(BundleMalformed):
        Bundle.of(other, [])


def test_an_enterprise_host_has_bundles_as_well() -> None:
    made = Bundle.of(header(host=ENTERPRISE), [exchange("/graphql", {}, sent={"query": "{x}"}, host=ENTERPRISE)])
    assert read_bundle(write(made)) == made


@pytest.mark.parametrize(
    "made",
    [
        Bundle.of(header(), [exchange(f"/user?access_token={TOKEN}")]),
        Bundle.of(header(), [exchange("/user", {"a": TOKEN})]),
        Bundle.of(header(), [exchange("/user", {"temp_clone_token": "x"})]),
        Bundle.of(header(), [exchange("/user", link=f"<https://api.github.com/x?token={TOKEN}>")]),
        Bundle.of(header(), [exchange("/user", body=TOKEN.encode(), kind="text/plain")]),
        Bundle.of(header(), [exchange("/graphql", sent={"query": "{x}", "variables": {"a": TOKEN}})]),
        Bundle.of(header(failures=(("x", f"GET /x?token={TOKEN}"),)), []),
        Bundle.of(header(profile=Profile(TOKEN, "")), []),
        Bundle.of(header(declared=(Declared(f"acme/{TOKEN.lower()}"),)), []),
    ],
)
def test_a_bundle_with_a_secret_is_never_written(made: Bundle, tmp_path: Path) -> None:
    for attempt in (lambda: write(made), lambda: save(tmp_path / "x", made)):
        with pytest.raises(HoldsASecret) as refused:
            attempt()
        assert refused.value.code == "bundle.holds-a-secret"
        assert TOKEN not in refused.value.diagnostics()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "limits",
    [
        Limits()._replace(bundle_bytes=4000),
        Limits()._replace(bundle_exchanges=9),
        Limits()._replace(bundle_index_bytes=999),
    ],
)
def test_bounds_hold_for_writer_and_reader(limits: Limits) -> None:
    for attempt in (lambda: write(bundle(), limits), lambda: read_bundle(write(bundle()), limits)):
        with pytest.raises(BundleTooLarge) as refused:
            attempt()
        assert refused.value.code == "bundle.too-large"


def test_a_secret_in_a_long_address_is_not_shown_in_part() -> None:
    target = f"/repos/acme/widgets/contents/{'x' * 100}/{TOKEN}"
    with pytest.raises(HoldsASecret) as refused:
        write(Bundle.of(header(), [exchange(target, {})]))
    assert refused.value.found == f"GET /repos/acme/widgets/contents/{'x' * 100}/REDACTED..."


def test_bounds_are_met_by_what_is_as_large() -> None:
    made = bundle()
    data = write(made)
    index = len(exchanges_document(list_exchanges(made.exchanges)))
    sizes = {"bundle_bytes": len(data), "bundle_exchanges": len(made.exchanges), "bundle_index_bytes": index}
    assert write(made, Limits()._replace(**sizes)) == data
    assert read_bundle(data, Limits()._replace(**sizes)) == made
    for name, size in sizes.items():
        less = Limits()._replace(**{name: size - 1})
        for attempt in (lambda: write(made, less), lambda: read_bundle(data, less)):  # noqa: B023 - called at once
            with pytest.raises(BundleTooLarge):
                attempt()


def test_a_body_counts_as_often_as_it_stands() -> None:
    shared = [exchange(f"/repos/acme/widgets/contents/{number}", body=b"x" * 9_000) for number in range(9)]
    made = Bundle.of(header(), [*shared, exchange("/graphql", body=b"{}", sent={"query": "{x}"})])
    most = 9 * 9_000 + len(b"{}") + len(b'{"query":"{x}"}')
    data = write(made, Limits()._replace(bundle_bytes=most))
    assert read_bundle(data, Limits()._replace(bundle_bytes=most)) == made
    less = Limits()._replace(bundle_bytes=most - 1)
    for attempt in (lambda: write(made, less), lambda: read_bundle(data, less)):
        with pytest.raises(BundleTooLarge) as refused:
            attempt()
        assert refused.value.found is not None
        assert str(most) in refused.value.found


def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "evidence.bundle"
    assert save(path, bundle())
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_bundle(path) == bundle()


def test_the_same_evidence_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "evidence.bundle"
    save(path, bundle())
    before = path.read_bytes()
    later = Bundle.of(header(), [one._replace(observed_at=Instant(0)) for one in exchanges()])
    assert not save(path, later)
    assert path.read_bytes() == before
    for other in (small(), Bundle.of(header(), [])):
        with pytest.raises(OutputExists):
            save(path, other)
    path.write_bytes(before[:-1])
    with pytest.raises(OutputExists):
        save(path, bundle())
    assert path.read_bytes() == before[:-1]


_TEXT = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x2FF), max_size=8)
_ANSWER = st.builds(
    Answer,
    st.integers(100, 599),
    st.dictionaries(st.sampled_from(["content-type", "link", "x-github-media-type"]), st.just("a/b; c=d")).map(
        lambda found: tuple(sorted(found.items()))
    ),
    st.binary(max_size=40),
)
_REQUEST = st.builds(
    Request,
    st.just("GET"),
    st.sampled_from(["/", "/user", "/repos/a/b", "/repos/A/b", "/repositories/1", "/repos/a/b/contents/x%2Fy"]),
    st.sampled_from(["", "a=b", "b=a&a=b", "q=%C3%A9"]),
    st.sampled_from(["*/*", "application/json"]),
    st.sampled_from(["", "2022-11-28"]),
    st.just(b""),
)
_EXCHANGE = st.builds(Exchange, _REQUEST, _ANSWER, st.none() | st.just("now"), st.integers(0, 10**13).map(Instant))


@given(st.lists(_EXCHANGE, max_size=6, unique_by=lambda one: one.request), st.booleans(), st.integers(1, 9))
def test_any_bundle_is_read_back(found: list[Exchange], complete: bool, attempt: int) -> None:
    made = Bundle.of(header(complete=complete, attempt=attempt), found)
    data = write(made)
    assert read_bundle(data) == made
    assert write(read_bundle(data)) == data
