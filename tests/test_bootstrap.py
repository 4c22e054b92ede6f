"""The set-up script on made-up machines: every program it calls is a stub that notes how it was called."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ("sh", "cat", "cksum", "dirname", "rm", "mkdir", "cp", "chmod")
PYTHON = """#!/bin/sh
echo "${0##*/} $*" >>"$LOG"
case "$*" in
    *'< (3, 11)'*) [ ! -e "$STATE/${0##*/}-old" ] ;;
    *ensurepip*) [ ! -e "$STATE/no-venv" ] ;;
    *'%d.%d'*) echo 3.11 ;;
    *sys.version\\)*) echo '3.11.2 (main)' ;;
    '-m venv .venv') mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    '-m pip '*) [ ! -e "$STATE/no-index" ] ;;
esac
"""
APT = """#!/bin/sh
echo "apt-get $*" >>"$LOG"
[ ! -e "$STATE/no-packages" ] || exit 100
for word in "$@"; do
    case $word in
        jq | git | bash) cp "$STATE/program" "$STUBS/$word" ;;
        bubblewrap) cp "$STATE/program" "$STUBS/bwrap" ;;
        python3*-venv) rm -f "$STATE/no-venv" ;;
        python3) cp "$STATE/python" "$STUBS/python3" ;;
    esac
