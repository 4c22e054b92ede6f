"""Every test of a staged script runs with and without the sandbox."""

import pytest

from tests.process.helpers import the_sandbox


@pytest.fixture(params=[False, True], ids=["bare", "sandboxed"])
def sandboxed(request: pytest.FixtureRequest) -> bool:
    wanted = bool(request.param)
    if wanted:
        the_sandbox()
    return wanted
