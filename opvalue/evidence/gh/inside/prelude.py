"""Definitions that make jq's language read more like that of gh's own jq.

What orders keys does it as gh's; what gh's does not have fails; what older versions of jq get wrong, or do not have, is
spelled out. Only definitions whose name occurs in a program are put before it: most programs run as they are.
"""

_SORTED = (
    'def _sorted: . as $v | if type == "object" then reduce keys[] as $k ({}; .[$k] = ($v[$k] | _sorted))'
    ' elif type == "array" then map(_sorted) else . end;'
)
# Newer versions of jq keep a number's spelling until it is reckoned with; all write e-07 where gh writes e-7.
_TOSTRING = (
    'def _tostring: tostring; def tostring: if type == "number" then (. * 1 | _tostring'
    ' | if test("e-0.$") then .[:-2] + .[-1:] else . end) else _sorted | _tostring end;'
)
# jq 1.6 never ends on a pattern that matches nothing.
_SUB = (
    "def sub($re; f; $flags): . as $in"
    ' | reduce match($re; $flags) as $m ({at: 0, out: [""]}; $in[.at:$m.offset] as $gap'
    " | [$m | [.captures[] | select(.name != null) | {(.name): .string}] | add // {} | f] as $new"
    " | .out = [.out[] as $before | $new[] as $one | $before + $gap + $one] | .at = $m.offset + $m.length)"
    " | .at as $at | .out[] + $in[$at:];"
    ' def sub($re; f): sub($re; f; ""); def gsub($re; f; $flags): sub($re; f; $flags + "g");'
    ' def gsub($re; f): sub($re; f; "g");'
)
_LIMIT = (
    "def limit($n; f): if $n > 0 then label $done | foreach f as $x (0; . + 1; $x, if . >= $n then break $done"
    " else empty end) elif $n == 0 then empty else f end;"
)
_TRIMS = (
    'def _of_text(f): if type == "string" then f else error("trim input must be a string") end;'
    ' def ltrim: _of_text(capture("\\\\A\\\\s*(?<s>[\\\\s\\\\S]*)\\\\z").s // "");'
    ' def rtrim: _of_text(capture("\\\\A(?<s>[\\\\s\\\\S]*?)\\\\s*\\\\z").s // "");'
    " def trim: ltrim | rtrim;"
)
# GitHub breaks the lines of base64; gh reads over that, jq takes it for no base64 at all. A format is a call of this.
_FORMAT = (
    'def _format(f): format(f); def _base64: if type == "string"'
    ' then (split("\\n") | add // "") | split("\\r") | add // "" else . end;'
    ' def format(f): if f == "base64d" then _base64 | _format(f) else _format(f) end;'
)
_NOT_IN_GH = (
    *("debug", "get_search_list", "input", "input_filename", "input_line_number", "inputs", "keys_unsorted"),
    *("recurse_down", "scalars_or_empty", "stderr"),
)

DEFINITIONS = (
    *((name, f'def {name}: error("function not defined: {name}/0");') for name in _NOT_IN_GH),
    ("to_entries", "def to_entries: . as $o | [keys[] as $k | {key: $k, value: $o[$k]}];"),
    ("tojson", f"{_SORTED} def _tojson: tojson; def tojson: _sorted | _tojson;"),
    ("tostring", f"{_SORTED} {_TOSTRING}"),
    ("@base64d", _FORMAT),
    ("sub(", _SUB),
    ("limit(", _LIMIT),
    ("skip(", "def skip($n; f): foreach f as $x ($n; . - 1; if . < 0 then $x else empty end);"),
    ("abs", 'def abs: if type == "number" then (if . < 0 then -. else . end) else error("abs of no number") end;'),
    ("leaf_paths", "def leaf_paths: paths(scalars);"),
    ("toarray", 'def toarray: if type == "array" then . else [.] end;'),
    ("pick(", "def pick(f): . as $v | reduce path(f) as $p (null; setpath($p; $v | getpath($p)));"),
    ("add(", "def add(f): reduce f as $x (null; . + $x);"),
    ("trim", _TRIMS),
    ("trimstr(", "def trimstr($s): ltrimstr($s) | rtrimstr($s);"),
    ("have_literal_numbers", "def have_literal_numbers: true;"),
    ("have_decnum", "def have_decnum: false;"),
)
"""Name, and definition: arities that jq has besides stay as they are."""


def prepared(program: str) -> str:
    """Return the program with the definitions it needs. It never begins with a dash."""
    needed = [text for name, text in DEFINITIONS if name in program]
    return f"{' '.join(needed)} {program}"
