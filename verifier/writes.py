"""Where a script writes files, as far as its syntax tree shows it: redirections and the usual writing commands. Pure.

Not seen: writes of programs that are not listed, options beside the usual ones, names put together at run time other
than as the word that holds them. What is seen is no proof that nothing else is written.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Word
from verifier.subject import SourceFile
from verifier.syntax import Call, Syntax
from verifier.words import may_be_several, template

NAMED_BY_ACTIONS: Final = frozenset({"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"})
_TO_FILE: Final = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
_ALL: Final = frozenset({"tee", "touch", "mkdir", "truncate"})
_LAST: Final = frozenset({"cp", "install", "ln", "mv", "rsync"})
_OPTION: Final = {"sort": ("-o", "--output"), "curl": ("-o", "--output"), "wget": ("-O", "--output-document")}
_VALUED: Final = {"truncate": ("-s", "-r"), "touch": ("-d", "-t", "-r"), "mkdir": ("-m",)}


def written(syntax: Syntax) -> Iterator[tuple[SourceFile, Word]]:
    """Yield the words that name the files a script writes."""
    for site in syntax.sites:
        for one in getattr(site.command, "redirects", ()):
            if one.operator in _TO_FILE or (one.operator == ">&" and not _is_descriptor(one.target)):
                yield site.file, one.target
    for call in syntax.calls:
        if not syntax.is_function(call):
            for word in _by(call):
                yield call.site.file, word


def _is_descriptor(word: Word) -> bool:
    text = template(word)
    return text.rstrip("-").isdigit() or text == "-" or word.literal is None


def _by(call: Call) -> Iterator[Word]:
    operands = [word for word in _operands(call) if not may_be_several(word)]
    if call.name in _ALL:
        yield from operands
    elif call.name in _LAST and len(operands) > 1:
        yield operands[-1]
    elif call.name == "dd":
        yield from (_after(word, 3) for word in call.arguments if template(word).startswith("of="))
    elif call.name in _OPTION:
        yield from _option_value(call, *_OPTION[call.name])


def _operands(call: Call) -> Iterator[Word]:
    words = list(call.arguments)
    while words:
        word = words.pop(0)
        text = template(word)
        if text in _VALUED.get(call.name, ()):
            words = words[1:]
        elif not text.startswith("-") or text == "-":
            yield word


def _option_value(call: Call, short: str, long: str) -> Iterator[Word]:
    for place, word in enumerate(call.arguments[:-1]):
        if template(word) in {short, long}:
            yield call.arguments[place + 1]


def _after(word: Word, count: int) -> Word:
    text = word.literal
    if text is None:
        return Word(word.parts, word.start + count, word.end)
    from opvalue.bash.tree import Text  # noqa: PLC0415 - the one place that makes a word

    return Word((Text(text[count:], quoted=True),), word.start + count, word.end)
