"""Files that a regrade refuses before it runs anything."""

import pytest

from tests.verifier.scripts import findings_of, subject_of

_ID = "script-form"
_REST = b"set -euo pipefail\n"


@pytest.mark.parametrize(
    "data",
    [
        b"#!/bin/sh\n",
        b"#!/usr/bin/bash\n",
        b"#!/bin/bash -e\n",
        b"#!/bin/bash\r\n",
        b"\xef\xbb\xbf#!/bin/bash\n",
        b"\n#!/bin/bash\n",
        b"",
    ],
)
def test_another_first_line(data: bytes) -> None:
    (only,) = findings_of(_ID, subject_of(data + _REST))
    assert (only.severity.value, only.line, only.column) == ("error", 1, 1)
    assert only.message.startswith("the script does not begin with a Bash shebang line")


def test_another_encoding() -> None:
    (only,) = findings_of(_ID, subject_of(b"#!/bin/bash\n# caf\xe9\n"))
    assert only.message == "the script is not UTF-8 (found byte 0xe9 at 17)"


def test_too_large() -> None:
    fits = b"#!/bin/bash\n" + b"#" * (64 * 1024 - 13) + b"\n"
    assert findings_of(_ID, subject_of(fits)) == []
    (only,) = findings_of(_ID, subject_of(fits + b"\n"))
    assert only.message == "the script is larger than 64 KiB, and no regrade takes it"


@pytest.mark.parametrize("data", [b"#!/usr/bin/env bash\n", b"#!/bin/bash\n"])
def test_fine(data: bytes) -> None:
    assert findings_of(_ID, subject_of(data + "# \U0001f41b café\n".encode())) == []
