"""The open ``cat-file`` process: bounded, restarted after trouble, shared between threads, never left behind."""

import errno
import gc
import hashlib
import os
import subprocess
import threading
from pathlib import Path

import pytest

from opvalue.checkout.batch import BatchReader, RawObject
from opvalue.checkout.command import Call
from opvalue.checkout.errors import GitFailed, GitMissing, GitTimedOut, ObjectTooLarge, ObjectUnreadable
from opvalue.errors import TooManyOpenFiles
from tests.checkout.repos import program

OID = hashlib.sha1(b"one", usedforsecurity=False).hexdigest()
PATH = {"PATH": os.environ.get("PATH", os.defpath)}


def reader(folder: Path, text: str, seconds: float = 10.0) -> BatchReader:
    """Return a reader whose git is a script; every start of it adds a line to ``starts``."""
    git = program(folder / "git", f"echo start >> '{folder}/starts'\n{text}")
    return BatchReader(Call((str(git),), PATH), seconds)


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text().splitlines())


def test_many_objects_from_one_process(tmp_path: Path) -> None:
    with reader(tmp_path, r'while read -r oid; do printf "%s blob 3\nabc\n" "$oid"; done') as git:
        assert [git.read(OID, 3) for _ in range(3)] == [RawObject("blob", b"abc")] * 3
    assert starts(tmp_path) == 1


def test_content_with_line_feeds_in_pieces(tmp_path: Path) -> None:
    text = r'read -r oid; printf "%s tr" "$oid"; sleep 0.05; printf "ee 5\na\n"; sleep 0.05; printf "\nbc\n"; cat'
    with reader(tmp_path, text) as git:
        assert git.read(OID, 100) == RawObject("tree", b"a\n\nbc")


def test_missing(tmp_path: Path) -> None:
    with reader(tmp_path, 'while read -r oid; do echo "$oid missing"; done') as git:
        assert git.read(OID, 3) is None
        assert git.read(OID, 3) is None
    assert starts(tmp_path) == 1


def test_missing_with_a_word_about_it(tmp_path: Path) -> None:
    with reader(tmp_path, 'read -r oid; echo "error: broken" >&2; echo "$oid missing"; cat') as git:
        with pytest.raises(ObjectUnreadable) as refused:
            git.read(OID, 3)
        with pytest.raises(ObjectUnreadable):
            git.read(OID, 3)
    assert refused.value.message == f"git cannot read object {OID}: error: broken"
    assert starts(tmp_path) == 2


def test_missing_with_standard_error_closed(tmp_path: Path) -> None:
    with reader(tmp_path, 'exec 2>&-; while read -r oid; do echo "$oid missing"; done') as git:
        assert git.read(OID, 3) is None
        assert git.read(OID, 3) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exit 0", "it ended without a word"),
        ("echo 'fatal: no' >&2; exit 128", "fatal: no"),
        ("read -r oid; echo 'fatal: late' >&2; exit 128", "fatal: late"),
        (r'read -r oid; printf "%s blob 9\nabc" "$oid"', "it ended without a word"),
        (r"printf 'fatal: \377' >&2", "fatal: \ufffd"),
    ],
)
def test_process_that_dies(tmp_path: Path, text: str, said: str) -> None:
    with reader(tmp_path, text) as git:
        for _ in range(2):
            with pytest.raises(ObjectUnreadable) as refused:
                git.read(OID, 100)
            assert refused.value.message == f"git cannot read object {OID}: {said}"


def test_process_that_dies_between_requests(tmp_path: Path) -> None:
    with reader(tmp_path, 'read -r oid; echo "$oid missing"') as git:
        assert git.read(OID, 3) is None
        with pytest.raises(ObjectUnreadable):
            git.read(OID, 3)
        assert git.read(OID, 3) is None
    assert starts(tmp_path) == 2


def test_floods_on_standard_error(tmp_path: Path) -> None:
    text = r'head -c 1000000 /dev/zero | tr "\0" e >&2; read -r oid; printf "%s blob 1\na\n" "$oid"; cat'
    with reader(tmp_path, text) as git:
        assert git.read(OID, 1) == RawObject("blob", b"a")


