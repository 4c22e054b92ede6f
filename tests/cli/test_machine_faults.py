"""What the machine does not give, and orders to end, are errors with codes: real processes and limits, no traceback."""

import resource
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from opvalue.atomic import OutputUnwritable
from opvalue.cli.console import Console
from opvalue.cli.deliver import Delivery
from opvalue.demo import Demo
from opvalue.evaluator import Runner
from opvalue.evidence.broker.ledger import Failure
from opvalue.evidence.bundle import read_bundle
from opvalue.regrade.errors import NotObserved
from tests.cli.conftest import AS_ROOT, RUN, Made, refused

BARE: Final = """
import pathlib, sys
from opvalue.evaluator import tools
from opvalue.process import programs
programs.SYSTEM_FOLDERS = ()
tools._BASH = pathlib.Path("/nonexistent")
"""
"""A machine without programs but those on ``PATH``."""


def limited(kind: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (most, most))


@pytest.mark.parametrize("blocks", [0, 1, 4])
def test_a_file_that_may_not_grow_ends_the_demo_and_leaves_no_folder(made: Made, blocks: int) -> None:
    before = made.files
    answer = made.run("demo", "--keep", "kept", preexec_fn=limited(resource.RLIMIT_FSIZE, blocks * 1024))
    refused(answer, "machine.no-space")
    assert made.files == before


def test_a_file_that_may_not_grow_ends_a_regrade_and_leaves_nothing(made: Made) -> None:
    before = made.files
    answer = made.run(*made.words("regrade"), "-o", "out.json", preexec_fn=limited(resource.RLIMIT_FSIZE, 100))
    assert "File too large" in refused(answer, "evaluator.cannot-lay")
    assert made.files == before


def test_a_full_disk_for_the_demo(made: Made, full: Path) -> None:
    refused(made.run("demo", "--keep", str(full / "kept")), "machine.no-space")
    assert [path.name for path in full.iterdir()] == ["filler"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("regrade", "output.unwritable"),
        ("verify", "verify.report-unwritable"),
        ("bundle redact evidence.bundle", "output.unwritable"),
        ("attestation keygen", "output.unwritable"),
        ("evaluator new acme/widgets issue-triage", "output.unwritable"),
    ],
)
def test_a_full_disk_for_what_is_written(made: Made, full: Path, words: str, code: str) -> None:
    answer = made.run(*made.words(words), "-o", str(full / "out"))
    assert "No space left on device" in refused(answer, code)
    assert [path.name for path in full.iterdir()] == ["filler"]


def test_a_full_disk_for_the_evidence(story: Path, full: Path, capfd: pytest.CaptureFixture[str]) -> None:
    demo = Demo(story / "widgets", "", story / "agent.zip", story / "agent.zip", story / "evidence.bundle")
    bundle = read_bundle(demo.bundle)
    regraded = demo.regrade("2025-08-25T00:00:00Z", runner=Runner())._replace(bundle=bundle)
    delivery = Delivery(Console({}), None, full / "kept.bundle", None)
    with pytest.raises(OutputUnwritable, match="No space left on device"):
        delivery.deliver(regraded)
    with pytest.raises(NotObserved, match="the network"), delivery.keeping_what_failed():
        raise NotObserved([Failure("network.unreachable", "the network", "GET /x")], bundle)
    assert [path.name for path in full.iterdir()] == ["filler"]
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("what was exchanged until then, incomplete, could not be kept: cannot write ")


@pytest.mark.parametrize(
    ("words", "code"),
    [("demo", "machine.no-space"), ("regrade", "evaluator.cannot-lay"), ("verify", "evaluator.cannot-lay")],
)
def test_a_full_disk_for_what_is_temporary(made: Made, full: Path, words: str, code: str) -> None:
    answer = made.run(*made.words(words), env={"TMPDIR": str(full)})
    assert "TMPDIR" in refused(answer, code)
    assert [path.name for path in full.iterdir()] == ["filler"]


@pytest.mark.parametrize("words", ["demo", "regrade", "verify", "doctor"])
def test_few_open_files(made: Made, words: str) -> None:
    answer = made.run(*made.words(words), preexec_fn=limited(resource.RLIMIT_NOFILE, 16))
    assert "ulimit -n" in refused(answer, "machine.too-many-open-files")
    assert made.temporary == []


