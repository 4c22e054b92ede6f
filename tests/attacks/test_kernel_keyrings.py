"""An evaluator asks the kernel for the keys of the session that it was started from: it gets none."""

import ctypes
import os
import sys
from collections.abc import Iterator
from typing import Final

import pytest

from opvalue.process import keyrings
from tests.attacks.test_evaluator_reaches_out import CANARY, PYTHON, run

SESSION: Final = -3
CALLS = keyrings._KNOWN.get(os.uname().machine)


@pytest.fixture
def key() -> Iterator[int]:
    """Give the number of a key in this session's keyring."""
    if sys.platform != "linux" or CALLS is None:
        pytest.skip("no filter is known here")
    add, _, control = CALLS.numbers
    kernel = ctypes.CDLL(None, use_errno=True)
    secret = CANARY.encode()
    made = kernel.syscall(add, b"user", b"opvalue-test", secret, len(secret), SESSION)
    if made < 0:
        pytest.skip(f"the kernel keeps no keys here: {os.strerror(ctypes.get_errno())}")
    yield made
    kernel.syscall(control, 9, made, SESSION)  # KEYCTL_UNLINK


def test_no_key_of_the_session_is_read(key: int) -> None:
    assert CALLS is not None
    add, ask, control = CALLS.numbers
    got = run(
        f"""'{PYTHON}' -IS - <<'END'
import ctypes
kernel = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(99)
for call in (
    ({control}, 10, {SESSION}, b"user", b"opvalue-test", 0),
    ({control}, 11, {key}, room, 99),
    ({ask}, b"user", b"opvalue-test", None, {SESSION}),
    ({add}, b"user", b"mine", b"x", 1, {SESSION}),
    ({control} + 0x40000000, 11, {key}, room, 99),
):
    print(kernel.syscall(*call), ctypes.get_errno(), room.value.decode())
END"""
    )
    assert got.ended is None
    assert got.out == "-1 1 \n" * 5
