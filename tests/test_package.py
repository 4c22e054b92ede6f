"""The package's public names are found where they live, and only when asked for."""

import subprocess
import sys

import pytest

import opvalue


@pytest.mark.parametrize("name", opvalue.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(opvalue, name) is not None


def test_no_other_name_is() -> None:
    with pytest.raises(AttributeError, match="'opvalue' has no attribute 'nope'"):
        _ = opvalue.nope


def test_importing_it_loads_nothing() -> None:
    code = "import sys; before = set(sys.modules); import opvalue; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.strip("[]\n").replace("'", "").split(", "))
    assert not {name for name in loaded if name.startswith("opvalue.")}
    assert "typing" not in loaded
