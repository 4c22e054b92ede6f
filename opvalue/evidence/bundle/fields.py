"""The fields of one JSON object in a bundle, each of exactly one kind. Pure."""

from collections.abc import Iterable, Mapping
from typing import NoReturn

from opvalue.evidence.bundle.errors import BundleMalformed
from opvalue.evidence.exchange import plain
from opvalue.identity import Digest, Instant
from opvalue.strictjson import JsonValue, kind_of


class Fields:
    """Reads an object whose keys are ``names``, no more and no fewer. Every method raises ``BundleMalformed``."""

    def __init__(self, value: JsonValue, names: Iterable[str], what: str) -> None:
        self._what = what
        if not isinstance(value, dict):
            self._refuse("is not an object", kind_of(value))
        self._values: Mapping[str, JsonValue] = value
        differing = sorted(value.keys() ^ set(names))
        if differing:
            self._refuse("has other fields than the format has", repr(differing[0]))

    def text(self, name: str) -> str:
        """Return a string on one line."""
        value = self._values[name]
        if not isinstance(value, str) or plain(value) != value:
            self._refuse(f"has no {name} of plain text", kind_of(value))
        return value

    def text_or_none(self, name: str) -> str | None:
        """Return a string or null."""
        return None if self._values[name] is None else self.text(name)

    def number(self, name: str, *, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        value = self._values[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self._refuse(f"has no {name} from {least} to {most}", repr(value)[:40])
        return value

    def flag(self, name: str) -> bool:
        """Return a boolean."""
        value = self._values[name]
        if not isinstance(value, bool):
            self._refuse(f"has no {name} that is true or false", kind_of(value))
        return value

    def digest(self, name: str) -> Digest:
        """Return a SHA-256 digest."""
        found = Digest.parse(self._values[name])
        if found is None:
            self._refuse(f"has no {name} of 64 hexadecimal characters", kind_of(self._values[name]))
        return found

    def instant(self, name: str) -> Instant:
        """Return a UTC time."""
        found = Instant.parse_utc(self._values[name])
        if found is None:
            self._refuse(f"has no {name} such as 2026-08-30T12:00:00.000Z", repr(self._values[name])[:40])
        return found

    def items(self, name: str) -> list[JsonValue]:
        """Return a list, its items unread."""
        value = self._values[name]
        if not isinstance(value, list):
            self._refuse(f"has no list {name}", kind_of(value))
        return value

    def value(self, name: str) -> JsonValue:
        """Return a field unread."""
        return self._values[name]

    def _refuse(self, why: str, found: str) -> NoReturn:
        raise BundleMalformed(f"{self._what} {why}", found=found)
