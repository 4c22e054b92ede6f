"""A host or an id that is a path, a steering sequence or endless: it names a file like any other, in the folder."""

import re
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache, ArtifactKey
from opvalue.identity import Digest, Host
from tests.cache.samples import DATA, KEY, Fill, fetched

TEXTS = (
    "../../../etc/cron.d/x",
    "/etc/passwd",
    "..",
    "",
    "\0",
    "a\nb",
    "\x1b[31m",
    "\u202egnp",
    "\ud800",
    "x" * 100_000,
    "CON",
    "*",
    "~",
    "-rf",
    'github.com","x":"',
)
KEYS = [*(KEY._replace(host=Host(text)) for text in TEXTS), *(KEY._replace(run_id=text) for text in TEXTS)]
NUMBERS = [KEY._replace(artifact_id=-1), KEY._replace(repository_id=10**400), KEY._replace(size=-(2**70))]


@pytest.mark.parametrize("key", [*KEYS, *NUMBERS], ids=lambda key: repr(key)[:60])
def test_it_names_a_file_in_the_folder(key: ArtifactKey, tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "root/cache")
    fetched(cache, KEY)
    for _ in range(2):
        with cache.fetch(key, Fill(b"hostile")) as found:
            assert (found.file.read(), found.digest) == (b"hostile", Digest.of(b"hostile"))
    assert [path.name for path in tmp_path.iterdir()] == ["root"]
    assert {path.name for path in (tmp_path / "root/cache").iterdir()} == {"artifacts"}
    assert all(re.fullmatch(r"[0-9a-f]{64}\.(?:zip|json|lock)", path.name) for path in cache.folder.iterdir())
    assert fetched(cache, KEY, DATA), "another's entry is what it was"
    cache.entries()
    assert len(cache.prune(everything=True).removed) == 2


def test_no_two_of_them_meet() -> None:
    every = [KEY, *KEYS, *NUMBERS]
    assert len({key.name for key in every}) == len(every)
