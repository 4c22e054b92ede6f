"""Settings every test shares."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.canary import Hunt, logged

# A busy machine must not turn a slow example into a failure; the whole test has its time-out.
settings.register_profile("opvalue", deadline=None)
settings.load_profile("opvalue")

_FINE_IN_CI = ("root may", "this user may read everything")
"""What the reason of a skip holds that is right on a machine where nothing is missing."""


_HUNTED = frozenset({"broker", "cache", "github", "http", "online"})
"""Rooms whose tests hold a token."""
_CAPTURES = ("capsys", "capsysbinary", "capfdbinary", "capfd")


@pytest.fixture(autouse=True)
def hunt(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hunt | None]:
    """Fail when a test's token, or a signed link, got somewhere it must not be."""
    if not _HUNTED.intersection(request.path.parent.relative_to(Path(__file__).parent).parts):
        yield None
        return
    caplog: pytest.LogCaptureFixture = request.getfixturevalue("caplog")
    caplog.set_level(1)
    place: Path = request.getfixturevalue("tmp_path_factory").mktemp("hunted")
    monkeypatch.setenv("TMPDIR", str(place))
    folders = [place, request.getfixturevalue("tmp_path")]
    hunting = Hunt(monkeypatch, folders)
    hunting.read(lambda: logged(caplog))
    hunting.read(_outputs(request))
    yield hunting
    found = hunting.look()
    assert not found, "\n".join(["a secret got out:", *found])


def _outputs(request: pytest.FixtureRequest) -> Any:
    """Return what gives all output so far, also what the test has read itself."""
    name = next((one for one in _CAPTURES if one in request.fixturenames), "capfd")
    capture = request.getfixturevalue(name)
    real, seen = capture.readouterr, []

    def read() -> Any:
        seen.append(real())
        return seen[-1]

    capture.readouterr = read

    def outputs() -> Iterator[tuple[str, str]]:
        capture.readouterr()
        for out, err in seen:
            yield "standard output", out if isinstance(out, str) else out.decode("latin-1")
            yield "standard error", err if isinstance(err, str) else err.decode("latin-1")

    return outputs


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
