"""Where a value stands in a JSON text that was read already: looked for only when something is wrong with it."""

import json
import re
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL)


class JsonPlaces:
    """The places of one text, which must be one valid JSON document."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [(found[0], found.start()) for found in _TOKEN.finditer(text)]

    def find(self, path: tuple[str, ...], *, key: bool = False) -> tuple[int, int]:
        """Return line and column, from 1, of the value at ``path``, or of its key; of the nearest that holds it else.

        Keys of objects are followed, items of arrays are not.
        """
        at = 0
        for number, part in enumerate(path, start=1):
            inside = self._member(at, part)
            if inside is None:
                break
            at = inside if key and number == len(path) else inside + 2
        offset = self._tokens[at][1]
        begins = self._text.rfind("\n", 0, offset) + 1
        return self._text.count("\n", 0, offset) + 1, offset - begins + 1

    def _member(self, at: int, name: str) -> int | None:
        """Return the place of the key ``name`` of the object that begins at ``at``."""
        depth, place = 0, at
        while True:  # the text is valid, so what opens here is closed
            token = self._tokens[place][0]
            depth += (token in {"{", "["}) - (token in {"}", "]"})
            if depth == 0:
                return None
            is_key = depth == 1 and token[0] == '"' and self._tokens[place + 1][0] == ":"
            if is_key and json.loads(token) == name:
                return place
            place += 1
