"""The stand-in as a process: odd places, nobody to talk to, readers that leave, signals, bytes that are no text."""

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.evaluator import interpreter
from opvalue.evaluator.staged import STAND_IN
from opvalue.evidence.gh import PROFILE, stand_in
from opvalue.evidence.gh.inside import launcher
from opvalue.identity.repository import GITHUB
from opvalue.process import Mount, detect
from opvalue.process.sandbox import INSIDE
from tests.evidence.gh.laid import JQ, StandInHere, lay, standing_in
from tests.evidence.gh.world import world
from tests.sim import Sim

ISSUE = "repos/acme/widgets/issues/1"
NUMBER = ("api", ISSUE, "--jq", ".number")


@pytest.fixture
def sim() -> Sim:
    return world()


def test_on_the_path_of_a_script(gh: StandInHere) -> None:
    ran = gh.shell(f'n=$(gh api {ISSUE} --jq .number) && echo "[$n]"; gh api {ISSUE}/absent >/dev/null || echo $?')
    assert ran.out == b"[1]\n1\n"
    assert ran.err == b"gh: Not Found (HTTP 404)\n"


def test_standard_input_is_left_to_the_loop(gh: StandInHere) -> None:
    ran = gh.shell(f'while read -r n; do gh api {ISSUE} --jq "\\"$n \\(.number)\\""; done', stdin=b"a\nb\nc\n")
    assert ran.out == b"a 1\nb 1\nc 1\n"


def test_an_interpreter_whose_path_has_blanks_and_quotes(sim: Sim, tmp_path: Path) -> None:
    place = tmp_path / 'it\'s a "$HOME" \\n place'
    place.mkdir()
    python = place / "python"
    python.symlink_to(interpreter().program)
    with standing_in(sim, tmp_path / "x", python=python) as gh:
        assert (gh.folder / "stand-in" / "gh").read_bytes().startswith(b"#!/bin/sh\n")
        assert gh(*NUMBER).out == b"1\n"
        assert gh.shell(f"gh api {ISSUE} --jq .number").out == b"1\n"
        assert gh.shell(f"cd ..; PATH=stand-in gh api {ISSUE} --jq .number").out == b"1\n"


def test_an_interpreter_whose_path_is_long(sim: Sim, tmp_path: Path) -> None:
    place = tmp_path / ("long" * 30)
    place.mkdir()
    (place / "python").symlink_to(interpreter().program)
    with standing_in(sim, tmp_path / "x", python=place / "python") as gh:
        assert gh(*NUMBER).out == b"1\n"


def test_a_folder_whose_name_is_longer_than_a_socket_may_have(sim: Sim, tmp_path: Path) -> None:
    # The broker binds by its plain name as well.
    deep = tmp_path / ("deep" * 40)
    lay(deep)
    with standing_in(sim, tmp_path / "x") as gh:
        os.rename(gh.folder / "broker" / "socket", deep / "broker" / "socket")  # noqa: PTH104
        program = str(deep / "stand-in" / "gh")
        assert gh.run([program, *NUMBER], b"", None).out == b"1\n"
        (gh.folder / "scratch" / "note").write_bytes(b"is:closed")
        argv = [program, "api", "-XGET", "search/issues", "-F", "q=@note", "--jq", ".total_count"]
        assert gh.run(argv, b"", None).out == b"4\n"


@pytest.mark.parametrize("argv", [NUMBER, ("pr", "list"), ("api", ISSUE, "--template", "{{.}}")])
def test_no_broker(tmp_path: Path, argv: tuple[str, ...]) -> None:
    program = lay(tmp_path / "x")
    ran = subprocess.run([program, *argv], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr.count(b"\n")) == (1, b"", 1)
    assert ran.stderr.startswith(b"gh: ")


def test_no_broker_is_said_in_one_line(tmp_path: Path) -> None:
    program = lay(tmp_path / "x")
    ran = subprocess.run([program, "api", ISSUE], capture_output=True, check=False)
    assert ran.stderr == b"gh: no word from the evidence broker: No such file or directory\n"
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(tmp_path / "x" / "broker" / "socket"))
    ran = subprocess.run([program, "api", ISSUE], capture_output=True, check=False)
    assert ran.stderr == b"gh: no word from the evidence broker: Connection refused\n"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"", b"gh: the evidence broker's answer was cut short\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Len", b"gh: the evidence broker's answer was cut short\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", b"gh: the evidence broker's answer was cut short\n"),
        (b"nonsense\r\n\r\n", b"gh: the evidence broker's answer was cut short\n"),
        (b"HTTP/1.1 599 Not Observed\r\nContent-Length: 4\r\n\r\nwhy\n", b"gh: why\n"),
        (b"HTTP/1.1 599 Not Observed\r\nContent-Length: 0\r\n\r\n", b"gh: the evidence broker has no answer\n"),
    ],
)
def test_what_is_no_answer(gh: StandInHere, answer: bytes, said: bytes) -> None:
    gh.bridge.raw = answer
    try:
        ran = gh("api", ISSUE)
    finally:
        gh.bridge.raw = None
    assert ran == (1, b"", said)


