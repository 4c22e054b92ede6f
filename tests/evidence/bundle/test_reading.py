"""A bundle whose seal is right but whose writer did not follow the format is refused all the same."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.bundle import read_bundle, write
from opvalue.evidence.bundle.documents import seal_document
from opvalue.evidence.bundle.errors import (
    BundleChanged,
    BundleCut,
    BundleExtended,
    BundleMalformed,
    BundleMissing,
    BundleTooLarge,
    BundleUnreadable,
    NotABundle,
    UnknownVersion,
    WrongDigest,
)
from opvalue.evidence.bundle.tar import END, head, padding
from opvalue.identity import Digest
from opvalue.limits import Limits
from tests.evidence.bundle.made import bundle, small
from tests.evidence.bundle.test_bundle import documents

Members = list[tuple[str, bytes]]
SEAL = "opvalue-bundle.json"


def member(name: str, data: bytes) -> bytes:
    return head(name, len(data)) + data + bytes(padding(len(data)))


def sealed(members: Members, *, digest: Digest | None = None, end: bytes = END) -> bytes:
    """Return an archive with a seal that fits, whatever its members are."""
    following = b"".join(member(name, data) for name, data in members) + end
    return member(SEAL, seal_document(digest or small().digest, len(following), Digest.of(following))) + following


def members() -> Members:
    return list(documents(write(small())).items())[1:]


def test_sealing_again_what_was_written_gives_the_same() -> None:
    assert sealed(members()) == write(small())


def _edit(name: str, change: Callable[[Any], Any]) -> bytes:
    found = dict(members())
    document = json.loads(found[name])
    changed = change(document)
    found[name] = (json.dumps(document if changed is None else changed, indent=2, ensure_ascii=False) + "\n").encode()
    return sealed(list(found.items()))


def head_edit(change: Callable[[Any], Any]) -> bytes:
    return _edit("header.json", change)


def list_edit(change: Callable[[Any], Any]) -> bytes:
    return _edit("exchanges.json", lambda document: change(document["exchanges"]))


def set_to(*path: str | int, value: object) -> Callable[[Any], Any]:
    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "value",
    [
        ("host", "GitHub.com"),
        ("host", "git hub"),
        ("host", ""),
        ("host", None),
        ("repositoryId", 0),
        ("repositoryId", -1),
        ("repositoryId", True),
        ("repositoryId", "12"),
        ("repositoryId", 1.5),
        ("repositoryId", 2**63),
        ("runId", 123456789),
        ("runId", "0"),
        ("runId", "x"),
        ("runId", "https://github.com/acme/widgets/actions/runs/123456789"),
        ("attempt", 0),
        ("attempt", None),
        ("evaluatorDigest", "0" * 63),
        ("evaluatorDigest", "A" * 64),
        ("closureDigest", None),
        ("evidenceTimes", None),
        ("evidenceTimes", ["2026-08-30"]),
        ("evidenceTimes", ["2026-08-30T12:00:00Z"]),
        ("evidenceTimes", ["2026-08-30T12:00:00.000Z"] * 2),
        ("evidenceTimes", [1]),
        ("evidenceTimes", []),
        ("declared", [{"repository": "acme/widgets", "id": 1}, {"repository": "acme/widgets", "id": 2}]),
        ("declared", {}),
        ("declared", ["acme/widgets"]),
        ("declared", [{"repository": "acme/widgets", "id": 0}]),
        ("declared", [{"repository": "Acme/widgets", "id": 1}]),
        ("declared", [{"repository": "github.com/acme/widgets", "id": 1}]),
        ("declared", [{"repository": "acme", "id": 1}]),
        ("declared", [{"repository": "acme/widgets"}]),
        ("complete", 1),
        ("complete", None),
        ("failures", [["a", "b"]]),
        ("failures", [{"cause": "a", "request": None}]),
        ("failures", [{"cause": "a\n", "request": "b"}]),
        ("failures", [{"cause": "not a code", "request": "b"}]),
        ("profile", None),
        ("profile", {"gh": "1"}),
        ("profile", {"gh": "1", "jq": "\u202e"}),
        ("more", 1),
    ],
)
def test_a_header_of_another_shape_is_refused(value: tuple[str, object]) -> None:
    refused(head_edit(set_to(value[0], value=value[1])))


@pytest.mark.parametrize(
    "change",
    [
        lambda listed: listed.reverse(),
        lambda listed: listed.append(listed[0]),
        lambda listed: listed.append(None),
        lambda listed: listed.pop(),
        lambda listed: listed[0].pop("serverDate"),
        set_to(0, "request", "method", value="HEAD"),
        set_to(0, "request", "method", value="get"),
        set_to(0, "request", "path", value="/repos/acme/../widgets"),
        set_to(0, "request", "path", value="/repos/%61cme/widgets"),
        set_to(0, "request", "path", value="https://api.github.com/repos/acme/widgets"),
        set_to(0, "request", "path", value="/repos/acme/widgets?a=b"),
        set_to(0, "request", "path", value=None),
        set_to(0, "request", "query", value="a=%7e"),
        set_to(0, "request", "query", value="#"),
        set_to(0, "request", "query", value=None),
        set_to(0, "request", "accept", value=""),
        set_to(0, "request", "accept", value=" a/b"),
        set_to(0, "request", "apiVersion", value="\u00e9"),
        set_to(0, "request", "body", value={"sha256": "0" * 64, "bytes": 1}),
        set_to(1, "request", "body", value=None),
        set_to(0, "answer", "status", value=99),
        set_to(0, "answer", "status", value="200"),
        set_to(0, "answer", "headers", value=None),
        set_to(0, "answer", "headers", value={"Content-Type": "a"}),
        set_to(0, "answer", "headers", value={"set-cookie": "a"}),
        set_to(0, "answer", "headers", value={"content-type": 1}),
        set_to(0, "answer", "headers", value={"link": "a", "content-type": "b"}),
        set_to(0, "answer", "headers", "content-type", value="a\x1b[31m"),
        set_to(0, "answer", "body", "bytes", value=11),
        set_to(0, "answer", "body", "sha256", value=Digest.of(b"").hex),
        set_to(0, "answer", "body", value={}),
        set_to(0, "answer", "body", value=""),
        set_to(0, "serverDate", value=1),
        set_to(0, "serverDate", value="ghp_" + "a" * 36),
        set_to(0, "serverDate", value=""),
        set_to(0, "serverDate", value="Sun, 30 Aug 2026 12:00:01 GMT "),
        set_to(0, "observedAt", value="2026-08-30T12:00:01Z"),
        set_to(0, "observedAt", value=None),
    ],
)
def test_a_list_of_another_shape_is_refused(change: Callable[[Any], Any]) -> None:
    refused(list_edit(change))


def refused(data: bytes, code: str = "bundle.malformed") -> None:
    with pytest.raises(BundleMalformed) as found:
        read_bundle(data)
    assert found.value.code == code


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found.pop(0),
        lambda found: found.pop(1),
        lambda found: found.pop(2),
        lambda found: found.insert(0, found.pop(1)),
        lambda found: found.reverse(),
        lambda found: found.append(("blobs/" + Digest.of(b"more").hex, b"more")),
        lambda found: found.append(found[-1]),
        lambda found: found.append(("more", b"")),
        lambda found: found.append(("../climbing", b"x")),
        lambda found: found.append(("blobs/" + "0" * 64, b"x")),
        lambda found: found.append(("blobs/x", b"x")),
        lambda found: found.__setitem__(0, (found[0][0], found[0][1] + b"\n")),
        lambda found: found.__setitem__(0, (found[0][0], found[0][1].replace(b"  ", b" "))),
        lambda found: found.__setitem__(0, (found[0][0], b"[]\n")),
        lambda found: found.__setitem__(0, (found[0][0], b"")),
        lambda found: found.__setitem__(0, (found[0][0], b"\xff")),
        lambda found: found.__setitem__(0, (found[0][0], b'{"host":"a","host":"b"}')),
        lambda found: found.__setitem__(1, (found[1][0], b"[" * 1000)),
        lambda found: found.__setitem__(1, (found[1][0], b"{}\n")),
        lambda found: found.__setitem__(1, (found[1][0], b'{"exchanges": []}\n')),
    ],
)
def test_members_that_are_not_as_written_are_refused(change: Callable[[Members], Any]) -> None:
    found = members()
    change(found)
    refused(sealed(found))


@pytest.mark.parametrize("end", [b"", bytes(512), bytes(1025), bytes(1536), bytes(1023) + b"x"])
def test_another_end_is_refused(end: bytes) -> None:
    refused(sealed(members(), end=end))


@pytest.mark.parametrize(
    ("place", "value"),
    [(100, b"0000644"), (108, b"0000001"), (124, b"77777777777"), (136, b"00000000001"), (156, b"5"), (257, b"USTAR")],
)
def test_another_head_is_refused(place: int, value: bytes) -> None:
    block = bytearray(head("header.json", 2))
    block[place : place + len(value)] = value
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    following = bytes(block) + b"{}" + bytes(510) + END
    refused(member(SEAL, seal_document(small().digest, len(following), Digest.of(following))) + following)


def test_a_digest_that_the_evidence_does_not_have_is_refused() -> None:
    with pytest.raises(WrongDigest) as found:
        read_bundle(sealed(members(), digest=Digest.of(b"")))
    assert found.value.code == "bundle.wrong-digest"
    assert found.value.found == small().digest.hex


def with_seal(document: bytes) -> bytes:
    return member(SEAL, document) + write(small())[1024:]


@pytest.mark.parametrize("version", [0, 2, 1.5, "1", None, True, [1]])
def test_an_unknown_version_is_named(version: object) -> None:
    seal = json.loads(documents(write(small()))[SEAL])
    with pytest.raises(UnknownVersion) as found:
        read_bundle(with_seal(json.dumps({**seal, "version": version, "new": "fields"}).encode()))
    assert found.value.code == "bundle.unknown-version"


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b'{"format":"other","version":1}',
        b'{"format":"opvalue-bundle","version":1}',
        b'{"format":"opvalue-bundle","version":1,"digest":"","following":{}}',
        b'{"format":"opvalue-bundle","version":1,"digest":"' + b"0" * 64 + b'","following":{"bytes":-1,"sha256":""}}',
    ],
)
def test_a_seal_that_is_none_is_refused(document: bytes) -> None:
    with pytest.raises(BundleChanged) as found:
        read_bundle(with_seal(document))
    assert found.value.code == "bundle.changed"


def test_a_seal_in_another_spelling_is_refused() -> None:
    document = documents(write(small()))[SEAL]
    assert read_bundle(with_seal(document)) == small()
    with pytest.raises(BundleChanged, match="spelling"):
        read_bundle(with_seal(document.replace(b"  ", b" ")))


def test_a_seal_that_is_too_long_is_refused_unread() -> None:
    with pytest.raises(BundleChanged):
        read_bundle(with_seal(b" " * 2049))
    with pytest.raises(BundleChanged):
        read_bundle(head(SEAL, 8**11 - 1) + bytes(2048))


@pytest.mark.parametrize("data", [b"x", b"PK\x03\x04", b"\x1f\x8b", bytes(10_240), b"opvalue-bundle.jsonx", b"{}"])
def test_another_file_is_no_bundle(data: bytes) -> None:
    with pytest.raises(NotABundle) as found:
        read_bundle(data)
    assert found.value.code == "bundle.not-a-bundle"


def test_cut_and_extended_are_told_apart() -> None:
    data = write(bundle())
    with pytest.raises(BundleCut) as cut:
        read_bundle(data[:-1])
    assert (cut.value.code, cut.value.expected, cut.value.found) == (
        "bundle.cut",
        f"{len(data)} bytes",
        f"{len(data) - 1} bytes",
    )
    with pytest.raises(BundleExtended) as extended:
        read_bundle(data + b"\0")
    assert extended.value.code == "bundle.extended"
    with pytest.raises(BundleCut):
        read_bundle(b"")


def test_a_list_beyond_its_bound_is_not_parsed() -> None:
    found = dict(members())
    found["exchanges.json"] = b"[" * 2000
    with pytest.raises(BundleTooLarge):
        read_bundle(sealed(list(found.items())), Limits()._replace(bundle_index_bytes=1999))


def test_files_that_are_not_there_or_cannot_be_read(tmp_path: Path) -> None:
    pipe, loop = tmp_path / "pipe", tmp_path / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path in (tmp_path / "none", tmp_path / "none" / "below", pipe / "below", Path("a\0b")):
        with pytest.raises(BundleMissing) as missing:
            read_bundle(path)
        assert missing.value.code == "bundle.missing"
    for path in (tmp_path, pipe, loop, Path("/dev/null")):
        with pytest.raises(BundleUnreadable) as unreadable:
            read_bundle(path)
        assert unreadable.value.code == "bundle.unreadable"


def test_a_file_beyond_the_bound_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(2**21)
    with pytest.raises(BundleTooLarge):
        read_bundle(path, Limits()._replace(bundle_bytes=2**20))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for name, item in inner for place in _places(item, (*path, name)))]


@pytest.mark.parametrize("name", ["header.json", "exchanges.json"])
def test_half_a_surrogate_pair_is_refused_wherever_it_stands(name: str) -> None:
    found = dict(members())
    for path in _places(json.loads(found[name])):
        for as_key in (False, True):
            document = json.loads(found[name])
            place: Any = document
            for step in path if as_key else path[:-1]:
                place = place[step]
            if as_key and isinstance(place, dict):
                place["\ud800"] = 1
            elif path and not as_key:
                place[path[-1]] = "\ud800"
            else:
                continue
            data = (json.dumps(document, indent=2) + "\n").encode()
            with pytest.raises(OpvalueError) as refused:
                read_bundle(sealed(list({**found, name: data}.items())))
            refused.value.diagnostics().encode()
