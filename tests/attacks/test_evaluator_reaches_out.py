"""A hostile evaluator in the sandbox, with the stand-in and a broker at hand, reaches for all it might get (DESIGN 5).

Each script really tries, and reports what it got; a canary stands where it must not reach.
"""

import os
import socket
import threading
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from opvalue.errors import OpvalueError
from opvalue.evaluator import Runner, interpreter
from opvalue.evidence.broker import Broker, Failure
from opvalue.evidence.gh import stand_in
from opvalue.evidence.scope import Scope
from opvalue.http import NetworkFailed
from opvalue.identity import GITHUB
from opvalue.limits import Limits
from opvalue.process import sandbox
from tests.evaluator.helpers import staged
from tests.process.helpers import the_sandbox
from tests.support.gathering import Table, answer

CANARY: Final = "canary-out-of-reach-5d1e"
PYTHON: Final = interpreter().program


class Got(NamedTuple):
    """What the evaluator brought home, and what the broker saw of it."""

    out: str
    asked: list[str]
    failures: tuple[Failure, ...]
    ended: OpvalueError | None


def run(script: str, *, limits: Limits | None = None, table: Table | None = None) -> Got:
    """Run a script as ``--grade-run`` in the sandbox."""
    the_sandbox()
    limits = limits or Limits(grade_run_seconds=20.0)
    table = table or Table({"/repos/acme/widgets/issues": answer([{"number": 1}])})
    runner = Runner(limits, require_sandbox=True)
    gh = stand_in(host=GITHUB, repository="acme/widgets", python=PYTHON, jq=runner.tools.jq)
    broker = Broker(table, Scope(frozenset({"acme/widgets"}), frozenset({42})), host=GITHUB, limits=limits)
    out, ended = "", None
    with staged(script, runner=runner, stand_in=gh) as ready, broker.listen(ready.broker_folder / "socket"):
        try:
            out = ready.grade_run(b"{}", grace=broker.waited).decode("utf-8", "replace")
        except OpvalueError as error:
            ended = error
    return Got(out, table.asked, broker.failures, ended)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home with everything in it that a thief looks for."""
    home = tmp_path / "home"
    for name in (".config/gh/hosts.yml", ".gitconfig", ".git-credentials", ".netrc", ".ssh/id_ed25519", ".npmrc"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{CANARY}\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(sandbox, "_detected", {})
    return home


def test_the_usual_request_is_answered() -> None:
    got = run("gh api repos/acme/widgets/issues --jq '.[0].number'")
    assert (got.out, got.asked, got.failures, got.ended) == ("1\n", ["/repos/acme/widgets/issues"], (), None)


def test_no_other_process_can_be_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GH_TOKEN", CANARY)
    script = f"""
    for p in /proc/[0-9]* /proc/{os.getpid()} /proc/{os.getppid()}; do
      cat "$p/environ" "$p/cmdline" 2>/dev/null | tr '\\0' '\\n'
      head -c 64 "$p/mem" 2>/dev/null
      ls -l "$p/root/" "$p/cwd/" "$p/fd/" 2>/dev/null
    done
    ls /proc | grep -c '^[0-9]' || :; kill -9 {os.getpid()} {os.getppid()} 2>/dev/null || echo 'no such process'"""
    got = run(script)
    assert CANARY not in got.out
    assert "PYTEST" not in got.out
    assert got.out.endswith("no such process\n")


def test_no_descriptor_of_the_parents_is_open() -> None:
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    try:
        got = run('for f in /proc/$$/fd/*; do echo "${f##*/} $(readlink "$f")"; done')
    finally:
        os.close(reading)
        os.close(writing)
    found = dict(line.split(" ", 1) for line in got.out.splitlines())
    assert {"0", "1", "2"} <= set(found)
    others = {target for number, target in found.items() if number not in {"0", "1", "2", "255"}}
    # The one pipe on which the sandbox tells what was left running; bash keeps its script on 255.
    assert all(target.startswith(("pipe:", "/tmp/opvalue/tree")) for target in others), others
    assert len(others) <= 2


def test_home_and_every_configuration_in_it_are_out_of_reach(home: Path) -> None:
    places = f"~ {home} {os.path.realpath(home)} /root /home/*"
    pattern = f"{CANARY[:-4]}''{CANARY[-4:]}"
    got = run(
        f"""
    for h in {places}; do
      cat "$h"/.config/gh/hosts.yml "$h"/.gitconfig "$h"/.git-credentials "$h"/.netrc "$h"/.ssh/* "$h"/.npmrc
    done 2>/dev/null
    git config --list --global 2>/dev/null; gh auth token; gh auth status 2>&1
    grep -rIs {pattern} /tmp /var/tmp /run /home /root {home} || echo nothing"""
    )
    assert CANARY not in got.out
    assert got.out.endswith("nothing\n")


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_no_network_and_no_name_is_reached() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        got = run(
            f"""
        (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo connected
        (exec 3<>/dev/tcp/localhost/{port}) 2>/dev/null && echo connected
        (exec 3<>/dev/udp/1.1.1.1/53 && echo x >&3) 2>/dev/null && echo sent
        getent hosts api.github.com && echo resolved
        '{PYTHON}' -IS -c 'import socket; socket.create_connection(("127.0.0.1", {port}))' 2>/dev/null && echo connected
        echo done"""
        )
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert got.out == "done\n"


def test_no_other_socket_is_reached(tmp_path: Path) -> None:
    """Neither one that has a name in a folder, nor one in the kernel's own name space, nor the system's usual ones."""
    abstract = f"opvalue-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as named, socket.socket(socket.AF_UNIX) as nameless:
        named.bind(str(tmp_path / "s"))
        nameless.bind(f"\0{abstract}")
        for one in (named, nameless):
            one.listen()
            one.setblocking(False)
        got = run(
            f"""'{PYTHON}' -IS - <<'PY'
import socket
for name in ("{tmp_path}/s", "\\0{abstract}", "/run/docker.sock", "/run/dbus/system_bus_socket"):
    try:
        socket.socket(socket.AF_UNIX).connect(name)
        print("connected", repr(name))
    except OSError:
        pass
print("done")
PY"""
        )
        for one in (named, nameless):
            with pytest.raises(BlockingIOError):
                one.accept()
    assert got.out == "done\n"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("https://evil.example/repos/acme/widgets", "evidence.outside-host"),
        ("http://api.github.com/repos/acme/widgets", "evidence.outside-host"),
        ("https://api.github.com.evil.example/repos/acme/widgets", "evidence.outside-host"),
        ("https://api.github.com@evil.example/", "evidence.outside-host"),
        ("https://api.github.com:8443/repos/acme/widgets", "evidence.outside-host"),
        ("repos/acme/widgets/../../../user", "evidence.path-unclear"),
        ("repos/acme/widgets/%2e%2e/%2e%2e/user", "evidence.path-unclear"),
        ("repos/acme%2Fwidgets/issues", "evidence.path-unclear"),
        ("//evil.example/x", "evidence.path-unclear"),
        ("'repos/acme/widgets\\..\\x'", "evidence.path-unclear"),
        ("--hostname evil.example repos/acme/widgets", "evidence.other-host"),
        ("-H 'Host: evil.example' repos/acme/widgets", "evidence.other-host"),
        ("-H 'Authorization: Bearer x' repos/acme/widgets", "evidence.header-refused"),
        ("-H 'X-HTTP-Method-Override: DELETE' repos/acme/widgets", "evidence.header-refused"),
        ("-H 'Cookie: a=b' repos/acme/widgets", "evidence.header-refused"),
        ("-X DELETE repos/acme/widgets", "evidence.not-a-read"),
        ("-X POST repos/acme/widgets/issues -f title=x", "evidence.not-a-read"),
        ("repos/acme/widgets/issues -f title=x", "evidence.not-a-read"),
        ("graphql -f query='mutation { addStar(input: {starrableId: \"x\"}) { clientMutationId } }'", "evidence.not-a"),
        ("graphql -f query='query a { viewer { login } } mutation b { x }' -f operationName=a", "evidence.not-a"),
        ("graphql -f query='subscription { x }'", "evidence.not-a"),
    ],
)
def test_nothing_but_reads_of_the_own_host_pass(call: str, code: str) -> None:
    got = run(f"gh api {call} >/dev/null 2>&1 || echo refused")
    assert got.out == "refused\n"
    assert got.asked == []
    assert got.failures[0].code.startswith(code)


def test_files_of_the_brokers_side_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text(CANARY)
    got = run(
        f"""
    gh api -X GET search/issues -F q=@{outside} >/dev/null 2>&1 || echo absent
    gh api repos/acme/widgets/issues --input {outside} >/dev/null 2>&1 || echo absent
    gh api -X GET search/issues -F q=@/etc/passwd --jq .target"""
    )
    assert got.out.startswith("absent\nabsent\n")
    assert "root%3Ax" in got.out
    assert CANARY not in "".join(got.asked)


def test_the_filters_environment_is_the_childs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GH_TOKEN", CANARY)
    got = run("gh api repos/acme/widgets/issues --jq 'env, $ENV'")
    assert CANARY not in got.out
    assert "placeholder-not-a-credential" in got.out


def test_calls_without_end_end() -> None:
    limits = Limits(grade_run_seconds=20.0, evidence_exchanges=30)
    got = run(
        "for i in $(seq 200); do gh api repos/acme/widgets/issues?page=$i >/dev/null 2>&1 || exec true; done",
        limits=limits,
    )
    assert len(got.asked) == 30
    assert got.failures[0].code == "evidence.too-many-exchanges"


def test_answers_of_any_size_are_not_taken_whole() -> None:
    class Large(Table):
        """Answers with more than a grading may hold, a piece at a time."""

    body = answer("x" * 200_000)
    table = Large({f"/repos/acme/widgets/issues/{n}": body for n in range(40)})
    limits = Limits(grade_run_seconds=20.0, evidence_bytes=1_000_000)
    got = run(
        "for i in $(seq 0 39); do gh api repos/acme/widgets/issues/$i --silent 2>/dev/null; done",
        limits=limits,
        table=table,
    )
    assert got.failures[0].code == "evidence.too-much"
    assert len(table.asked) <= 6


def test_fifty_forks_that_all_ask_leave_nothing() -> None:
    before = threading.active_count()
    script = "for i in $(seq 50); do (gh api repos/acme/widgets/issues/$i >/dev/null 2>&1; sleep 600) & done; echo 1"
    got = run(script)
    assert got.ended is not None
    assert got.ended.code == "process.left-running"
    assert threading.active_count() <= before + 1


# Ways to a gh that do not go by the PATH that was given. The last ones can only fail, and must be told of.
OTHER_WAYS: Final = (
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "PATH=/usr/bin; export PATH",
    'gh() { /usr/bin/gh "$@"; }',
    'gh() { command -p gh "$@"; }',
    'gh() { env -i gh "$@"; }',
    'gh() { bash -lc \'gh "$@"\' gh "$@"; }',
    'ln -s "$(command -v gh)" g; gh() { ./g "$@"; }',
    'cp "$(command -v gh)" g; gh() { ./g "$@"; }',
)


@pytest.mark.parametrize("way", OTHER_WAYS)
def test_no_other_gh_is_found(way: str) -> None:
    """A failure to look through another gh would leave no trace."""
    if not Path("/usr/bin/gh").exists():
        pytest.skip("this machine has no gh of its own")
    got = run(f"{way}\ngh api repos/acme/widgets/issues --jq '.[0].number'; rm -f g")
    assert (got.out, got.asked, got.failures) == ("1\n", ["/repos/acme/widgets/issues"], ())
    failing = Table({"/repos/acme/widgets/issues": NetworkFailed("no answer came")})
    lost = run(f"{way}\ngh api repos/acme/widgets/issues 2>/dev/null || echo 0; rm -f g", table=failing)
    assert lost.failures[0].code == "http.network-failed"


def test_a_stand_in_run_by_another_python_is_told_of() -> None:
    other = f'\'{PYTHON}\' -c \'import sys; sys.version = "other"; import runpy; sys.argv = ["gh"]'
    script = f"""{other}
import os
program = os.popen("command -v gh").read().strip()
sys.argv = [program, "--version"]
runpy.run_path(program, run_name="__main__")' 2>/dev/null || echo failed"""
    got = run(script)
    assert got.out == "failed\n"
    assert got.failures[0].code == "evidence.unsupported-command"
