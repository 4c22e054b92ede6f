"""What jq 1.6 does not take in a program, told from its text: for machines whose jq is newer. Pure.

Told are names that are keywords, ``.a.[0]``, an ``if`` without ``else``, and functions that came later. Other things
that came later are not told.
"""

import re
from typing import Final, NamedTuple

_KEYWORD: Final = re.compile(r"\$(and|as|catch|def|elif|else|end|foreach|if|import|include|label|or|reduce|then|try)\b")
_BRACKET: Final = re.compile(r"(?<=[\w\])\"?])\.\[")
_BRANCH: Final = re.compile(r"(?<![.$@\w])(if|else|end)\b(?!\s*:)")
_FUNCTION: Final = re.compile(
    r"(?<![.$@:\w])(abs|add(?=\s*\()|debug(?=\s*\()|have_decnum|have_literal_numbers|ltrim|pick(?=\s*\()"
    r"|rtrim|skip(?=\s*\()|toarray|trim|trimstr(?=\s*\())\b(?!\s*:)"
)
_FORMAT: Final = re.compile(r"@(?:base32d|urid)\b")
_DEFINED: Final = re.compile(r"\bdef\s+([^:]*):")
_WORD: Final = re.compile(r"\w+")


class Newer(NamedTuple):
    """What a newer jq is needed for."""

    offset: int
    """Where it stands in the program, in characters."""
    reason: str


def needs_newer(text: str) -> Newer | None:
    """Return the first thing in a program that jq 1.6 refuses, or ``None``."""
    code = code_of(text)
    found = [
        *(Newer(one.start(), f"{one[0]} has the name of a keyword") for one in _KEYWORD.finditer(code)),
        *(Newer(one.start(), "a dot stands before a bracket") for one in _BRACKET.finditer(code)),
        *_branches(code),
        *_functions(code),
        *(Newer(one.start(), f"it does not have {one[0]}") for one in _FORMAT.finditer(code)),
    ]
    return min(found, default=None)


def _branches(code: str) -> list[Newer]:
    """Return each ``if`` that ends without an ``else``."""
    found: list[Newer] = []
    begun: list[tuple[int, bool]] = []
    for one in _BRANCH.finditer(code):
        if one[1] == "if":
            begun.append((one.start(), False))
        elif begun and one[1] == "else":
            begun[-1] = (begun[-1][0], True)
        elif begun and one[1] == "end":
            start, whole = begun.pop()
            if not whole:
                found.append(Newer(start, "an if has no else"))
    return found


def _functions(code: str) -> list[Newer]:
    own = {name for head in _DEFINED.findall(code) for name in _WORD.findall(head)}
    return [
        Newer(one.start(), f"it does not have {one[1]}")
        for one in _FUNCTION.finditer(code)
        if one[1] not in own and code[: one.start()].rstrip()[-1:] not in {"{", ","}
    ]


def code_of(text: str) -> str:
    """Return a program with comments and the insides of texts blanked, what is put into texts kept."""
    code = list(text)
    depths, in_text, at = [0], False, 0
    while at < len(text):
        step, one = 1, text[at]
        if in_text and text.startswith("\\(", at):
            code[at], in_text, step = " ", False, 2
            depths.append(0)
        elif in_text and one != '"':
            step = 2 if one == "\\" else 1
            code[at : at + step] = " " * len(code[at : at + step])
        elif one == '"':
            in_text = not in_text
        elif one == "#":
            step = len(text[at:].partition("\n")[0])
            code[at : at + step] = " " * step
        elif one == "(":
            depths[-1] += 1
        elif one == ")" and depths[-1] == 0 and len(depths) > 1:
            depths.pop()
            in_text = True
        elif one == ")":
            depths[-1] -= 1
        at += step
    return "".join(code)