done
"""


class Done(NamedTuple):
    """How the script ended, what it said, and what it called."""

    status: int
    said: str
    called: list[str]


class Machine:
    """A folder with a copy of the script, and stubs as the only programs."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "a project"
        self.stubs, self.tools, self.state = folder / "stubs", folder / "tools", folder / "state"
        for place in (self.project / "scripts", self.stubs, self.tools, self.state):
            place.mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "bootstrap", self.project / "scripts")
        (self.project / "pyproject.toml").write_text("[project]\n")
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.tools / tool).symlink_to(found)
        (self.state / "python").write_text(PYTHON)
        (self.state / "python").chmod(0o755)
        (self.state / "program").write_text("#!/bin/sh\n")
        (self.state / "program").chmod(0o755)
        self.has("uname", "#!/bin/sh\necho Linux\n")
        self.has("id", "#!/bin/sh\necho 1000\n")
        for program in ("bash", "jq", "git", "bwrap"):
            self.has(program)
        self.has("python3", PYTHON)

    def has(self, program: str, text: str = "#!/bin/sh\n") -> None:
        """Put a program on the machine."""
        (self.stubs / program).write_text(text)
        (self.stubs / program).chmod(0o755)

    def lacks(self, *programs: str) -> None:
        """Take programs away."""
        for program in programs:
            (self.stubs / program).unlink()

    def is_root(self) -> None:
        """Make the user root on a Debian."""
        self.has("id", "#!/bin/sh\necho 0\n")
        self.has("apt-get", APT)

    def that(self, state: str) -> None:
        """Set a flag that the stubs look at."""
        (self.state / state).touch()

    def run(self, purpose: str = "run") -> Done:
        """Run the script."""
        log = self.state / "log"
        log.write_text("")
        env = {
            "PATH": f"{self.stubs}:{self.tools}",
            "LOG": str(log),
            "STATE": str(self.state),
            "STUBS": str(self.stubs),
        }
        script = self.project / "scripts" / "bootstrap"
        done = subprocess.run([script, purpose], env=env, cwd="/", capture_output=True, text=True, check=False)
        assert done.stdout == ""
        return Done(done.returncode, done.stderr, log.read_text().splitlines())

    @property
    def installs(self) -> list[str]:
        """Which installations the last run made."""
        return [line for line in (self.state / "log").read_text().splitlines() if " install " in line]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Give a Linux where everything is there."""
    return Machine(tmp_path)


def test_a_first_run_installs_and_a_second_does_nothing(machine: Machine) -> None:
    first = machine.run()
    assert first.status == 0
    assert machine.installs == ["python -m pip install --quiet --disable-pip-version-check --editable ."]
    second = machine.run()
    assert (second.status, second.said) == (0, "")
    assert machine.installs == []


def test_developers_get_more_and_then_a_user_has_enough(machine: Machine) -> None:
    machine.run()
    assert machine.run("dev").status == 0
    assert machine.installs == ["python -m pip install --quiet --disable-pip-version-check --editable .[dev]"]
    assert machine.run().said == ""
    assert machine.run("dev").said == ""


def test_a_changed_project_file_reinstalls(machine: Machine) -> None:
    machine.run()
    (machine.project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert machine.run().status == 0
    assert len(machine.installs) == 1


def test_a_moved_project_reinstalls(machine: Machine) -> None:
    machine.run()
    machine.project = machine.project.rename(machine.project.parent / "moved")
    assert machine.run().status == 0
    assert len(machine.installs) == 1


def test_a_broken_environment_is_made_anew(machine: Machine) -> None:
    machine.run()
    (machine.project / ".venv" / "bin" / "python").unlink()
    done = machine.run()
    assert done.status == 0
    assert "making the virtual environment" in done.said
    assert len(machine.installs) == 1


def test_a_failed_installation_is_said_and_tried_again(machine: Machine) -> None:
    machine.that("no-index")
    failed = machine.run()
    assert failed.status == 1
    assert "needs a package index" in failed.said
    (machine.state / "no-index").unlink()
    assert machine.run().status == 0


def test_what_is_missing_is_named_with_the_command(machine: Machine) -> None:
    machine.lacks("jq", "git")
    machine.has("apt-get", APT)
    done = machine.run()
    assert done.status == 1
    assert done.said.splitlines() == ["bootstrap: missing: jq git", "bootstrap:   do: sudo apt-get install jq git"]
    assert done.called == []


def test_on_macos_it_is_brew(machine: Machine) -> None:
    machine.has("uname", "#!/bin/sh\necho Darwin\n")
    machine.lacks("jq", "bwrap")
    done = machine.run()
    assert done.status == 1
    assert done.said.splitlines() == ["bootstrap: missing: jq", "bootstrap:   do: brew install jq"]


def test_on_another_system_the_package_is_named(machine: Machine) -> None:
    machine.lacks("jq")
    assert "install jq with your system's package manager" in machine.run().said


def test_without_bubblewrap_it_goes_on_and_says_so(machine: Machine) -> None:
    machine.lacks("bwrap")
    machine.has("apt-get", APT)
    done = machine.run()
    assert done.status == 0
    assert "evaluators will run without a sandbox" in done.said
    assert "sudo apt-get install bubblewrap" in done.said


def test_root_gets_what_is_missing(machine: Machine) -> None:
    machine.is_root()
    machine.lacks("jq", "bwrap")
    assert machine.run().status == 0
    assert [line for line in machine.installs if line.startswith("apt-get")] == [
        "apt-get install -y -qq --no-install-recommends jq",
        "apt-get install -y -qq --no-install-recommends bubblewrap",
    ]
    assert [line for line in (machine.state / "log").read_text().splitlines() if "update" in line] == [
        "apt-get update -qq"
    ]


def test_root_without_packages_is_told(machine: Machine) -> None:
    machine.is_root()
    machine.that("no-packages")
    machine.lacks("jq", "bwrap")
    done = machine.run()
    assert done.status == 1
    assert "missing: jq" in done.said
    assert "evaluators will run without a sandbox" in done.said


def test_an_old_python_is_passed_over(machine: Machine) -> None:
    machine.that("python3-old")
    machine.has("python3.12", PYTHON)
    done = machine.run()
    assert done.status == 0
    assert "with " + str(machine.stubs / "python3.12") in done.said


def test_without_a_python_the_command_is_named(machine: Machine) -> None:
    machine.lacks("python3")
    machine.has("apt-get", APT)
    done = machine.run()
    assert done.status == 1
    assert "there is no Python 3.11 or newer" in done.said
    assert "sudo apt-get install python3 python3-venv" in done.said


def test_without_the_means_for_environments_the_package_is_named(machine: Machine) -> None:
    machine.that("no-venv")
    machine.has("apt-get", APT)
    done = machine.run()
    assert done.status == 1
    assert "sudo apt-get install python3.11-venv" in done.said
    machine.is_root()
    assert machine.run().status == 0


def test_root_gets_a_python(machine: Machine) -> None:
    machine.is_root()
    machine.lacks("python3")
    assert machine.run().status == 0
    assert "apt-get install -y -qq --no-install-recommends python3 python3-venv" in machine.installs


def test_an_unknown_purpose_is_refused(machine: Machine) -> None:
    done = machine.run("walk")
    assert done.status == 2
    assert "usage: scripts/bootstrap run|dev" in done.said