def test_a_refusal_before_everything_was_read(gh: StandInHere) -> None:
    gh.bridge.raw = b"HTTP/1.1 599 Not Observed\r\nContent-Length: 9\r\n\r\ntoo large"
    try:
        ran = gh("api", "graphql", "--input", "-", stdin=b"x" * (1 << 20))
    finally:
        gh.bridge.raw = None
    assert ran.status == 1
    assert ran.err in {b"gh: too large\n", b"gh: no word from the evidence broker: Connection reset by peer\n"}


def test_a_large_answer(sim: Sim, tmp_path: Path) -> None:
    sim.repositories[42].evidence.files["large.bin"] = large = os.urandom(1 << 20) * 24
    with standing_in(sim, tmp_path / "x") as gh:
        ran = gh("api", "repos/acme/widgets/contents/large.bin", "-H", "Accept: application/vnd.github.raw")
    assert ran.out == large


def test_a_reader_that_leaves(gh: StandInHere) -> None:
    for program in ("gh", "gh --version", f"gh api --paginate {ISSUE}"):
        ran = gh.shell(f"set -o pipefail; {program} | true; gh api {ISSUE} 2>&- >&-; exit 0")
        assert ran.err == b"", program
    ran = gh.shell(f"exec 3> >(exit 0); sleep 0.2; gh api {ISSUE} >&3; echo $?")
    assert (ran.out, ran.err) == (b"141\n", b"")


def test_all_pages_are_asked_for_whoever_reads(gh: StandInHere) -> None:
    before = len(gh.bridge.heads)
    ran = gh.shell("gh api --paginate repos/acme/widgets/issues?state=all\\&per_page=10 --jq '.[].number' | head -1")
    assert ran.out == b"70\n"
    assert len(gh.bridge.heads) - before == 7


def test_fields_are_for_the_first_page_and_links_for_the_others(gh: StandInHere) -> None:
    before = len(gh.bridge.heads)
    words = ("-XGET", "repos/acme/widgets/issues", "-f", "state=all", "-F", "per_page=50", "--jq", "length")
    assert gh("api", "--paginate", *words).out == b"50\n20\n"
    root = "http://api.github.localhost/repos/acme/widgets/issues"
    assert [head.split(b" ")[1].decode() for head in gh.bridge.heads[before:]] == [
        "/repos/acme/widgets/issues?per_page=50&state=all",
        f"{root}?per_page=50&state=all&page=2",
    ]


def test_streams_that_are_closed(gh: StandInHere) -> None:
    assert gh.shell(f"gh api {ISSUE} --jq .number <&-").out == b"1\n"
    assert gh.shell("gh api nonsense 2>&-; echo $?").out.endswith(b"1\n")
    told = list(gh.bridge.told)
    ran = gh.shell(f"gh api {ISSUE} >&- || echo $?; gh api {ISSUE} --jq .number >&- 2>&- || echo $?")
    assert (ran.out, ran.err) == (b"1\n1\n", b"write /dev/stdout: bad file descriptor\n")
    assert gh.bridge.told == told


def test_an_answer_that_cannot_be_written_sticks(gh: StandInHere) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("/dev/full is not on this system")
    ran = gh.shell(f"gh api {ISSUE} >/dev/full || echo $?")
    assert (ran.out, ran.err) == (b"1\n", b"gh: write /dev/stdout: no space left on device\n")
    assert gh.bridge.told[-1] == f"unsupported gh api {ISSUE}: write /dev/stdout: no space left on device"


