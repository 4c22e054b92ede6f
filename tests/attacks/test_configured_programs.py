"""Settings of a repository that start programs: none is started by anything the checkout does (GT-12)."""

from pathlib import Path

import pytest

from opvalue.checkout import CommitAbsent, ObjectNotFetched
from opvalue.identity import CommitId
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, program, published

HOOKS = (
    "post-checkout",
    "pre-auto-gc",
    "post-index-change",
    "reference-transaction",
    "post-rewrite",
    "fsmonitor-watchman",
)


def armed(path: Path, marker: Path) -> tuple[Repo, CommitId]:
    repo, commit_id = published(path)
    trap = program(path / "trap", f"echo \"$0 $*\" >> '{marker}'; cat")
    repo.config(
        f"""
[core]
	fsmonitor = {trap}
	sshCommand = {trap}
	gitProxy = {trap}
	pager = {trap}
	editor = {trap}
	askPass = {trap}
	alternateRefsCommand = {trap}
	hooksPath = {path}/hooks
	attributesFile = {path}/attributes
[pager]
	config = {trap}
	rev-parse = {trap}
	cat-file = {trap}
	for-each-ref = {trap}
	rev-list = {trap}
[gpg]
	program = {trap}
[log]
	showSignature = true
[diff]
	external = {trap}
[diff "trap"]
	textconv = {trap}
	command = {trap}
[filter "trap"]
	smudge = {trap}
	clean = {trap}
	process = {trap}
	required = true
[credential]
	helper = {trap}
[alias]
	cat-file = !{trap}
	rev-parse = !{trap}
	config = !{trap}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[maintenance]
	auto = true
"""
    )
    (path / "attributes").write_text("* diff=trap filter=trap\n")
    (path / ".gitattributes").write_text("* diff=trap filter=trap\n")
    for name in HOOKS:
        program(path / "hooks" / name, f"echo {name} >> '{marker}'")
        program(path / ".git/hooks" / name, f"echo {name} >> '{marker}'")
    return repo, commit_id


def test_the_trap_works(tmp_path: Path) -> None:
    repo, _ = armed(tmp_path / "r", tmp_path / "marker")
    repo.git("status", check=False)
    repo.git("show", "--ext-diff", "--textconv", f"HEAD:{PATH}", check=False)
    assert (tmp_path / "marker").exists(), "an ordinary git command starts what the settings name"


def test_nothing_configured_runs(tmp_path: Path) -> None:
    repo, commit_id = armed(tmp_path / "r", tmp_path / "marker")
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        assert checkout.read(commit, PATH, LIMIT) == SCRIPT
        assert checkout.list_folder(commit, "")
        assert checkout.holding_ref(commit_id) == "refs/heads/main"
        with pytest.raises(CommitAbsent):
            checkout.commit(CommitId("0" * 39 + "1"))
    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize("address", ["ext::{trap} %S", "trap::somewhere", "file:///nonexistent", "ssh://host/path"])
def test_promisor_remote_that_is_a_program_does_not_run(tmp_path: Path, address: str) -> None:
    repo, commit_id = armed(tmp_path / "r", tmp_path / "marker")
    trap = repo.path / "trap"
    repo.git("config", "extensions.partialClone", "lazy")
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.config(
        f"""
[remote "lazy"]
	url = "{address.format(trap=trap)}"
	promisor = true
	partialclonefilter = blob:none
	uploadpack = {trap}
	vcs = {"trap" if address.startswith("trap") else ""}
[fetch]
	bundleURI = https://127.0.0.1:9/bundle
"""
    )
    repo.remove(repo.git("rev-parse", f"HEAD:{PATH}"))
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        with pytest.raises(ObjectNotFetched):
            checkout.read(commit, PATH, LIMIT)
        assert checkout.holding_ref(commit_id) == "refs/heads/main"
    assert not (tmp_path / "marker").exists()
