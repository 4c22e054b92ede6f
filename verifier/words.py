"""Words of a script: their texts, the variables they expand, and those a test looks at. Pure."""

from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Body, Case, Command, Parameter, Redirected, Simple, Test, Text, Word
from opvalue.bash.visit import words_of

HOLE: Final = "\0"
"""Stands for an expansion in a word's ``template``."""


def template(word: Word) -> str:
    """Return the word's text with a ``HOLE`` for each expansion."""
    return "".join(part.value if isinstance(part, Text) else HOLE for part in word.parts)


def is_all_arguments(word: Word) -> bool:
    """Tell whether a word is ``"$@"``."""
    return any(isinstance(part, Parameter) and part.name == "@" for part in word.parts)


def may_be_several(word: Word) -> bool:
    """Tell whether a word may become several, or none: an unquoted expansion, or a list such as ``"$@"``."""
    return any(
        not isinstance(part, Text)
        and (
            not getattr(part, "quoted", True)
            or "@" in {getattr(part, "name", ""), getattr(part, "subscript", "")}
            or "[@]" in getattr(part, "text", "")
        )
        for part in word.parts
    )


def parameters(word: Word) -> Iterator[Parameter]:
    """Yield the variables a word expands, those in operators' arguments included, nested commands aside."""
    for part in word.parts:
        if isinstance(part, Parameter):
            yield part
            if part.argument is not None:
                yield from parameters(part.argument)


def tested_words(command: Command) -> tuple[Word, ...]:
    """Return the words that ``[[ ]]``, ``[ ]``, ``test`` or ``case`` looks at, patterns included."""
    if isinstance(command, Test | Case):
        return words_of(command)
    if isinstance(command, Simple) and command.words and command.words[0].literal in {"[", "test"}:
        return command.words[1:]
    return ()


def printed_heredoc(body: Body) -> Word | None:
    """Return the here-document that ``cat`` prints, when that is all the commands do."""
    command = body[0] if len(body) == 1 else None
    if not isinstance(command, Redirected) or not isinstance(command.command, Simple):
        return None
    words = command.command.words
    if len(words) != 1 or words[0].literal != "cat" or len(command.redirects) != 1:
        return None
    redirect = command.redirects[0]
    return redirect.target if redirect.operator in {"<<", "<<-"} else None