@contextmanager
def waiting(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Give a stand-in that waits for an answer that does not come."""
    program = lay(folder)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "broker" / "socket"))
        listening.listen(1)
        with subprocess.Popen([program, "api", ISSUE], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                yield child
            child.wait(20)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_silently(tmp_path: Path, number: signal.Signals) -> None:
    with waiting(tmp_path / "x") as child:
        child.send_signal(number)
        out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err) == (-number, b"", b"")


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    script = f"trap '' INT; exec '{lay(tmp_path / 'x')}' --version & kill -INT $!; wait $!"
    ran = subprocess.run(["/bin/bash", "-c", script], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX", "de_DE.ISO-8859-1"])
def test_bytes_pass_in_every_locale(gh: StandInHere, locale: str) -> None:
    env = {"LC_ALL": locale}
    ran = gh("api", "repos/acme/widgets/contents/docs/ü", env=env)
    assert ran.first_line == b"gh: Not Found (HTTP 404)"
    assert b"docs/%C3%BC" in gh.bridge.heads[-1]
    gh.shell("gh api -XGET search/issues -f q=$'caf\\xe9 \\xc3\\xa9'", env=env)
    assert b"q=caf%E9+%C3%A9" in gh.bridge.heads[-1]
    assert gh("api", ISSUE, "--jq", '"ü"', env=env).out == "ü\n".encode()


def test_forty_at_once(gh: StandInHere) -> None:
    script = f"for i in {{1..40}}; do gh api {ISSUE} --jq .number >$i.txt & done; wait; cat *.txt | sort | uniq -c"
    ran = gh.shell(f"mkdir many && cd many && {script}; cd ..; rm -r many")
    assert ran.out.split() == [b"40", b"1"]


def test_nothing_is_written_and_nothing_imported_from_the_working_folder(sim: Sim, tmp_path: Path) -> None:
    with standing_in(sim, tmp_path / "x") as gh:
        scratch = gh.folder / "scratch"
        for name in ("json", "posix", "_socket", "re", "gh_stand_in", "sitecustomize"):
            (scratch / f"{name}.py").write_text("raise SystemExit('hijacked')\n")
        before = sorted(path.name for path in gh.folder.rglob("*"))
        env = {"PYTHONPATH": str(scratch), "PYTHONSTARTUP": str(scratch / "re.py"), "PYTHONHOME": "/nowhere"}
        assert gh(*NUMBER, env=env).out == b"1\n"
        assert sorted(path.name for path in gh.folder.rglob("*")) == before


def test_code_of_another_interpreter_is_not_run(gh: StandInHere, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(gh.folder / "stand-in", folder)
    code = folder / "gh.code"
    data = code.read_bytes()
    for changed in (data.replace(b"3.", b"2.", 1), b"", data[:100], data.partition(b"\n")[0] + b"\nnonsense"):
        code.chmod(0o600)
        code.write_bytes(changed)
        ran = gh.run([str(folder / "gh"), "--version"], b"", None)
        assert (ran.status, ran.out) == (1, b"")
        assert ran.err == b"gh: the stand-in's code is not there, or was made for another Python\n"


def test_jq_that_cannot_be_started_sticks(sim: Sim, tmp_path: Path) -> None:
    with standing_in(sim, tmp_path / "x", jq=tmp_path / "absent") as gh:
        ran = gh(*NUMBER)
        assert (ran.status, ran.err) == (1, b"gh: jq cannot be started: No such file or directory\n")
        assert gh.bridge.told[0].startswith(f"unsupported gh api {ISSUE} --jq .number: jq cannot")


def test_jq_that_is_killed_sticks(sim: Sim, tmp_path: Path) -> None:
    program = tmp_path / "jq"
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    program.chmod(0o700)
    with standing_in(sim, tmp_path / "x", jq=program) as gh:
        assert gh(*NUMBER).status == 1
        assert len(gh.bridge.told) == 1


def test_jq_that_reads_nothing(sim: Sim, tmp_path: Path) -> None:
    program = tmp_path / "jq"
    program.write_text("#!/bin/sh\nexec <&-\necho '\"done\"'\n")
    program.chmod(0o700)
    sim.repositories[42].evidence.issues[1].body = "x" * (1 << 20)
    with standing_in(sim, tmp_path / "x", jq=program) as gh:
        assert gh(*NUMBER) == (0, b"done\n", b"")


@pytest.mark.parametrize("program", [".[[", "nosuch", "$nosuch", "if"])
def test_a_program_that_jq_does_not_understand_sticks(gh: StandInHere, program: str) -> None:
    before = len(gh.bridge.told)
    ran = gh("api", ISSUE, "--jq", program)
    assert (ran.status, ran.out) == (1, b"")
    assert len(gh.bridge.told) == before + 1


def test_an_error_within_a_program_does_not_stick(gh: StandInHere) -> None:
    before = list(gh.bridge.told)
    assert gh("api", ISSUE, "--jq", '.number, error("x")').out == b"1\n"
    assert gh("api", "--nonsense").status == 1
    assert gh("api", ISSUE, "-F", "x=@absent").status == 1
    assert gh.bridge.told == before


def test_in_the_sandbox(sim: Sim, tmp_path: Path) -> None:
    python = interpreter()
    sandbox = detect((JQ, python.program), python.libraries).required()
    with standing_in(sim, tmp_path / "x") as gh:
        held = sandbox.holding(Mount(gh.folder, INSIDE))
        script = f"export PATH={INSIDE}/stand-in:/usr/bin:/bin; gh api {ISSUE} --jq .number; gh api {ISSUE}/absent"
        read, write = os.pipe()
        argv = held.wrap(("/bin/bash", "-c", script), Path(INSIDE), write)
        ran = subprocess.run(argv, capture_output=True, check=False, pass_fds=(write,), env=gh.env)
        os.close(read)
        os.close(write)
    assert (ran.returncode, ran.stderr) == (1, b"gh: Not Found (HTTP 404)\n")
    assert ran.stdout.startswith(b'1\n{"message": "Not Found"')


def test_what_is_laid() -> None:
    made = stand_in(host=GITHUB, repository="acme/widgets", jq=JQ)
    files = dict(made.files)
    assert files["gh"].splitlines()[0] == b"#!" + os.fsencode(interpreter().program) + b" -IS"
    assert sorted(files) == ["gh", "gh.code"]
    assert files == dict(stand_in(host=GITHUB, repository="acme/widgets", jq=JQ).files)
    assert PROFILE == "gh-2.48"


def test_the_placeholder_token_and_no_other(gh: StandInHere) -> None:
    assert gh("auth", "token").out == gh.env["GH_TOKEN"].encode() + b"\n"
    assert gh("auth", "token", env={"GH_TOKEN": ""}).out == gh.env["GH_TOKEN"].encode() + b"\n"
    assert b"authorization" not in b"".join(gh.bridge.heads).lower()


def test_requests_on_the_wire(gh: StandInHere) -> None:
    gh(
        "api",
        ISSUE,
        "-H",
        "Accept: a/b",
        "-p",
        "c",
        "-H",
        "X-GitHub-Api-Version: 2022-11-28",
        "-H",
        "Empty:",
        "-H",
        "Content-Length: 5",
    )
    *lines, command = gh.bridge.heads[-1].decode().split("\r\n")
    assert re.fullmatch("Opvalue-Command: [0-9a-f]{24}", command)
    assert lines == [
        f"GET /{ISSUE} HTTP/1.1",
        "Host: github.localhost",
        "Accept: a/b, application/vnd.github.c-preview+json",
        "X-Github-Api-Version: 2022-11-28",
    ]
    gh("api", "graphql", "--input", "-", stdin=b"{}")
    assert gh.bridge.heads[-1].decode().split("\r\n")[0] == "POST /graphql HTTP/1.1"
    assert "Content-Type: application/json; charset=utf-8" in gh.bridge.heads[-1].decode()
    gh("api", ISSUE, "--hostname", "other.example.com")
    assert "Host: other.example.com" in gh.bridge.heads[-1].decode()
    gh("api", ISSUE, env={"GH_HOST": ""})
    assert "Host: github.localhost" in gh.bridge.heads[-1].decode()


def test_a_branch_that_is_known(sim: Sim, tmp_path: Path) -> None:
    with standing_in(sim, tmp_path / "x", branch="main") as gh:
        assert gh("api", "repos/{owner}/{repo}/branches/{branch}", "--jq", ".name").out == b"main\n"
        ran = gh("api", "repos/{owner}/{repo}/branches/:branch", env={"GH_REPO": "acme/widgets"})
    assert ran.first_line.endswith(b"unable to determine an appropriate value for the 'branch' placeholder")


def test_where_the_sandbox_has_it() -> None:
    assert f"{INSIDE}/{STAND_IN}" == launcher.IN_SANDBOX


def test_it_is_found_behind_links(gh: StandInHere, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "one").symlink_to(gh.folder / "stand-in/gh")
    (folder / "gh").symlink_to("one")
    ran = subprocess.run([folder / "gh", "--version"], capture_output=True, check=False, env=gh.env)
    assert (ran.returncode, ran.stdout[:15]) == (0, b"gh version 2.48")