@pytest.mark.parametrize("words", ["--help", "help errors", "bundle show evidence.bundle"])
def test_few_open_files_are_enough_for_what_starts_no_program(made: Made, words: str) -> None:
    answer = made.run(*made.words(words), preexec_fn=limited(resource.RLIMIT_NOFILE, 16))
    assert (answer.status, answer.err) == (0, "")


@pytest.mark.parametrize("words", ["regrade", "verify", "demo"])
def test_a_temporary_folder_that_is_not_there_is_replaced(made: Made, words: str) -> None:
    answer = made.run(*made.words(words), env={"TMPDIR": str(made.folder / "gone")})
    assert (answer.status, answer.err) == (0, "")


@pytest.mark.skipif(AS_ROOT, reason="root may write where the mode forbids it")
def test_a_temporary_folder_that_cannot_be_written(made: Made) -> None:
    place = made.folder / "closed"
    place.mkdir(0o500)
    answer = made.run(*made.words("regrade"), env={"TMPDIR": str(place)})
    assert "cannot make the folder" in refused(answer, "process.no-private-folder")


@pytest.mark.parametrize("words", ["regrade", "verify", "demo", "doctor", "cache list"])
def test_a_home_that_cannot_be_read_is_not_needed(made: Made, words: str) -> None:
    place = made.folder / "closed"
    place.mkdir(0o000)
    answer = made.run(*made.words(words), env={"HOME": str(place)})
    assert (answer.status, answer.err) == (0, "")


@pytest.mark.parametrize(
    ("missing", "words", "code"),
    [
        ("git", "regrade", "checkout.git-missing"),
        ("git", "demo", "process.program-missing"),
        ("git", "doctor", "cli.programs-missing"),
        *(
            (name, words, "process.program-missing")
            for name in ("bash", "jq")
            for words in ("regrade", "verify", "demo")
        ),
        *((name, "doctor", "cli.programs-missing") for name in ("bash", "jq")),
    ],
)
def test_a_program_that_is_missing(made: Made, missing: str, words: str, code: str) -> None:
    (made.folder / "driver.py").write_text(BARE + RUN)
    answer = made.run(*made.words(words), env={"PATH": str(_without(made.folder / "bin", missing))})
    assert missing in refused(answer, code).partition("\n")[0]


def _without(folder: Path, name: str) -> Path:
    """Make a folder with the programs of the system but one."""
    folder.mkdir()
    for program in {"bash", "jq", "git", "sh", "env", "bwrap"} - {name}:
        found = shutil.which(program)
        if found is not None:
            (folder / program).symlink_to(found)
    return folder


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("words", ["regrade", "verify", "demo", "regrade --json"])
def test_standard_output_that_takes_nothing(made: Made, words: str) -> None:
    with Path("/dev/full").open("wb") as sink:
        refused(made.run(*made.words(words), stdout=sink), "cli.output-closed")
    assert made.temporary == []


@pytest.mark.parametrize("words", ["regrade", "verify", "demo"])
def test_a_reader_that_takes_one_line(made: Made, words: str) -> None:
    child = made.start(*made.words(words))
    head = subprocess.run(["head", "-n", "1"], stdin=child.stdout, capture_output=True, check=True)
    assert child.stdout is not None
    child.stdout.close()
    assert head.stdout.count(b"\n") == 1
    assert child.wait(timeout=60) in {0, 141}
    assert child.stderr is not None
    assert child.stderr.read() == b""
    child.stderr.close()
    assert made.temporary == []


def test_what_a_kill_leaves_behind_is_private_and_in_nobodys_way(made: Made) -> None:
    words = (*made.words("regrade"), "-o", "out.json")
    child = made.begun(*words)
    child.kill()
    child.communicate(timeout=30)
    left = made.temporary
    assert left
    assert all(path.name.startswith("opvalue-") and stat.S_IMODE(path.stat().st_mode) == 0o700 for path in left)
    assert not (made.folder / "out.json").exists()
    (made.folder / "driver.py").unlink()
    again = made.run(*words)
    assert (again.status, again.err) == (0, "wrote the observation to out.json\n")
    assert made.temporary == left
