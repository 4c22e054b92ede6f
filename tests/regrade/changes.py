"""One change each to a run's records, by name, for tables of refusals."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import pytest

from tests.support.world import World

Change: TypeAlias = Callable[[World], object]
Row: TypeAlias = tuple[str, Change, str]

SHEBANG: Final = b"#!/usr/bin/env bash\n"


def member(name: str, content: bytes | None) -> Change:
    return lambda world: world.members.update({name: content})


def grader(**fields: Any) -> Change:
    return lambda world: world.grader.update(fields)


def result(**fields: Any) -> Change:
    return lambda world: world.result.update(fields)


def subject(**fields: Any) -> Change:
    return lambda world: world.subject.update(fields)


def observation(**fields: Any) -> Change:
    return lambda world: world.observation.update(fields)


def run(**fields: Any) -> Change:
    return lambda world: world.results["run"].update(fields)


def without(record: Callable[[World], dict[str, Any]], key: str) -> Change:
    return lambda world: record(world).pop(key)


def text_of(name: str, change: Callable[[bytes], bytes]) -> Change:
    """Change a record's bytes after it was written out."""
    return lambda world: world.members.update({name: change(world.contents()[name])})


def ids(rows: Sequence[tuple[str, Callable[..., object], str]]) -> list[Any]:
    return [pytest.param(change, code, id=name) for name, change, code in rows]
