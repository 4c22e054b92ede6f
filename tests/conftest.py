"""Settings every test shares."""

import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

# A busy machine must not turn a slow example into a failure; the whole test has its time-out.
settings.register_profile("opvalue", deadline=None)
settings.load_profile("opvalue")

_FINE_IN_CI = ("root may", "this user may read everything")
"""What the reason of a skip holds that is right on a machine where nothing is missing."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
    call: pytest.CallInfo[None],  # noqa: ARG001 - pytest's signature
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI everything is installed, so a test skipped for want of something is a failure."""
    report = yield
    if not report.skipped or hasattr(report, "wasxfail") or not os.environ.get("CI"):
        return report
    reason = _skip_reason(report.longrepr)
    if not any(fine in reason for fine in _FINE_IN_CI):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped in CI, where nothing may be missing: {reason}"
    return report


def _skip_reason(longrepr: Any) -> str:
    return str(longrepr[2]) if isinstance(longrepr, tuple) else ""
