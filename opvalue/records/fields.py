"""Typed reading of one JSON object's fields, with the field's place in every refusal.

A field that is null counts as absent where it is optional, as in the program that wrote these files. Unknown fields
are ignored.
"""

from typing import Final

from opvalue.errors import OpvalueError
from opvalue.records.errors import VersionUnsupported
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, is_number, kind_of, loads_object

READ_VERSIONS: Final = frozenset({1, 2})


def load_record(
    data: bytes, *, what: str, versions: frozenset[int], malformed: type[OpvalueError]
) -> tuple["Fields", int]:
    """Return the record's fields and version. Raises ``malformed`` or ``VersionUnsupported``."""
    try:
        fields = Fields(loads_object(data, what=what), "", what, malformed)
    except JsonRefused as error:
        raise malformed(error.message, expected=error.expected, found=error.found) from None
    version = fields.integer("version")
    if version <= 0:
        raise fields.refuse("version", "a version above zero", str(version))
    if version not in versions:
        raise VersionUnsupported(what, version, versions)
    return fields, version


class Fields:
    """One object of a record: where it lies in the file, and which error a wrong field raises."""

    def __init__(self, document: JsonObject, place: str, what: str, malformed: type[OpvalueError]) -> None:
        self.document = document
        self._place = place
        self._what = what
        self._malformed = malformed

    def string(self, key: str) -> str:
        """Return a field that must be a string; it may be empty."""
        value = self.document.get(key)
        if isinstance(value, str):
            return value
        raise self._wrong_type(key, "a string")

    def name(self, key: str) -> str:
        """Return a field that must be a string with something in it."""
        value = self.string(key)
        if value.strip():
            return value
        raise self.refuse(key, "a string that is not blank", repr(value))

    def optional_string(self, key: str) -> str | None:
        """Return a string, or ``None`` when the field is absent."""
        return None if self.document.get(key) is None else self.string(key)

    def integer(self, key: str) -> int:
        """Return a field that must be written as an integer."""
        value = self.document.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise self._wrong_type(key, "an integer")

    def boolean(self, key: str) -> bool:
        """Return a field that must be true or false."""
        value = self.document.get(key)
        if isinstance(value, bool):
            return value
        raise self._wrong_type(key, "true or false")

    def optional_number(self, key: str) -> int | float | None:
        """Return a number, or ``None`` when the field is absent."""
        value = self.document.get(key)
        if value is None:
            return None
        if isinstance(value, int | float) and is_number(value):
            return value
        raise self._wrong_type(key, "a number")

    def json_object(self, key: str) -> JsonObject:
        """Return the raw object of a field that must hold one."""
        value = self.document.get(key)
        if isinstance(value, dict):
            return value
        raise self._wrong_type(key, "an object")

    def inner(self, key: str) -> "Fields":
        """Return the fields of an object that must be there."""
        return self._at(self.json_object(key), key)

    def optional_inner(self, key: str) -> "Fields | None":
        """Return the fields of an object, or ``None`` when the field is absent."""
        return None if self.document.get(key) is None else self.inner(key)

    def each(self, key: str) -> "list[Fields]":
        """Return the fields of every object in an array that must be there and hold objects only."""
        items = self.document.get(key)
        if not isinstance(items, list):
            raise self._wrong_type(key, "an array")
        return [self._item(item, f"{key}[{index}]") for index, item in enumerate(items)]

    def refuse(self, key: str, expected: str, found: str) -> OpvalueError:
        """Return the error for one field."""
        return self._malformed(
            f"{self._what}: {self._place}{key} must be {expected}", expected=expected, found=found[:80]
        )

    def _item(self, item: JsonValue, key: str) -> "Fields":
        if isinstance(item, dict):
            return self._at(item, key)
        raise self.refuse(key, "an object", kind_of(item))

    def _at(self, document: JsonObject, key: str) -> "Fields":
        return Fields(document, f"{self._place}{key}.", self._what, self._malformed)

    def _wrong_type(self, key: str, expected: str) -> OpvalueError:
        found = kind_of(self.document[key]) if key in self.document else "absent"
        return self.refuse(key, expected, found)
