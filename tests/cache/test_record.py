"""The key's name stands for all of the key; a record is read back as it was written, or not at all."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.cache import ArtifactKey, Record
from opvalue.cache.record import parse_record
from opvalue.identity import GITHUB, Digest, Host
from tests.cache.samples import DATA, KEY, OFFERED

RECORD = Record(KEY, Digest.of(DATA), len(DATA))
NUMBERS = st.integers(0, 2**53)
KEYS = st.builds(
    ArtifactKey,
    st.text(max_size=30).map(Host),
    NUMBERS,
    st.text(max_size=30),
    NUMBERS,
    NUMBERS,
    st.none() | st.binary(max_size=2).map(Digest.of),
)


def test_a_record_is_what_it_looks_like() -> None:
    assert RECORD.encode().decode() == (
        '{\n  "version": 1,\n  "host": "github.com",\n  "repositoryId": 7001,\n  "runId": "12345",\n'
        f'  "artifactId": 555,\n  "size": 22,\n  "offered": null,\n'
        f'  "sha256": "{Digest.of(DATA)}",\n  "bytes": 22\n}}\n'
    )


@pytest.mark.parametrize("key", [KEY, OFFERED, KEY._replace(host=Host("ghe.example.com:8443"), size=0)])
def test_a_record_is_read_back(key: ArtifactKey) -> None:
    record = RECORD._replace(key=key)
    assert parse_record(record.encode()) == record


@given(KEYS, KEYS)
def test_one_name_is_one_key(one: ArtifactKey, other: ArtifactKey) -> None:
    assert re.fullmatch("[0-9a-f]{64}", one.name)
    assert (one.name == other.name) is (one == other)


@pytest.mark.parametrize(
    "other",
    [
        KEY._replace(host=Host("github.example.com")),
        KEY._replace(repository_id=7002),
        KEY._replace(run_id="12346"),
        KEY._replace(artifact_id=556),
        KEY._replace(size=23),
        OFFERED,
        OFFERED._replace(offered=Digest.of(b"")),
        KEY._replace(run_id="12345,555", artifact_id=22),
    ],
)
def test_whatever_changes_in_a_key_changes_its_name(other: ArtifactKey) -> None:
    assert other.name not in {KEY.name, ArtifactKey(GITHUB, 7001, "1234", 5555, 22, None).name}


@given(st.binary(max_size=100))
def test_noise_is_no_record(data: bytes) -> None:
    assert parse_record(data) is None


def test_a_record_cut_anywhere_is_none() -> None:
    whole = RECORD.encode()
    assert [parse_record(whole[:length]) for length in range(len(whole))] == [None] * len(whole)
    assert parse_record(whole + b"\n") is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", 2),
        ("version", True),
        ("host", "../../etc"),
        ("host", "GITHUB.com"),
        ("host", None),
        ("repositoryId", -1),
        ("repositoryId", 1.5),
        ("repositoryId", True),
        ("runId", 12345),
        ("artifactId", "555"),
        ("size", None),
        ("offered", "sha256:00"),
        ("offered", "0" * 64),
        ("sha256", "0" * 63),
        ("bytes", [22]),
        ("bytes", None),
        ("repositoryId", None),
        ("artifactId", None),
        ("more", 1),
    ],
)
def test_a_record_with_another_field_is_none(field: str, value: object) -> None:
    document = {**json.loads(RECORD.encode()), field: value}
    assert parse_record((json.dumps(document, indent=2) + "\n").encode()) is None
    assert parse_record((json.dumps([document], indent=2) + "\n").encode()) is None
