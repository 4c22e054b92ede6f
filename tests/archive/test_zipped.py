"""Zip artifacts that must be read, from every writer there is, and those whose structure is off."""

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from opvalue.archive import errors, read_archive
from opvalue.archive.zipped import ZippedFiles
from opvalue.limits import Limits
from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import DEFLATED, END, LINK, STORED, WIDE32, Item, build, close, extra_field, unicode_path, zip64

MANIFEST = f"{samples.FOLDER}/{samples.MANIFEST}"
RESULTS = f"{samples.FOLDER}/{samples.RESULTS}"


def test_artifact_as_the_upload_action_writes_it() -> None:
    archived = samples.read(samples.artifact())
    assert archived.evaluator == samples.SCRIPT
    assert archived.observation.subject.run_id == "12345"


def test_artifact_with_forced_zip64_end_records() -> None:
    assert samples.read(build(samples.items(), wide=True)).evaluator == samples.SCRIPT


@pytest.mark.parametrize("signature", [b"PK\x07\x08", b""])
@pytest.mark.parametrize("long", [True, False])
def test_every_form_of_data_descriptor(signature: bytes, long: bool) -> None:
    def described(item: Item) -> Item:
        checksum, packed, unpacked = item.claims()
        size = 8 if long else 4
        form = checksum.to_bytes(4, "little") + packed.to_bytes(size, "little") + unpacked.to_bytes(size, "little")
        return item.with_(descriptor=signature + form)

    archive = build([described(item) if item.flags else item for item in samples.items()])
    assert samples.read(archive).evaluator == samples.SCRIPT


def test_zip64_sizes_and_offsets_of_a_wanted_member() -> None:
    plain = Item(MANIFEST.encode(), samples.files()[MANIFEST], flags=0)
    checksum, packed, unpacked = plain.claims()
    wide = plain.with_(
        packed=WIDE32,
        unpacked=WIDE32,
        offset=WIDE32,
        extra=extra_field(0x5455, b"\0" * 5) + zip64(unpacked, packed, 0),
        local_sizes=(checksum, WIDE32, WIDE32),
        local_extra=zip64(unpacked, packed),
    )
    files = ZippedFiles(io.BytesIO(build([wide])), Limits())
    assert files.read(MANIFEST, 10_000, errors.ManifestTooLarge) == plain.content


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archive_of_zipfile(method: int) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in samples.files().items():
            archive.writestr(name, content)
        archive.comment = b"made by hand"
    assert read_archive(target).evaluator == samples.SCRIPT


