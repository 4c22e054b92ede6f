"""The filter refuses what leads to the kernel's keyrings, by every number, and nothing else."""

import struct

import pytest

from opvalue.process.keyrings import keyring_filter

ALLOWED, REFUSED = 0x7FFF0000, 0x00050001
X86, ARM, RISCV, I386 = 0xC000003E, 0xC00000B7, 0xC00000F3, 0x40000003


def outcome(machine: str, architecture: int, number: int) -> int:
    """Run the filter as the kernel would on one call."""
    data = keyring_filter(machine)
    assert data is not None
    steps = list(struct.iter_unpack("=HBBI", data))
    value, place = 0, 0
    while True:
        code, yes, no, operand = steps[place]
        place += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = {0: number, 4: architecture}[operand]
            continue
        holds = value == operand if code == 0x15 else value >= operand
        place += yes if holds else no


@pytest.mark.parametrize(
    ("machine", "architecture", "numbers"),
    [("x86_64", X86, {248, 249, 250}), ("aarch64", ARM, {217, 218, 219}), ("riscv64", RISCV, {217, 218, 219})],
)
def test_three_calls_are_refused(machine: str, architecture: int, numbers: set[int]) -> None:
    assert {number for number in range(1000) if outcome(machine, architecture, number) != ALLOWED} == numbers
    assert {outcome(machine, architecture, number) for number in numbers} == {REFUSED}


@pytest.mark.parametrize("number", [0, 1, 286, 287, 288])
def test_nothing_of_another_architecture_passes(number: int) -> None:
    assert outcome("x86_64", I386, number) == REFUSED
    assert outcome("x86_64", X86, 0x40000000 + number) == REFUSED
    assert outcome("aarch64", X86, number) == REFUSED


def test_an_unknown_machine_has_none() -> None:
    assert keyring_filter("vax") is None
