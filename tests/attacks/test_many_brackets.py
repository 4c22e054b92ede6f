"""A hundred thousand brackets, which end a recursive reader, in each record of an archive."""

import random
from pathlib import Path

import pytest

from opvalue.limits import Limits
from tests.archive import samples
from tests.archive.refusals import refused, refused_path
from tests.archive.test_artifact import lay_out

CODES = {samples.MANIFEST: "records.manifest-malformed", samples.RESULTS: "records.results-malformed"}
COUNT = 100_000
DOCUMENTS = {
    "open": b"[" * COUNT,
    "closed": b"[" * COUNT + b"]" * COUNT,
    "objects": b'{"a":' * COUNT + b"1" + b"}" * COUNT,
    "mixed": b"".join(random.Random(0).choice([b"[", b'{"a":']) for _ in range(COUNT)),  # noqa: S311 - no secret
    "in a field": b'{"version": 1, "run": ' + b"[" * COUNT + b"]" * COUNT + b"}",
    "in a string": b'{"version": 1, "run": "' + b"[" * COUNT,
}


@pytest.mark.parametrize("file", CODES)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_zip(tmp_path: Path, file: str, document: str) -> None:
    contents = samples.files() | {f"{samples.FOLDER}/{file}": DOCUMENTS[document]}
    error = refused(samples.artifact(contents), tmp_path, Limits(member_ratio=2000))
    assert error.code == CODES[file]


@pytest.mark.parametrize("file", CODES)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_folder(tmp_path: Path, file: str, document: str) -> None:
    lay_out(tmp_path, samples.files() | {f"{samples.FOLDER}/{file}": DOCUMENTS[document]})
    assert refused_path(tmp_path).code == CODES[file]


def test_case_and_config_nested_to_the_limit_are_kept() -> None:
    deep: object = 1
    for _ in range(100):
        deep = [deep]
    document = samples.manifest(config={"deep": deep})
    contents = samples.files() | {f"{samples.FOLDER}/{samples.MANIFEST}": samples.encoded(document)}
    assert samples.read(samples.artifact(contents)).grader.config == {"deep": deep}