class _OneWay(io.RawIOBase):
    """A target that cannot seek, so that zipfile falls back on data descriptors."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.data += data
        return len(data)


def test_archive_of_zipfile_written_to_a_pipe() -> None:
    target = _OneWay()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in samples.files().items():
            with archive.open(name, "w", force_zip64=name == MANIFEST) as member:
                member.write(content)
    assert samples.read(bytes(target.data)).evaluator == samples.SCRIPT


@pytest.mark.skipif(shutil.which("zip") is None, reason="the zip program is not installed")
@pytest.mark.parametrize(
    ("piped", "options"),
    # zip 3.0 forgets the zip64 end record when told to force zip64 into a pipe; unzip cannot read that either.
    [(True, []), (True, ["-0"]), (False, []), (False, ["-0"]), (False, ["-y"]), (False, ["-fz"])],
)
def test_archive_of_the_zip_program(tmp_path: Path, options: list[str], piped: bool) -> None:
    for name, content in samples.files().items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "in/agent/also").symlink_to("graders")
    target = "-" if piped else str(tmp_path / "out.zip")
    done = subprocess.run(
        ["zip", "-q", "-r", *options, target, "."], cwd=tmp_path / "in", check=True, capture_output=True
    )
    data = done.stdout if piped else (tmp_path / "out.zip").read_bytes()
    # Without -y the link's target is stored a second time, under names that are not looked for.
    assert samples.read(data).evaluator == samples.SCRIPT


@pytest.mark.parametrize(
    "odd",
    [
        Item(b"agent/cafe\xff.txt", b"not UTF-8"),
        Item(b"agent/secret", b"encrypted", flags=0x0009),
        Item(b"agent/lzma", b"", method=14, data=b"whatever"),
        Item(b"agent/link", b"../../etc/passwd", attributes=LINK),
        Item(b"agent/broken", b"x", data=b"\xff\xff"),
        Item(b"agent/other", b"x", local_name=b"agent/local"),
        Item(b"agent/Graders/grader_manifest.json", b"{}"),
        Item(b"agent/graders/Grader_Manifest.json", b"{}"),
        Item(b"agent/graders/", attributes=0o40755 << 16, method=STORED, flags=0),
        Item(b"agent/./graders/", attributes=0o40755 << 16, method=STORED, flags=0),
        Item(b"./", attributes=0o40755 << 16, method=STORED, flags=0),
        Item(b"agent/a//b", b"x"),
        Item(b"agent/C:drive", b"x"),
        Item(b"agent/padded", b"x", extra=b"\x75\x70\xff"),
        Item(b"agent/padded", b"x", extra=b"\x75\x70\xff\x00abc"),
        Item(b"agent/n", b"x", extra=unicode_path(b"agent/n", b"agent/\xc3\xa9")),
        Item(b"agent/n", b"x", extra=unicode_path(b"agent/n", b"../x", checksum=1)),
        Item(b"agent/n", b"x", extra=unicode_path(b"agent/n", b"../x", version=2)),
        Item(b"agent/n", b"x", extra=extra_field(0x7075, b"\x01")),
        Item(b"agent/n", b"x", comment=b"a comment"),
        Item(b"agent/n", b"x" * 5_000_000),
    ],
)
def test_unwanted_members_may_be_odd(odd: Item) -> None:
    assert samples.read(build([*samples.items(), odd])).evaluator == samples.SCRIPT


def test_wanted_member_with_a_unicode_path_of_the_same_name() -> None:
    name = MANIFEST.encode()
    same = [item.with_(extra=unicode_path(name, name)) if item.name == name else item for item in samples.items()]
    assert samples.read(build(same)).evaluator == samples.SCRIPT


def test_empty_archive(tmp_path: Path) -> None:
    assert refused(build([]), tmp_path).code == "archive.no-grader-data"


@pytest.mark.parametrize("data", [b"", b"P", b"<!doctype html>", bytes(100), b"PK\x01\x02" + bytes(100)])
def test_not_a_zip(tmp_path: Path, data: bytes) -> None:
    assert refused(data, tmp_path).code == "archive.not-a-zip"


def test_too_large(tmp_path: Path) -> None:
    data = samples.artifact()
    assert refused(data, tmp_path, Limits(archive_bytes=len(data) - 1)).code == "archive.too-large"
    assert read_archive(io.BytesIO(data), Limits(archive_bytes=len(data))).layout == samples.FOLDER


def test_too_many_members(tmp_path: Path) -> None:
    data = samples.artifact()
    assert refused(data, tmp_path, Limits(archive_members=4)).code == "archive.too-many-members"
    assert read_archive(io.BytesIO(data), Limits(archive_members=5)).layout == samples.FOLDER


def test_central_directory_too_long(tmp_path: Path) -> None:
    data = build([item.with_(comment=bytes(60_000)) for item in samples.items()])
    assert refused(data, tmp_path, Limits(archive_directory_bytes=300_000)).code == "archive.too-many-members"
    assert samples.read(data).layout == samples.FOLDER


@pytest.mark.parametrize("added", [b"\0", b"\n", b"PK\x05\x06", b"PK\x05\x06" + bytes(17), bytes(100_000)])
def test_bytes_behind_the_archive(tmp_path: Path, added: bytes) -> None:
    assert refused(samples.artifact() + added, tmp_path).code == "archive.cut"


def test_bytes_before_the_archive(tmp_path: Path) -> None:
    assert refused(b"#!/bin/sh\n" + samples.artifact(), tmp_path).code == "archive.not-a-zip"
    assert refused(b"PK\x03\x04" + samples.artifact(), tmp_path).code == "archive.malformed"


def test_second_archive_in_the_comment(tmp_path: Path) -> None:
    hidden = build([])
    assert refused(build(samples.items(), comment=hidden), tmp_path).code == "archive.malformed"
    assert refused(samples.artifact() + samples.artifact(), tmp_path).code == "archive.malformed"


def _ended(end: bytes) -> bytes:
    body = samples.artifact()
    return body[: -END.size] + end


@pytest.mark.parametrize("position", [0, 1, 2, 3, 4, 5])
def test_end_record_that_lies(tmp_path: Path, position: int) -> None:
    data = samples.artifact()
    fields = list(END.unpack(data[-END.size :]))
    fields[position + 1] += 1
    assert refused(_ended(END.pack(*fields)), tmp_path).code == "archive.malformed"


@pytest.mark.parametrize("count", [4, 6])
def test_count_that_lies(tmp_path: Path, count: int) -> None:
    fields = list(END.unpack(samples.artifact()[-END.size :]))
    fields[3] = fields[4] = count
    assert refused(_ended(END.pack(*fields)), tmp_path).code == "archive.malformed"


def test_directory_of_noise(tmp_path: Path) -> None:
    body = b"PK\x03\x04" + b"\x00" * 60
    assert refused(body + close(1, 60, 4), tmp_path).code == "archive.malformed"
    assert refused(body + close(0, 60, 4), tmp_path).code == "archive.malformed"
    assert refused(body + close(1, 10, 54), tmp_path).code == "archive.malformed"


def test_entry_longer_than_the_directory(tmp_path: Path) -> None:
    data = bytearray(samples.artifact())
    last = data.rindex(b"PK\x01\x02")
    data[last + 32] += 1  # the comment's length
    assert refused(bytes(data), tmp_path).code == "archive.malformed"


def test_member_on_another_disk(tmp_path: Path) -> None:
    assert refused(build([Item(b"x", disk=1)]), tmp_path).code == "archive.malformed"


def test_zip64_records_that_lie(tmp_path: Path) -> None:
    data = build(samples.items(), wide=True)
    locator = data.rindex(b"PK\x06\x07")
    record = data.rindex(b"PK\x06\x06")
    places = [locator + 4, locator + 8, locator + 15, locator + 16, record, record + 4, record + 16, record + 24]
    places += [record + 40, record + 48, record + 55]
    for place in places:
        changed = bytearray(data)
        changed[place] += 2
        assert refused(bytes(changed), tmp_path).code == "archive.malformed", place


def test_zip64_records_that_contradict_the_plain_ones(tmp_path: Path) -> None:
    data = bytearray(build(samples.items(), wide=True))
    data[-END.size + 10 : -END.size + 12] = (4).to_bytes(2, "little")
    assert refused(bytes(data), tmp_path).code == "archive.malformed"


@pytest.mark.parametrize("extra", [b"", zip64(), zip64(1), zip64(1, 1) * 2, extra_field(1, b"\0" * 15)])
def test_zip64_field_missing_short_or_twice(tmp_path: Path, extra: bytes) -> None:
    item = Item(b"x", packed=WIDE32, unpacked=WIDE32, extra=extra, descriptor=b"")
    assert refused(build([item]), tmp_path).code == "archive.malformed"


def test_unknown_method(tmp_path: Path) -> None:
    members = [item.with_(method=93, data=b"zstd") if b"results" in item.name else item for item in samples.items()]
    error = refused(build(members), tmp_path)
    assert error.code == "archive.method"
    assert error.found == "93"


@pytest.mark.parametrize("data", [b"\xff\xff\xff", b"", None])
def test_packed_data_that_is_none(tmp_path: Path, data: bytes | None) -> None:
    def broken(item: Item) -> Item:
        return item.with_(data=item.payload()[:-3] if data is None else data)

    members = [broken(item) if b"results" in item.name else item for item in samples.items()]
    assert refused(build(members), tmp_path).code == "archive.corrupt-member"


def test_checksum_of_other_bytes(tmp_path: Path) -> None:
    members = [item.with_(checksum=1) if b"results" in item.name else item for item in samples.items()]
    error = refused(build(members), tmp_path)
    assert error.code == "archive.corrupt-member"
    assert error.expected == "00000001"


def test_stored_member_is_bounded_too(tmp_path: Path) -> None:
    contents = samples.files() | {RESULTS: b" " * 300_000}
    members = [item.with_(method=STORED) for item in samples.items(contents)]
    assert refused(build(members), tmp_path, Limits(record_bytes=1000)).code == "archive.results-too-large"


def test_large_member_is_read_in_pieces() -> None:
    noise = bytes(byte * 7919 % 251 for byte in range(300_000))
    wanted = Item(MANIFEST.encode(), noise, method=DEFLATED, data=None)
    files = ZippedFiles(io.BytesIO(build([wanted])), Limits(member_ratio=2000))
    assert files.read(MANIFEST, 300_000, errors.ManifestTooLarge) == noise
