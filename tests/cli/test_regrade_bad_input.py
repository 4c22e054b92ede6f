"""Bad input of any kind through the real command: a coded error and its status, no traceback, nothing left behind."""

import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Answer, Process
from tests.support.world import EVALUATOR, FOLDER, MANIFEST, RESULTS, World, digest_of

AT = "2023-08-25T00:00:00Z"
FULL = Path("/dev/full")
MEMBERS = (MANIFEST, RESULTS, EVALUATOR)
BRACKETS = b"[" * 100_000 + b"]" * 100_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make one repository, in the past of any clock."""
    return World(tmp_path_factory.mktemp("made"), year=2023)


class Command:
    """``opvalue regrade`` as a process, with a temporary folder of its own to look into afterwards."""

    def __init__(self, process: Process, world: World) -> None:
        self.process = process
        self.world = world
        self.output = process.folder / "observation.json"
        self.temporary = process.folder / "temporary"
        self.temporary.mkdir()
        # A Python whose files may not grow would leave its own caches cut.
        process.env |= {"TMPDIR": str(self.temporary), "PYTHONDONTWRITEBYTECODE": "1"}

    def argv(self, artifact: Path, *more: str, checkout: Path | None = None) -> list[str]:
        where = ["--artifact", str(artifact), "--checkout", str(checkout or self.world.repository.path)]
        return ["regrade", "123456", "-R", "github.com/acme/widgets", "--evidence-at", AT, *where, *more]

    def run(self, artifact: Path, *more: str, checkout: Path | None = None, **how: Any) -> Answer:
        return self.process.run(*self.argv(artifact, *more, checkout=checkout), **how)

    def refused(self, artifact: Path, code: str, status: int, *more: str, checkout: Path | None = None) -> None:
        """Run it into a refusal: by words, and with ``--json`` and ``--output``."""
        before = digest_of(artifact) if artifact.exists() else None
        spoken = self.run(artifact, *more, checkout=checkout)
        assert (spoken.status, spoken.out) == (status, ""), spoken.err
        assert f"[{code}]" in spoken.err.split("\n")[0]
        wanted = self.run(artifact, "--json", "--output", str(self.output), *more, checkout=checkout)
        assert (wanted.status, wanted.err) == (status, "")
        assert (wanted.error["code"], bool(wanted.error["hint"])) == (code, True)
        assert "Traceback" not in spoken.err + wanted.out
        assert before == (digest_of(artifact) if artifact.exists() else None)
        self.nothing_left()

    def nothing_left(self) -> None:
        assert not self.output.exists()
        assert list(self.temporary.iterdir()) == []


@pytest.fixture
def command(process: Process, made: World, tmp_path: Path) -> Command:
    made.notes.unlink(missing_ok=True)
    return Command(process, made.sharing(tmp_path))


def test_a_dash_is_no_file(command: Command) -> None:
    answer = command.run(command.world.artifact(), "--output", "-")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == (
        "opvalue: --output takes a file's name [usage]\n  found     -\n  do        For standard output, use --json.\n"
    )
    assert not (command.process.folder / "-").exists()
    command.nothing_left()


def test_the_untouched_run_is_regraded(command: Command) -> None:
    """What keeps the tests below honest."""
    answer = command.run(command.world.artifact(), "--json", "--output", str(command.output))
    assert (answer.status, answer.err) == (0, "")
    assert command.output.read_text() == answer.out
    assert json.loads(answer.out)["results"][0]["value"] == 2 / 3
    assert list(command.temporary.iterdir()) == []


CUTS = [0, 0.001, 2, 3, 4, 30, 100, 0.25, 0.5, 0.75, 0.95, -23, -22, -21, -2, -1]


@pytest.mark.parametrize("cut", CUTS)
def test_a_truncated_zip(command: Command, cut: float) -> None:
    artifact = command.world.artifact()
    data = artifact.read_bytes()
    artifact.write_bytes(data[: int(len(data) * cut if 0 < cut < 1 else cut)])
    answer = command.run(artifact)
    assert (answer.status, answer.out) == (6, "")
    assert answer.err.split("\n")[0].endswith(("[archive.cut]", "[archive.not-a-zip]", "[archive.malformed]"))
    command.nothing_left()


NOISE = bytes(range(256)) * 8


@pytest.mark.parametrize(
    ("name", "code", "status"),
    [
        (MANIFEST, "records.manifest-malformed", 6),
        (RESULTS, "records.results-malformed", 6),
        (EVALUATOR, "archive.evaluator-not-utf8", 5),
    ],
)
@pytest.mark.parametrize("layout", ["zip", "folder"])
def test_noise_in_each_file(command: Command, name: str, code: str, status: int, layout: str) -> None:
    command.world.members[name] = NOISE
    command.refused(command.world.artifact() if layout == "zip" else command.world.unpacked(), code, status)


def test_noise_for_an_artifact(command: Command, tmp_path: Path) -> None:
    (tmp_path / "noise.zip").write_bytes(NOISE)
    command.refused(tmp_path / "noise.zip", "archive.not-a-zip", 6)
    (tmp_path / "noise.zip").write_bytes(b"PK\x03\x04" + NOISE)
    command.refused(tmp_path / "noise.zip", "archive.cut", 6)


# Without a HEAD git can read, the folder is no repository at all: a mistake of the caller's as far as anybody can tell.
@pytest.mark.parametrize(("victim", "status"), [("HEAD", 2), ("config", 5), ("objects", 5)])
def test_noise_in_the_checkout(command: Command, tmp_path: Path, victim: str, status: int) -> None:
    world = World(tmp_path / "own", year=2023)
    if victim == "objects":
        loose = world.repository.path / ".git/objects" / world.commit[:2] / world.commit[2:]
        loose.chmod(0o644)
        loose.write_bytes(NOISE)
    else:
        (world.repository.path / ".git" / victim).write_bytes(NOISE)
    answer = command.run(world.artifact(), checkout=world.repository.path)
    assert (answer.status, answer.out) == (status, "")
    # Git's own words may take several lines.
    assert "[checkout." in answer.err
    command.nothing_left()


@pytest.mark.parametrize("name", MEMBERS)
def test_a_folder_for_each_file(command: Command, name: str) -> None:
    artifact = command.world.unpacked()
    (artifact / FOLDER / name).unlink()
    (artifact / FOLDER / name).mkdir()
    command.refused(artifact, "archive.not-regular", 5)


def test_paths_of_another_kind(command: Command, tmp_path: Path) -> None:
    artifact = command.world.artifact()
    command.refused(tmp_path / "absent.zip", "archive.absent", 6)
    command.refused(artifact / "below", "archive.absent", 6)
    command.refused(FULL if FULL.exists() else Path(os.devnull), "archive.not-a-file", 6)
    command.refused(artifact, "checkout.not-a-repository", 2, checkout=artifact)
    command.refused(artifact, "checkout.not-a-repository", 2, checkout=tmp_path / "absent")


def test_a_name_longer_than_the_system_allows(command: Command) -> None:
    answer = command.run(Path("x" * 5000))
    assert (answer.status, answer.out) == (6, "")
    assert "[archive.unreadable]" in answer.err.split("\n")[0]


@pytest.mark.parametrize("name", [MANIFEST, RESULTS])
@pytest.mark.parametrize("text", [BRACKETS, b'{"a":' * 100_000, b"[" * 100_000], ids=["arrays", "objects", "open"])
def test_a_hundred_thousand_brackets(command: Command, name: str, text: bytes) -> None:
    command.world.members[name] = text
    room = "manifest" if name == MANIFEST else "results"
    answer = command.run(command.world.artifact())
    assert answer.status == 6
    assert f"{name} is nested too deeply [records.{room}-malformed]" in answer.err
    command.nothing_left()


def adopted(tmp_path: Path, mode: bytes, command: bytes) -> World:
    world = World(tmp_path / "own", year=2023)
    function = b"grade_run" if mode == b"--grade-run" else b"definition"
    world.adopt(world.evaluator.replace(mode + b") " + function, mode + b") " + command))
    return world


@pytest.mark.parametrize("mode", [b"--definition", b"--grade-run"])
def test_a_hundred_thousand_brackets_printed(command: Command, tmp_path: Path, mode: bytes) -> None:
    world = adopted(tmp_path, mode, b"printf '[%.0s' {1..100000}")
    command.world = world
    command.refused(world.artifact(), "contract.output-not-json", 7)


def test_brackets_in_the_frontmatter(command: Command, tmp_path: Path) -> None:
    world = World(tmp_path / "own", year=2023)
    world.recommit(
        {".github/workflows/issue-triage.md": b"---\ngraders: {operational-value: " + BRACKETS + b"}\n---\n"}
    )
    command.world = world
    command.refused(world.artifact(), "trust.workflow-malformed", 5)


def limited(number: int, size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(number, (size, size))


def test_no_room_for_the_private_copy(command: Command) -> None:
    """A file-size limit stands for a full disk: each write past it fails."""
    answer = command.run(command.world.artifact(), "--no-sandbox", preexec_fn=limited(resource.RLIMIT_FSIZE, 100))
    assert (answer.status, answer.out) == (2, "")
    assert "[evaluator.cannot-lay]" in answer.err.split("\n")[0]
    command.nothing_left()


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """Give a file system with room for four kibibytes."""
    place = tmp_path / "tiny"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("root may mount, unless this is a container")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_no_room_for_the_output(command: Command, tiny: Path) -> None:
    (tiny / "ballast").write_bytes(b"x" * 4096)
    answer = command.run(command.world.artifact(), "--json", "--output", str(tiny / "observation.json"))
    assert (answer.status, answer.error["code"]) == (2, "output.unwritable")
    assert "No space left" in answer.error["message"]
    assert [file.name for file in tiny.iterdir()] == ["ballast"]


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_no_room_on_standard_output(command: Command, more: list[str]) -> None:
    with FULL.open("wb") as full:
        answer = command.run(command.world.artifact(), *more, stdout=full)
    assert answer.status == 2
    assert "[cli.output-closed]" in answer.err
    assert "Traceback" not in answer.err
    assert "Exception ignored" not in answer.err
    command.nothing_left()


def test_the_same_observation_twice_is_one_file(command: Command) -> None:
    artifact, output = command.world.artifact(), str(command.output)
    first = command.run(artifact, "--output", output)
    assert (first.status, first.err) == (0, f"wrote the observation to {output}\n")
    kept = command.output.read_bytes()
    second = command.run(artifact, "--output", output)
    assert (second.status, second.err) == (0, f"{output} holds the observation already\n")
    assert command.output.read_bytes() == kept
    later = command.process.run(
        *[
            "2023-08-26T00:00:00Z" if word == AT else word
            for word in command.argv(artifact, "--json", "--output", output)
        ]
    )
    assert (later.status, later.error["code"]) == (2, "output.exists")
    for noise in (b"{", b"[]", b'{"a": 1, "a": 2}', kept.replace(b"true", b"false", 1)):
        command.output.write_bytes(noise)
        assert command.run(artifact, "--json", "--output", output).error["code"] == "output.exists"
        assert command.output.read_bytes() == noise


def test_outputs_that_cannot_be_written(command: Command, tmp_path: Path) -> None:
    artifact = command.world.artifact()
    (tmp_path / "folder").mkdir()
    (tmp_path / "taken").write_text("mine")
    for name, code in [
        ("folder", "output.unwritable"),
        ("absent/observation.json", "output.unwritable"),
        ("agent.zip/observation.json", "output.unwritable"),
        ("taken", "output.exists"),
        ("agent.zip", "output.exists"),
        ("x" * 300, "output.unwritable"),
    ]:
        before = digest_of(artifact)
        answer = command.run(artifact, "--json", "--output", str(tmp_path / name))
        assert (answer.status, answer.error["code"]) == (2, code), name
        assert digest_of(artifact) == before
    assert (tmp_path / "taken").read_text() == "mine"
    assert list((tmp_path / "folder").iterdir()) == []
    command.nothing_left()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_no_permission(command: Command, tmp_path: Path) -> None:
    artifact = command.world.artifact()
    (tmp_path / "closed").mkdir(mode=0o500)
    answer = command.run(artifact, "--json", "--output", str(tmp_path / "closed/observation.json"))
    assert (answer.status, answer.error["code"]) == (2, "output.unwritable")
    artifact.chmod(0)
    answer = command.run(artifact, "--json")
    assert (answer.status, answer.error["code"]) == (6, "archive.unreadable")
    artifact.chmod(0o600)
    (tmp_path / "closed").chmod(0)
    for checkout, status in ((tmp_path / "closed", 5), (tmp_path / "closed/below", 2)):
        answer = command.run(artifact, "--json", checkout=checkout)
        assert answer.status == status
        assert answer.error["code"] == ("checkout.git-failed" if status == 5 else "checkout.not-a-repository")
    command.temporary.chmod(0o500)
    answer = command.run(artifact, "--json", "--no-sandbox")
    assert (answer.status, answer.error["code"]) == (2, "process.no-private-folder")


SLOW = b"touch '%b'; sleep 321.5 & sleep 321.5"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
@pytest.mark.parametrize("mode", [b"--definition", b"--grade-run"])
def test_interrupted_in_the_middle(command: Command, tmp_path: Path, number: signal.Signals, mode: bytes) -> None:
    marker = tmp_path / "reached"
    world = adopted(tmp_path, mode, SLOW % os.fsencode(marker))
    command.world = world
    artifact = world.artifact()
    before = digest_of(artifact)
    argv = command.argv(artifact, "--json", "--no-sandbox", "--output", str(command.output))
    child = command.process.start(*argv)
    until(marker.exists)
    assert len(list(command.temporary.iterdir())) == 1
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (130, b"")
    assert json.loads(out)["error"]["code"] == "interrupted"
    assert sleeping() == []
    assert digest_of(artifact) == before
    command.nothing_left()


def until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.01)


def sleeping() -> list[str]:
    """Return the processes of the slow evaluator that are still there."""
    listed = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, check=False, text=True)
    return [line for line in listed.stdout.splitlines() if line.strip() == "sleep 321.5"]


USAGE = [
    (["--evidence-at", "yesterday"], "instant.refused"),
    (["--evidence-at", "2023-08-25"], "instant.refused"),
    (["--evidence-at", "2023-08-19T00:00:00Z"], "regrade.evidence-before-run"),
    (["--evidence-at", "9999-01-01T00:00:00Z"], "regrade.evidence-in-future"),
    (["-R", "acme"], "identity.repository"),
    (["-R", "a/b/c/d"], "identity.repository"),
    (["--renamed-from", "x"], "identity.repository"),
    (["--commit", "main"], "usage"),
    (["--attempt", "0"], "usage"),
    (["--contract", "other"], "usage"),
    (["--require-sandbox", "--no-sandbox"], "usage"),
    (["--nonsense"], "usage"),
]


@pytest.mark.parametrize(("more", "code"), USAGE)
def test_a_command_line_that_makes_no_sense(command: Command, more: list[str], code: str) -> None:
    command.refused(command.world.artifact(), code, 2, *more)


@pytest.mark.parametrize(
    "run", ["0", "-1", "12345678901234567890123", "1e5", "\uff11\uff12", "", "https://x/y", "12 3"]
)
def test_a_run_that_is_none(command: Command, run: str) -> None:
    argv = command.argv(command.world.artifact(), "--json")
    argv[1] = run
    answer = command.process.run(*argv[:1], *argv[2:], "--", run)
    assert (answer.status, answer.error["code"]) == (2, "identity.run")