@pytest.mark.parametrize(
    "answer",
    [
        "$oid dragon 3",
        "$oid blob x",
        "$oid blob -1",
        "$oid blob 9999999999999999999999",
        "$oid ambiguous",
        "${oid}0 missing",
        "0000000000000000000000000000000000000000 blob 3",
        "",
        "$(head -c 1000 /dev/zero | tr '\\0' x)",
    ],
)
def test_answers_that_are_none(tmp_path: Path, answer: str) -> None:
    with reader(tmp_path, f'read -r oid; echo "{answer}"; cat') as git, pytest.raises(GitFailed):
        git.read(OID, 100)


def test_header_without_end(tmp_path: Path) -> None:
    with reader(tmp_path, "yes | tr -d '\\n'") as git, pytest.raises(GitFailed):
        git.read(OID, 100)


def test_too_large_reads_no_content_and_restarts(tmp_path: Path) -> None:
    text = r'while read -r oid; do printf "%s blob 1000000000000\n" "$oid"; yes; done'
    with reader(tmp_path, text) as git:
        with pytest.raises(ObjectTooLarge):
            git.read(OID, 7)
        with pytest.raises(ObjectTooLarge) as refused:
            git.read(OID, 7)
    assert (refused.value.expected, refused.value.found) == ("at most 7 bytes", "1000000000000 bytes")
    assert starts(tmp_path) == 2


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [("sleep 30", None, "0 bytes"), (r'read -r oid; printf "%s blob 9\nabc" "$oid"; sleep 30', "9 bytes", "3 bytes")],
)
def test_process_that_hangs(tmp_path: Path, text: str, expected: str | None, found: str) -> None:
    with reader(tmp_path, text, seconds=0.5) as git, pytest.raises(GitTimedOut) as refused:
        git.read(OID, 100)
    assert (refused.value.expected, refused.value.found) == (expected, found)


def test_program_missing(tmp_path: Path) -> None:
    with BatchReader(Call((str(tmp_path / "none"),), PATH), 1.0) as git, pytest.raises(GitMissing):
        git.read(OID, 1)


def test_a_machine_that_gives_no_more_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(subprocess, "Popen", no_more)
    with reader(tmp_path, "cat") as git, pytest.raises(TooManyOpenFiles):
        git.read(OID, 1)


def test_a_flood_of_words_is_told_in_part(tmp_path: Path) -> None:
    with (
        reader(tmp_path, r'read -r oid; head -c 100000 /dev/zero | tr "\0" e >&2') as git,
        pytest.raises(ObjectUnreadable) as refused,
    ):
        git.read(OID, 1)
    assert refused.value.message == f"git cannot read object {OID}: {'e' * (1 << 14)}"


def test_threads_get_their_own_answers(tmp_path: Path) -> None:
    wrong: list[str] = []

    def ask(number: int) -> None:
        oid = f"{number:040x}"
        answers = {git.read(oid, 100) for _ in range(20)}
        if answers != {RawObject("blob", oid.encode())}:
            wrong.append(oid)

    with reader(tmp_path, r'while read -r oid; do printf "%s blob 40\n%s\n" "$oid" "$oid"; done') as git:
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert starts(tmp_path) == 1


def test_process_ends_when_the_reader_is_forgotten(tmp_path: Path) -> None:
    git = reader(tmp_path, f"echo $$ > '{tmp_path}/pid'; " + 'while read -r oid; do echo "$oid missing"; done')
    assert git.read(OID, 1) is None
    process = int((tmp_path / "pid").read_text())
    assert os.getsid(process) == process, "a key that interrupts is for this process alone"
    del git
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_interrupt_ends_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git = reader(tmp_path, f"echo $$ > '{tmp_path}/pid'; " + 'while read -r oid; do echo "$oid missing"; done')
    assert git.read(OID, 1) is None
    process = int((tmp_path / "pid").read_text())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            git.read(OID, 1)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    git.close()
