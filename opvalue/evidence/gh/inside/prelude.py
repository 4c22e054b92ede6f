"""Definitions that make jq's language read like gh's own jq: what newer ones know, and what orders keys.

Only those whose name occurs in a program are put before it, so that most programs run as they are.
"""

_SORTED = 'def _sorted: . as $v | if type == "object" then reduce keys[] as $k ({}; .[$k] = ($v[$k] | _sorted)) elif type == "array" then map(_sorted) else . end;'

DEFINITIONS = (
    ("keys_unsorted", "def keys_unsorted: keys;"),
    ("to_entries", "def to_entries: . as $o | [keys[] as $k | {key: $k, value: $o[$k]}];"),
    ("tojson", f"{_SORTED} def _tojson: tojson; def tojson: _sorted | _tojson;"),
    ("tostring", f"{_SORTED} def _tostring: tostring; def tostring: _sorted | _tostring;"),
)


def prepared(program: str) -> str:
    """Return the program with the definitions it needs. It never begins with a dash."""
    needed = [text for name, text in DEFINITIONS if name in program]
    return f"{' '.join(needed)} {program}"
