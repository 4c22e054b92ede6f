"""A run's folder of logs, written file by file."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from opvalue.collect import collect
from opvalue.limits import Limits

START: Final = {"type": "session.start", "timestamp": "2026-11-02T10:00:00Z", "data": {"sessionId": "s1"}}
CALL: Final = {"type": "tool.execution_start", "data": {"toolCallId": "c1", "toolName": "bash"}}


class Run:
    """The folder, with short ways to fill it and to see what is collected from it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, path: str, content: bytes | str) -> Path:
        """Write one file."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return file

    def lines(self, path: str, *records: Any) -> Path:
        """Write one file of JSON lines."""
        return self.put(path, "".join(f"{json.dumps(record)}\n" for record in records))

    def value(self, path: str, value: Any) -> Path:
        """Write one file of one JSON value."""
        return self.put(path, json.dumps(value, indent=1))

    def session(self, *, secrets: Sequence[str] = (), limits: Limits | None = None) -> list[Any]:
        """Collect, and return every event."""
        return [json.loads(line) for line in collect(self.folder, secrets=secrets, limits=limits).lines]

    def events(self, *, secrets: Sequence[str] = (), limits: Limits | None = None) -> list[Any]:
        """Collect, and return the events that are not the collector's own."""
        return [one for one in self.session(secrets=secrets, limits=limits) if not _own(one)]

    def data(self) -> list[Any]:
        """Collect, and return type and payload of each event that is not the collector's own."""
        return [(one["type"], one["data"]) for one in self.events()]

    def warnings(self, limits: Limits | None = None) -> list[Any]:
        """Collect, and return path, code and line of each warning."""
        return [
            (one["data"]["path"], one["data"]["code"], one["data"].get("line"))
            for one in self.session(limits=limits)
            if one["type"] == "session.collection_warning" and _own(one)
        ]

    def sources(self) -> list[str]:
        """Collect, and return the paths that were read, in order."""
        return [source["path"] for source in self.session()[-1]["data"]["sources"]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    folder = tmp_path / "run"
    folder.mkdir()
    return Run(folder)


def types(events: Iterable[Any]) -> list[str]:
    """Return the type of each event."""
    return [event["type"] for event in events]


def _own(event: Any) -> bool:
    return bool(event["provenance"]["component"] == "collector")
