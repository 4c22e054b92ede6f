"""What docs/attestation.md tells people to type with other tools is typed here, with the real tools."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from opvalue.attestation import attest, parse_private_key, parse_public_key
from tests.attestation.samples import ALICE, BOB, STATEMENT

PAGE: Final = Path(__file__).parents[2] / "docs" / "attestation.md"
OPENSSL: Final = shutil.which("openssl")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed")


def recipe(heading: str) -> str:
    """Return the shell block below a heading of the page."""
    found = re.search(rf"^## {heading}\n.*?^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def shell(script: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "observation.dsse.json").write_bytes(attest(STATEMENT, ALICE))
    (tmp_path / "key.pub").write_bytes(ALICE.public.encode())
    return tmp_path


def test_openssl_verifies_the_signature(folder: Path) -> None:
    done = shell(recipe("With other tools"), folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Signature Verified Successfully\n0.75\n"


def test_openssl_does_not_verify_it_by_another_key(folder: Path) -> None:
    (folder / "key.pub").write_bytes(BOB.public.encode())
    done = shell(recipe("With other tools"), folder)
    assert done.returncode == 1
    assert "Signature Verification Failure" in done.stdout


def test_the_id_of_a_key(folder: Path) -> None:
    assert shell(recipe("Keys"), folder).stdout.split()[0] == ALICE.public.id


@pytest.mark.parametrize("options", ["", "-aes-256-cbc -pass pass:secret"])
def test_keys_that_openssl_makes(tmp_path: Path, options: str) -> None:
    done = shell(f"openssl genpkey -algorithm ed25519 {options} -out key", tmp_path)
    assert done.returncode == 0, done.stderr
    made = parse_private_key((tmp_path / "key").read_bytes(), b"secret" if options else None)
    done = shell(f"openssl pkey -in key {'-passin pass:secret' if options else ''} -pubout -out key.pub", tmp_path)
    assert done.returncode == 0, done.stderr
    assert parse_public_key((tmp_path / "key.pub").read_bytes()) == made.public
