"""Read exactly one JSON document from what an evaluator printed, and say why when there is not one (HB-06, HB-07).

Not checked here: the exit status, which is judged before the output (DESIGN 4.9), and the size, which is capped
while reading.
"""

from opvalue.contract.errors import OutputColoured, OutputEmpty, OutputNotJson, OutputSeveralValues
from opvalue.strictjson import JsonRefused, JsonSeveralValues, JsonValue, loads

_ESCAPE = b"\x1b"
_SHOWN_BYTES = 40


def read_output(stdout: bytes, *, mode: str) -> JsonValue:
    """Return the one JSON value in ``stdout``. ``mode`` names the evaluator's mode in errors.

    Raises ``OutputEmpty``, ``OutputColoured``, ``OutputSeveralValues`` or ``OutputNotJson``.
    """
    start = stdout.lstrip()
    if not start:
        raise OutputEmpty(f"{mode} printed nothing", expected="one JSON document", found=f"{len(stdout)} bytes")
    if start.startswith(_ESCAPE):
        raise OutputColoured(
            f"{mode} printed an escape byte first, so its output holds terminal codes",
            expected="one JSON document",
            found=ascii(start[:_SHOWN_BYTES].decode("latin-1")),
        )
    try:
        return loads(stdout, what=f"the output of {mode}")
    except JsonSeveralValues as error:
        raise OutputSeveralValues(
            f"{mode} printed more than one value", expected=error.expected, found=error.found
        ) from None
    except JsonRefused as error:
        raise OutputNotJson(error.message, expected=error.expected, found=error.found) from None
