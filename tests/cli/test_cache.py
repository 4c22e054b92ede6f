"""``opvalue cache``: what is kept, and its removal."""

import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache
from opvalue.cli.cache import size_in_words
from opvalue.identity import Digest, Host
from tests.cache.samples import KEY, Fill, fetched, record
from tests.cli.conftest import Answer

Run = Callable[..., Answer]
DAY = 24 * 60 * 60
ELSEWHERE = KEY._replace(host=Host("ghe.example.com"), artifact_id=9, run_id="7")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ArtifactCache:
    monkeypatch.setenv("OPVALUE_CACHE_DIR", str(tmp_path))
    return ArtifactCache(tmp_path)


@pytest.fixture
def filled(cache: ArtifactCache) -> ArtifactCache:
    """Keep two artifacts: one of 2026, one of 1970; and half a third."""
    fetched(cache)
    fetched(cache, ELSEWHERE, bytes(2048))
    os.utime(record(cache), ns=(1_788_091_200_000_000_000,) * 2)
    os.utime(record(cache, ELSEWHERE), ns=(0, 0))
    half = cache.folder / f"{'0' * 64}.part"
    half.write_bytes(b"half")
    os.utime(half, ns=(1_000_000_000, 1_000_000_000))
    return cache


def test_nothing_is_kept(opvalue: Run, cache: ArtifactCache) -> None:
    assert opvalue("cache", "list") == (0, f"cache  {cache.folder}\nnothing\n", "")
    assert json.loads(opvalue("cache", "list", "--json").out) == {
        "folder": str(cache.folder),
        "count": 0,
        "bytes": 0,
        "artifacts": [],
    }
    assert opvalue("cache", "prune", "--all").out == (f"cache    {cache.folder}\nremoved  nothing\nkept     nothing\n")
    assert not cache.folder.exists()


def test_the_list(opvalue: Run, filled: ArtifactCache) -> None:
    assert opvalue("cache", "list") == (
        0,
        f"""cache  {filled.folder}

host                   repository    run  artifact     size  last used
github.com                   7001  12345       555     22 B  2026-08-30T12:00:00Z
damaged or unfinished                                   4 B  1970-01-01T00:00:01Z
ghe.example.com              7001      7         9  2.0 KiB  1970-01-01T00:00:00Z

3 artifacts, 2.0 KiB
""",
        "",
    )


def test_the_list_as_json(opvalue: Run, filled: ArtifactCache) -> None:
    document = json.loads(opvalue("cache", "list", "--json").out)
    assert (document["folder"], document["count"], document["bytes"]) == (str(filled.folder), 3, 2074)
    assert document["artifacts"][1] == {
        "host": None,
        "repositoryId": None,
        "runId": None,
        "artifactId": None,
        "sha256": None,
        "bytes": 4,
        "usedAt": "1970-01-01T00:00:01.000Z",
        "whole": False,
    }
    assert document["artifacts"][2] == {
        "host": "ghe.example.com",
        "repositoryId": 7001,
        "runId": "7",
        "artifactId": 9,
        "sha256": str(Digest.of(bytes(2048))),
        "bytes": 2048,
        "usedAt": "1970-01-01T00:00:00.000Z",
        "whole": True,
    }


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ((), 2),
        (("--older-than", "36500"), 2),
        (("--older-than", "365"), 1),
        (("--keep-bytes", "2070"), 2),
        (("--keep-bytes", "2069"), 1),
        (("--keep-bytes", "0"), 0),
        (("--older-than", "365", "--keep-bytes", "0"), 0),
        (("--all",), 0),
    ],
)
def test_what_is_pruned(
    opvalue: Run, filled: ArtifactCache, options: tuple[str, ...], kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever today is: one was used a day ago.
    yesterday = time.time() - DAY
    os.utime(record(filled), (yesterday, yesterday))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    document = json.loads(opvalue("cache", "prune", "--json", *options).out)
    assert document["kept"]["count"] == len(filled.entries()) == kept
    assert document["removed"]["count"] == 3 - kept
    assert document["removed"]["bytes"] + document["kept"]["bytes"] == 2074
    assert document["folder"] == str(filled.folder)


def test_pruning_in_words(opvalue: Run, filled: ArtifactCache) -> None:
    status, out, err = opvalue("cache", "prune")
    assert (status, err) == (0, "")
    assert out == f"cache    {filled.folder}\nremoved  1 artifact, 4 B\nkept     2 artifacts, 2.0 KiB\n"


@pytest.mark.parametrize(
    "options",
    [
        ("--all", "--older-than", "1"),
        ("--all", "--keep-bytes", "1"),
        ("--older-than", "-1"),
        ("--older-than", "36501"),
        ("--older-than", "x"),
        ("--keep-bytes", "-1"),
        ("--keep-bytes", "1M"),
        ("more",),
    ],
)
def test_what_makes_no_sense_removes_nothing(opvalue: Run, filled: ArtifactCache, options: tuple[str, ...]) -> None:
    answer = opvalue("cache", "prune", "--json", *options)
    assert (answer.status, answer.error["code"]) == (2, "usage")
    assert len(filled.entries()) == 3


@pytest.mark.parametrize("command", ["list", "prune"])
def test_a_folder_that_is_not_private(opvalue: Run, filled: ArtifactCache, command: str) -> None:
    filled.folder.chmod(0o755)
    answer = opvalue("cache", command, "--json")
    assert (answer.status, answer.error["code"]) == (2, "cache.not-private")
    assert "mode 0755" in opvalue("cache", command).err


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1536, "1.5 KiB"),
        (1024**2, "1.0 MiB"),
        (512 * 1024**2, "512.0 MiB"),
        (1024**3, "1.0 GiB"),
        (5000 * 1024**3, "5000.0 GiB"),
    ],
)
def test_sizes(size: int, words: str) -> None:
    assert size_in_words(size) == words


def test_what_is_listed_cannot_steer_a_terminal(opvalue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a\x1b[31m\u202eb"
    monkeypatch.setenv("OPVALUE_CACHE_DIR", str(place))
    for text in ("\x1b[2J", "\u202egnp", "a\nb"):
        for key in (KEY._replace(run_id=text), KEY._replace(host=Host(text))):
            ArtifactCache(place).fetch(key, Fill()).file.close()
    for command in ("list", "prune"):
        status, out, err = opvalue("cache", command)
        assert (status, err) == (0, "")
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", out)


@pytest.mark.parametrize("columns", [30, 40, 60, 80])
@pytest.mark.usefixtures("filled")
def test_the_list_fits_the_terminal(opvalue: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr("opvalue.cli.console._columns", lambda _stream: columns)
    shown = opvalue("cache", "list").out.splitlines()
    table = shown[shown.index("") + 1 :]
    assert max(map(len, table)) <= columns
    assert " ".join(table).split()[:7] == ["host", "repository", "run", "artifact", "size", "last", "used"]
