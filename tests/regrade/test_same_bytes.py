"""Same input, same bytes (DESIGN principle 5; RG-07): the statement under everything that may differ between machines.

Each regrade is a process of its own through the real command, so that nothing of this one is shared.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest

from opvalue.evaluator import Runner, Tools
from opvalue.evidence.bundle import save
from opvalue.identity import Instant
from opvalue.process import detect
from opvalue.regrade import Evidence
from opvalue.regrade.schema import regrade_schema
from opvalue.strictjson import dumps
from tests.support.gathering import REPOSITORY_ID, Table, answer, gathering
from tests.support.world import World

NOBODY = 65534
_ROOT = Path(__file__).parents[2]
_PACKAGES = Path(click.__file__).parents[1]
_IMPORTS = f"{_ROOT}:{_PACKAGES}"


def varying() -> set[str]:
    schema: Any = regrade_schema()
    fields = schema["$defs"]["Execution"]["properties"]
    return {name for name, field in fields.items() if field.get("x-varies")}


# Forty requests in flight from background jobs; the value is what they add up to.
GATHER = """
  for n in $(seq 40); do
    gh api "repos/acme/widgets/issues/$n" --jq .n >"$TMPDIR/$n" &
  done
  wait
  attained=$(cat "$TMPDIR"/* | jq -s 'add / 1640')
  rm "$TMPDIR"/*"""
EVIDENCE_AT = "2023-08-25T00:00:00Z"


class Made:
    """A run in the past of any clock, in a folder that everybody may read; with recorded evidence, or without."""

    def __init__(self, root: Path, *, gathers: bool) -> None:
        self.root = root
        self.world = World(root / "run", evaluator=gathering(GATHER) if gathers else None, year=2023)
        self.artifact = self.world.artifact()
        self.evidence: Evidence | None = None
        self.options: tuple[str, ...] = ()
        if gathers:
            replies = {f"/repos/acme/widgets/issues/{n}": answer({"n": 2 * n}) for n in range(1, 41)}
            table = Table(replies, observed_at=Instant.parse("2023-09-30T00:00:00Z"))
            self.live = self.world.regrade(EVIDENCE_AT, evidence=Evidence.live(table).known_as(REPOSITORY_ID))
            assert self.live.observation.value == 1
            assert self.live.bundle is not None
            save(root / "evidence.bundle", self.live.bundle)
            self.options = ("--replay", str(root / "evidence.bundle"))
            self.evidence = Evidence.replay(self.live.bundle)
        for path in [root, *root.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)

    def regrade(
        self,
        *more: str,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        artifact: Path | None = None,
        checkout: Path | None = None,
        python: str = sys.executable,
        wrap: tuple[str, ...] = (),
        **how: Any,
    ) -> dict[str, Any]:
        """Regrade by the command; return the document."""
        command = [python, "-P", "-m", "opvalue", "regrade", "123456", "--evidence-at", EVIDENCE_AT]
        paths = ["--artifact", artifact or self.artifact, "--checkout", checkout or self.world.repository.path]
        finished = subprocess.run(
            [*wrap, *command, "-R", "github.com/acme/widgets", "--json", *map(str, paths), *self.options, *more],
            env={"PATH": os.environ["PATH"], "HOME": str(self.root), "PYTHONPATH": _IMPORTS, **(env or {})},
            cwd=cwd or self.root,
            capture_output=True,
            check=False,
            timeout=100,
            **how,
        )
        assert finished.returncode == 0, finished.stderr.decode() + finished.stdout.decode()
        document: dict[str, Any] = json.loads(finished.stdout)
        assert finished.stdout.decode() == dumps(document)
        return document


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "replayed"])
def made(request: pytest.FixtureRequest) -> Iterator[Made]:
    # Not below pytest's folders, which are closed to other users.
    with tempfile.TemporaryDirectory(prefix="same-bytes-") as folder:
        yield Made(Path(folder), gathers=request.param)


@pytest.fixture(scope="module")
def usual(made: Made) -> dict[str, Any]:
    return made.regrade()


def assert_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """The statements are one text; what differs in ``execution`` is marked as varying in the schema."""
    one, other = dict(one), dict(other)
    first, second = one.pop("execution"), other.pop("execution")
    assert dumps(one) == dumps(other)
    assert first.keys() == second.keys()
    assert {name for name in first if first[name] != second[name]} <= varying()


SURROUNDINGS: list[dict[str, str]] = [
    {},
    {"TZ": "Pacific/Kiritimati"},
    {"TZ": "America/St_Johns", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"},
    {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    {"PYTHONHASHSEED": "0"},
    {"PYTHONHASHSEED": "4294967295", "PYTHONOPTIMIZE": "2"},
    {"GH_HOST": "evil.example", "GH_TOKEN": "canary", "GITHUB_WORKSPACE": "/", "GIT_DIR": "/nonexistent"},
    {"BASH_ENV": "/nonexistent", "ENV": "/nonexistent", "BASH_FUNC_jq%%": "() { echo 1; }", "SHELLOPTS": "noexec"},
    {"JQ_COLORS": "1;31", "CLICOLOR_FORCE": "1", "GH_FORCE_TTY": "1", "COLUMNS": "3"},
]


@pytest.mark.parametrize("env", SURROUNDINGS, ids=[" ".join(env) or "again" for env in SURROUNDINGS])
def test_surroundings(made: Made, usual: dict[str, Any], env: dict[str, str]) -> None:
    again = made.regrade(env=env)
    assert_same(usual, again)
    assert "canary" not in dumps(again)


def test_live_and_replayed_are_one_statement(made: Made, usual: dict[str, Any]) -> None:
    if made.evidence is None:
        assert usual["regrade"]["evidence"] == {"digest": None, "exchanges": 0, "undeclared": []}
        return
    assert_same(json.loads(made.live.to_json()), usual)
    assert usual["regrade"]["evidence"]["exchanges"] == 40
    assert usual["execution"]["evidence"] == {"mode": "replay", "exchanges": 40, "enforced": False}


def test_without_any_network(made: Made, usual: dict[str, Any]) -> None:
    """In a network namespace of its own, where not even loopback is up; the sandbox makes another inside."""
    if sys.platform != "linux":
        pytest.skip("root may make network namespaces on Linux only")
    assert_same(usual, made.regrade(wrap=("unshare", "--user", "--map-root-user", "--net")))


def test_another_folder(made: Made, usual: dict[str, Any], tmp_path: Path) -> None:
    place = tmp_path / "é — a 'folder' of \"another\" name"
    shutil.copytree(made.root / "run", place)
    moved = made.regrade(cwd=place, artifact=place / "agent.zip", checkout=place / "widgets")
    assert_same(usual, moved)


def test_a_link_to_the_folder(made: Made, usual: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(made.root / "run")
    assert_same(usual, made.regrade(artifact=tmp_path / "link/agent.zip", checkout=tmp_path / "link/widgets"))


def test_an_unpacked_artifact(made: Made, usual: dict[str, Any], tmp_path: Path) -> None:
    assert_same(usual, made.regrade(artifact=made.world.sharing(tmp_path).unpacked()))


def test_a_bare_clone_with_other_packs(made: Made, usual: dict[str, Any], tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    made.world.repository("clone", "-q", "--mirror", str(made.world.repository.path), str(bare))
    made.world.repository("--git-dir", str(bare), "remote", "set-url", "origin", "https://github.com/acme/widgets")
    made.world.repository("--git-dir", str(bare), "update-ref", "refs/heads/main", made.world.commit)
    assert_same(usual, made.regrade(checkout=bare))


def test_another_temporary_folder_and_umask(made: Made, usual: dict[str, Any], tmp_path: Path) -> None:
    assert_same(usual, made.regrade(env={"TMPDIR": str(tmp_path)}, umask=0o077))
    assert list(tmp_path.iterdir()) == []


def test_with_and_without_the_sandbox(made: Made, usual: dict[str, Any]) -> None:
    if detect().sandbox is None:
        pytest.skip("no sandbox works here")
    bare = made.regrade("--no-sandbox")
    assert bare["execution"]["sandbox"] != usual["execution"]["sandbox"]
    assert_same(usual, bare)


@pytest.mark.skipif(os.geteuid() != 0, reason="root may become another user, others may not")
def test_another_user(made: Made, usual: dict[str, Any]) -> None:
    python = _python_for_everybody()
    if python is None:
        pytest.skip("root may keep every Python to itself")
    # Git itself refuses a repository of another user; the copy is nobody's own.
    own = made.root / "nobody"
    shutil.copytree(made.root / "run", own)
    for path in [own, *own.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    paths: dict[str, Any] = {"artifact": own / "agent.zip", "checkout": own / "widgets"}
    same = made.regrade(python=python, env={"HOME": str(own)}, **paths, user=NOBODY, group=NOBODY, extra_groups=[])
    assert_same(usual, same)


def _python_for_everybody() -> str | None:
    """Return an interpreter of this version that another user may start."""
    candidates = [sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"]
    return next((one for one in candidates if _readable_by_others(Path(one).resolve(), _ROOT, _PACKAGES)), None)


def _readable_by_others(*paths: Path) -> bool:
    places = [place for path in paths for place in (path, *path.parents)]
    return all(place.exists() and place.stat().st_mode & 0o005 == 0o005 for place in places)


def test_another_jq(made: Made, usual: dict[str, Any]) -> None:
    """Every other jq there is; on most machines none."""
    for program in _other_jqs():
        runner = Runner(tools=Tools(Tools.find().bash, program))
        other = made.world.regrade(EVIDENCE_AT, artifact=made.artifact, runner=runner, evidence=made.evidence)
        assert other.execution["tools"] != usual["execution"]["tools"]
        assert_same(usual, json.loads(other.to_json()))


def test_the_version_of_jq_is_in_execution_alone(made: Made, usual: dict[str, Any], tmp_path: Path) -> None:
    """The same jq under another version: shown where the tools are, and nowhere in the statement."""
    renamed = tmp_path / "jq"
    real = Tools.find().jq
    renamed.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo jq-9.9.9 && exit\nexec {real} "$@"\n')
    renamed.chmod(0o755)
    runner = Runner(tools=Tools(Tools.find().bash, renamed), sandboxed=False)
    other = made.world.regrade(EVIDENCE_AT, artifact=made.artifact, runner=runner, evidence=made.evidence)
    document = json.loads(other.to_json())
    assert document["execution"]["tools"]["jq"] == "jq-9.9.9"
    assert "9.9.9" not in dumps(other.statement)
    assert_same(usual, document)


def _other_jqs() -> set[Path]:
    folders = [*os.get_exec_path(), "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin"]
    found = {Path(folder, "jq").resolve() for folder in folders if Path(folder, "jq").is_file()}
    return found - {Tools.find().jq.resolve()}
