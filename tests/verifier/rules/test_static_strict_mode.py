"""Shell options that stop a script at its first failure."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing, findings_of, subject_of

_ID = "static-strict-mode"


@pytest.mark.parametrize(
    "text",
    [
        "#!/usr/bin/env bash\n§jq -n 1\n",
        "  §jq -n 1 | cat\n",
        "§set -u\njq -n 1\n",
        "§set -e -u\njq -n 1 | jq .\n",
        "¶set -e -o pipefail\njq -n 1 | jq .\n",
        "¶set -e\njq -n 1\n",
        "# set -euo pipefail\n§jq -n 1\n",
        "§echo 'set -euo pipefail'\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text, strict=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#!/bin/bash\n",
        "set -e\nset -u\nset -o pipefail\njq -n 1 | jq .\n",
        "set -Eeuo pipefail\njq -n 1 | jq .\n",
        "set -o errexit -o nounset -o pipefail\njq -n 1 | jq .\n",
        "set -eu\njq -n 1\n",
    ],
)
def test_nothing(text: str) -> None:
    expect_marked(_ID, text, strict=False)


def test_what_is_missing_is_named() -> None:
    (found,) = findings_of(_ID, subject_of("jq -n 1 | jq .\n"))
    assert found.message == "errexit, nounset and pipefail are never turned on"


def test_a_sourced_runtime_may_turn_them_on() -> None:
    main = '. "$(dirname "${BASH_SOURCE[0]}")/runtime.sh"\njq -n 1\n'
    subject = subject_of(main, {".github/graders/runtime.sh": "set -euo pipefail\n"})
    assert findings_of(_ID, subject) == []
    expect_nothing(_ID, "jq -n 1\n")
