"""Which repository a path is: worktrees, bare and mirror clones, subdirectories, odd names, and no repository."""

from pathlib import Path

import pytest

from opvalue.checkout import (
    DubiousOwnership,
    GitCheckout,
    GitFailed,
    GitMissing,
    GitTimedOut,
    NotARepository,
    NoTrustedRemote,
    plumbing,
)
from opvalue.errors import TooManyOpenFiles
from opvalue.limits import Limits
from tests.checkout.repos import GIT, LIMIT, PATH, REPOSITORY, SCRIPT, Repo, program, published


def assert_reads(path: Path, repo: Repo, held: str | None = "refs/heads/main") -> None:
    commit_id = repo.head("main")
    with GitCheckout.open(path, repository=REPOSITORY) as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT
        assert checkout.holding_ref(commit_id) == held


@pytest.mark.parametrize("inside", ["", ".github", ".github/graders", ".git", ".git/refs"])
def test_any_folder_of_the_clone(tmp_path: Path, inside: str) -> None:
    repo, _ = published(tmp_path / "r")
    assert_reads(repo.path / inside, repo)


@pytest.mark.parametrize(
    "name",
    ["with space", "line\nfeed", "line feed at the end\n", "schön-☃-🦊", "-dash", "'quote\"", "a:b", "$(x)", "\\"],
)
def test_odd_names(tmp_path: Path, name: str) -> None:
    repo, _ = published(tmp_path / name)
    assert_reads(repo.path, repo)
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    assert_reads(tmp_path / "tree", repo)


def test_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "-r")
    monkeypatch.chdir(tmp_path)
    assert_reads(Path("-r"), repo)
    monkeypatch.chdir(repo.path / ".github")
    assert_reads(Path(), repo)


