"""From the tree of an expression to a list of instructions, as Thompson's construction makes it."""

from typing import Final, NamedTuple, TypeAlias

from opvalue.graders.trajectory.pattern.syntax import (
    Alternatives,
    Characters,
    Node,
    PatternRefused,
    Place,
    Repeated,
    Sequence,
)

_MOST_INSTRUCTIONS: Final = 2_000
_MOST_VISITS: Final = 20_000


class Fork(NamedTuple):
    """Go on at every one of the targets; at none of them nothing matches."""

    targets: tuple[int, ...]


class Consume(NamedTuple):
    """Take one of these characters, then go on at ``target``."""

    characters: Characters
    target: int


class Hold(NamedTuple):
    """Go on at ``target`` where the place in the text is right."""

    place: str
    target: int


class Match(NamedTuple):
    """The expression has matched."""


Instruction: TypeAlias = Fork | Consume | Hold | Match


class Program(NamedTuple):
    """Instructions that name each other by position."""

    instructions: tuple[Instruction, ...]
    start: int


def assemble(tree: Node) -> Program:
    """Return the program of ``tree``. Raises ``PatternRefused`` where repeats unfold to too much."""
    assembler = _Assembler()
    start = assembler.emit(tree, assembler.add(Match()))
    return Program(tuple(assembler.instructions), start)


class _Assembler:
    """Builds from the end to the beginning, so that every target is known but those of loops."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self._visits = 0

    def add(self, instruction: Instruction) -> int:
        """Append an instruction and return its position."""
        if len(self.instructions) >= _MOST_INSTRUCTIONS:
            raise PatternRefused("the pattern unfolds to too much")
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def emit(self, node: Node, following: int) -> int:
        """Return where ``node`` begins, given what follows it."""
        self._visits += 1
        if self._visits > _MOST_VISITS:  # repeats of nothing add no instruction
            raise PatternRefused("the pattern unfolds to too much")
        match node:
            case Characters():
                return self.add(Consume(node, following))
            case Place(kind):
                return self.add(Hold(kind, following))
            case Alternatives(options):
                return self.add(Fork(tuple(self.emit(option, following) for option in options)))
            case Sequence(parts):
                for part in reversed(parts):
                    following = self.emit(part, following)
                return following
            case Repeated():
                return self._repeated(node, following)

    def _repeated(self, node: Repeated, following: int) -> int:
        if node.high is None:
            following = self._loop(node.part, following)
        else:
            for _ in range(node.high - node.low):
                following = self.add(Fork((self.emit(node.part, following), following)))
        for _ in range(node.low):
            following = self.emit(node.part, following)
        return following

    def _loop(self, part: Node, following: int) -> int:
        loop = self.add(Fork(()))
        self.instructions[loop] = Fork((self.emit(part, loop), following))
        return loop
