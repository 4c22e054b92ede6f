"""The jq programs of a script with what the jq at hand makes of them, worked out once for all rules."""

import re
from typing import Final

from verifier.jq_programs import JqProgram, jq_programs
from verifier.jq_versions import Compiled, compile_each, uses_modules
from verifier.syntax import Syntax

_NAMES: Final = re.compile(r"\$([A-Za-z_]\w*)")
_BUILT_IN: Final = frozenset({"ENV", "__loc__", "__prog_args", "ARGS"})


def compiled_programs(syntax: Syntax) -> tuple[tuple[JqProgram, Compiled], ...]:
    """Return each literal program, those that include modules aside, and whether it compiles.

    Where further named arguments may be declared, all names in the text count as declared.
    """
    programs = tuple(_with_its_names(one) for one in jq_programs(syntax) if not uses_modules(one.text))
    made = compile_each(tuple((program.text, program.names) for program in programs))
    return tuple(zip(programs, made, strict=True))


def _with_its_names(program: JqProgram) -> JqProgram:
    if not program.open:
        return program
    return program._replace(names=program.names | (frozenset(_NAMES.findall(program.text)) - _BUILT_IN))
