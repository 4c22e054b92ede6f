"""What an archived evaluator must look like before anything else is asked of it (reference 2.2, step 5). Pure.

Its size is bounded by the reader; its digests and its blob at the recorded commit are compared by ``trust``. Nothing
here, or anywhere, runs these bytes.
"""

from typing import Final

from opvalue.archive.errors import EvaluatorNoShebang, EvaluatorNotUtf8

_SHEBANGS: Final = (b"#!/usr/bin/env bash\n", b"#!/bin/bash\n")


def check_script(data: bytes, name: str) -> None:
    """Raise ``EvaluatorNotUtf8`` or ``EvaluatorNoShebang``, in this order."""
    try:
        data.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        raise EvaluatorNotUtf8(
            f"{name} is not UTF-8", expected="UTF-8 text", found=f"byte 0x{data[error.start]:02x} at {error.start}"
        ) from None
    if not data.startswith(_SHEBANGS):
        raise EvaluatorNoShebang(
            f"{name} does not begin with a Bash shebang line",
            expected=" or ".join(repr(shebang.decode()) for shebang in _SHEBANGS),
            found=repr(data.partition(b"\n")[0][:40].decode("utf-8", "replace")),
        )
