"""The session in a usage artifact: by exact name, in blocks, never more than its bounds."""

import io
import zlib

import pytest

from opvalue.archive import errors
from opvalue.archive.session import SESSION_NAMES, ArchivedSession
from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from tests.archive.zips import DEFLATED, LINK, STORED, Item, bomb, build, unicode_path

ROOT, INNER = (name.encode() for name in reversed(SESSION_NAMES))
LINES = b"".join(b'{"type":"a.b","data":{"n":%d},"provenance":{}}\n' % number for number in range(40_000))
SESSION = Item(ROOT, LINES)


def found(*items: Item, limits: Limits = Limits()) -> ArchivedSession:  # noqa: B008 - a tuple
    return ArchivedSession(io.BytesIO(build(items)), limits)


def refused(*items: Item, limits: Limits = Limits()) -> OpvalueError:  # noqa: B008 - a tuple
    with pytest.raises(OpvalueError) as caught:
        list(found(*items, limits=limits).blocks())
    return caught.value


@pytest.mark.parametrize("name", [ROOT, INNER])
@pytest.mark.parametrize("method", [STORED, DEFLATED])
def test_either_place_either_method(name: bytes, method: int) -> None:
    session = found(Item(b"usage/graders/grader_results.json", b"{}"), Item(name, LINES, method=method))
    blocks = list(session.blocks())
    assert session.name == name.decode()
    assert b"".join(blocks) == LINES
    assert max(map(len, blocks)) <= 256 * 1024
    assert b"".join(session.blocks()) == LINES, "it can be read again"


def test_a_block_of_output_without_input_left() -> None:
    content = bytes(700_000)
    assert b"".join(found(Item(ROOT, content), limits=Limits(member_ratio=2000)).blocks()) == content


def test_none() -> None:
    error = refused(Item(b"other.jsonl", b""), Item(b"deep/aw_session.jsonl", b""))
    assert isinstance(error, errors.SessionAbsent)
    assert error.expected == "usage/aw_session.jsonl or aw_session.jsonl"


def test_both_places() -> None:
    assert isinstance(refused(SESSION, Item(INNER, LINES)), errors.TwoSessions)


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ((SESSION, SESSION), "archive.duplicate-member"),
        ((SESSION, Item(b"./aw_session.jsonl", b"")), "archive.duplicate-member"),
        ((Item(b"x", b"", extra=unicode_path(b"x", ROOT)),), "archive.headers-disagree"),
        ((Item(ROOT + b"/x", b""),), "archive.not-regular"),
        ((SESSION.with_(attributes=LINK),), "archive.symbolic-link"),
        ((SESSION, Item(b"../x", b"")), "archive.unsafe-name"),
        ((SESSION.with_(checksum=1),), "archive.corrupt-member"),
        ((SESSION.with_(unpacked=1),), "archive.headers-disagree"),
        ((SESSION.with_(flags=1),), "archive.encrypted"),
        ((Item(ROOT, bytes(1 << 20), data=bomb(1)),), "archive.bomb"),
    ],
)
def test_what_no_uploader_writes(items: tuple[Item, ...], code: str) -> None:
    assert refused(*items).code == code


def test_a_size_that_is_only_claimed_small() -> None:
    lying = SESSION.with_(unpacked=10, checksum=zlib.crc32(LINES[:10]))
    error = refused(lying, limits=Limits(session_bytes=100_000))
    assert isinstance(error, errors.SessionTooLarge)
    assert error.found == "100001 bytes or more"


def test_a_cut_stream() -> None:
    whole = SESSION.payload()
    assert refused(SESSION.with_(data=whole[:-5])).code == "archive.corrupt-member"
