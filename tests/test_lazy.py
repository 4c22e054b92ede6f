"""Names are found in their modules when asked for, and nothing is loaded before."""

import subprocess
import sys

import pytest

from opvalue import archive, checkout, contract, graders, identity, process, records, session
from opvalue.evidence import bundle, scope
from opvalue.graders import configuration, trajectory
from opvalue.lazy import names_of


@pytest.mark.parametrize(
    "package",
    [
        *(archive, bundle, checkout, configuration, contract, identity),
        *(process, records, scope, session, trajectory),
    ],
)
def test_every_public_name_is_there(package: object) -> None:
    names = package.__all__  # type: ignore[attr-defined]
    assert [name for name in names if getattr(package, name, None) is None] == []


@pytest.mark.parametrize(
    "package",
    [
        *("archive", "checkout", "contract", "evidence.bundle", "evidence.scope"),
        *("graders.configuration", "identity", "process", "records", "session"),
    ],
)
def test_no_public_name_is_a_module(package: str) -> None:
    """Else whoever loads that module first would change what the name stands for."""
    code = (
        f"import pkgutil, types, opvalue.{package} as package\n"
        "for found in pkgutil.iter_modules(package.__path__, package.__name__ + '.'): __import__(found.name)\n"
        "print([name for name in package.__all__ if isinstance(getattr(package, name), types.ModuleType)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_other_name_is() -> None:
    with pytest.raises(AttributeError, match=r"module 'opvalue\.records' has no attribute 'nope'"):
        _ = records.nope
    assert not hasattr(graders, "nope")


def test_a_name_is_that_of_its_module() -> None:
    find = names_of("opvalue.identity", {"digest": ("Digest",)})
    assert find("Digest") is identity.Digest
