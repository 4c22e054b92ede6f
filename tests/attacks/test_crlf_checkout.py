"""A checkout that rewrites line endings: what is read is the stored object, not the working file (GT-07)."""

from pathlib import Path

from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, published

CRLF = SCRIPT.replace(b"\n", b"\r\n")


def test_autocrlf_checkout(tmp_path: Path) -> None:
    source, commit_id = published(tmp_path / "source")
    repo = Repo.clone(source, tmp_path / "clone", "-c", "core.autocrlf=true", "-c", "core.eol=crlf")
    assert (repo.path / str(PATH)).read_bytes() == CRLF, "the working file was rewritten"
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT


def test_crlf_in_the_commit_stays(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r", CRLF)
    repo.config("[core]\n\tautocrlf = input\n")
    (repo.path / ".gitattributes").write_text("*.sh text eol=lf\n")
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == CRLF
