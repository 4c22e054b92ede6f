"""Clean and smudge filters on scripts: neither runs, and the stored object is what is read (GT-09)."""

from pathlib import Path

from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, program


def test_filter_never_runs(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    repo = Repo.init(tmp_path / "r")
    trap = program(tmp_path / "filter", f"echo ran >> '{marker}'; cat >/dev/null; echo evil")
    commit_id = repo.commit({str(PATH): SCRIPT, ".gitattributes": b"*.sh filter=trap\n"})
    repo.publish()
    repo.config(f'[filter "trap"]\n\tsmudge = {trap}\n\tclean = {trap}\n\trequired = true\n')
    (repo.path / str(PATH)).unlink()
    repo.git("checkout", "--", str(PATH), check=False)
    assert marker.exists(), "an ordinary checkout runs the filter"
    marker.unlink()
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT
        assert checkout.holding_ref(commit_id) == "refs/heads/main"
    assert not marker.exists()