def test_link_to_the_clone(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    (tmp_path / "link").symlink_to(repo.path)
    assert_reads(tmp_path / "link", repo)


def test_linked_worktree(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    assert (tmp_path / "tree/.git").is_file()
    assert_reads(tmp_path / "tree", repo)


def test_worktree_settings_of_its_own(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", "core.sparseCheckout", "true")
    assert_reads(repo.path, repo)


def test_separate_git_directory(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    repo.git("init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere.git"))
    assert (repo.path / ".git").is_file()
    assert_reads(repo.path, repo)


def test_submodule(tmp_path: Path) -> None:
    inner, _ = published(tmp_path / "inner")
    outer = Repo.init(tmp_path / "outer", remote="https://github.com/acme/outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.path), "lib")
    nested = Repo(outer.path / "lib")
    nested.git("remote", "set-url", "origin", "https://github.com/acme/widgets")
    assert (nested.path / ".git").is_file()
    assert_reads(nested.path, inner)


@pytest.mark.parametrize("kind", ["--bare", "--mirror"])
def test_bare_and_mirror_clones(tmp_path: Path, kind: str) -> None:
    source, _ = published(tmp_path / "source")
    clone = Repo.clone(source, tmp_path / "clone.git", kind)
    assert_reads(clone.path, source)


def test_single_branch_clone(tmp_path: Path) -> None:
    source, _ = published(tmp_path / "source")
    assert_reads(Repo.clone(source, tmp_path / "clone", "--single-branch", "--no-tags").path, source)


def test_packed_objects_and_refs(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    repo.git("gc", "-q")
    assert_reads(repo.path, repo)


def test_working_tree_and_index_play_no_part(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    (repo.path / str(PATH)).write_bytes(b"echo 9\n")
    repo.git("add", "-A")
    (repo.path / ".git/index").write_bytes(b"noise")
    assert_reads(repo.path, repo)


@pytest.mark.parametrize("make", ["nothing", "file", "folder", "broken", "nul"])
def test_no_repository(tmp_path: Path, make: str) -> None:
    path = tmp_path / "r"
    if make == "file":
        path.write_text("x")
    elif make == "folder":
        path.mkdir()
    elif make == "broken":
        Repo.init(path)
        (path / ".git/HEAD").unlink()
    elif make == "nul":
        path = tmp_path / "a\0b"
    with pytest.raises(NotARepository):
        GitCheckout.open(path, repository=REPOSITORY)


@pytest.mark.parametrize("text", ["gitdir: /nonexistent\n", "noise"])
def test_git_file_that_leads_nowhere(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    with pytest.raises((NotARepository, GitFailed)):
        GitCheckout.open(tmp_path, repository=REPOSITORY)


def test_damaged_configuration(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    repo.config("[remote\n")
    with pytest.raises(GitFailed) as refused:
        repo.open()
    assert "bad config" in refused.value.message


def test_extension_git_does_not_know(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.config("[extensions]\n\tnonsense = true\n")
    with pytest.raises(GitFailed) as refused:
        repo.open()
    assert "nonsense" in refused.value.message


def test_git_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "r")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissing) as refused:
        repo.open()
    assert "apt-get install git" in refused.value.hint


def test_git_that_does_not_start(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    for git in (tmp_path / "none", program(tmp_path / "bad", "")):
        if git.exists():
            git.write_bytes(b"noise")
        with pytest.raises(GitMissing):
            repo.open(git=git)


def test_git_in_the_current_folder_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "r")
    marker = tmp_path / "marker"
    program(tmp_path / "here/git", f"touch '{marker}'")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", f":.:{GIT.parent}")
    assert_reads(repo.path, repo)
    assert not marker.exists()


def test_a_current_folder_that_was_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "r")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert_reads(repo.path, repo)
    with pytest.raises(NotARepository, match="current folder has been removed") as refused:
        GitCheckout.open(Path(), repository=None)
    assert refused.value.code == "checkout.not-a-repository"


def test_git_that_hangs_or_floods(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    hanging = program(tmp_path / "hang", "sleep 30")
    with pytest.raises(GitTimedOut):
        GitCheckout.open(repo.path, repository=REPOSITORY, git=hanging, limits=Limits(git_seconds=0.2))


def test_git_that_says_nothing(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    with pytest.raises(GitFailed) as refused:
        repo.open(git=program(tmp_path / "mute", "exit 3"))
    assert refused.value.message == "git rev-parse failed: it said nothing"
    assert refused.value.found == "exit status 3"
    for answer in ("true", r"false\nfalse\nsha1", r"false\nfalse\nmd5\n.git/objects"):
        with pytest.raises(GitFailed):
            repo.open(git=program(tmp_path / "liar", f"printf '{answer}\\n'"))


def test_git_that_finds_nothing_and_complains(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    text = f'case "$*" in *--get-regexp*) echo "fatal: bad config" >&2; exit 1;; esac; exec "{GIT}" "$@"'
    with pytest.raises(GitFailed) as refused:
        repo.open(git=program(tmp_path / "git", text))
    assert refused.value.message == "git config failed: fatal: bad config"


def test_a_machine_that_starts_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "r")

    def no_more(_: object) -> None:
        raise TooManyOpenFiles("too many open files")

    monkeypatch.setattr(plumbing, "run", no_more)
    with pytest.raises(TooManyOpenFiles):
        repo.open()


def test_git_that_leaves_processes(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    with pytest.raises(GitFailed):
        repo.open(git=program(tmp_path / "leaver", "sleep 20 & exit 0"))


def other_owner(tmp_path: Path) -> Path:
    """Return a git that takes every repository for another user's, as git's own tests do."""
    return program(tmp_path / "git", f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "{GIT}" "$@"')


def test_dubious_ownership(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "the clone")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(DubiousOwnership) as refused:
        repo.open(git=other_owner(tmp_path))
    assert "dubious ownership" in refused.value.message
    assert "\n" not in refused.value.message
    assert refused.value.hint.endswith(f"git config --global --add safe.directory '{repo.path}'")


@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME"])
def test_the_users_safe_directory_is_honoured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    repo, commit_id = published(tmp_path / "the clone")
    file = {"HOME": ".gitconfig", "XDG_CONFIG_HOME": "git/config"}[variable]
    for name in ("HOME", "XDG_CONFIG_HOME"):
        (tmp_path / name / "git").mkdir(parents=True)
        monkeypatch.setenv(name, str(tmp_path / name))
    (tmp_path / variable / file).write_text(f"[safe]\n\tdirectory = {repo.path}\n")
    with repo.open(git=other_owner(tmp_path)) as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT


def test_the_repositorys_own_safe_directory_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, _ = published(tmp_path / "r")
    repo.config("[safe]\n\tdirectory = *\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(DubiousOwnership):
        repo.open(git=other_owner(tmp_path))


def test_the_advice_holds_where_no_commit_can_be_named() -> None:
    assert "--commit" not in GitTimedOut("slow").hint


def test_a_repository_without_any_remote(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r", remote=None)
    with pytest.raises(NoTrustedRemote) as refused:
        GitCheckout.open(repo.path, repository=None)
    assert refused.value.found == "no remotes"
