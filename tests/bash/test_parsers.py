"""Both parsers against Bash and against each other, over one table of constructs."""

import subprocess
from collections.abc import Iterable

import pytest

from opvalue.bash import shfmt, treesitter
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.parse import parse
from opvalue.bash.tree import Body, Simple
from opvalue.evaluator import parse_with_shfmt
from opvalue.strictjson import JsonValue
from tests.bash.same import told
from tests.bash.snippets import EXTGLOB, MISREAD, SNIPPETS
from tests.bash.trees import needs_bash_5


def by_shfmt(source: str) -> Body:
    data = source.encode()
    return shfmt.convert(data, parse_with_shfmt(data))


def joined(snippets: Iterable[str]) -> str:
    return "\n".join(snippets) + "\n"


@needs_bash_5
@pytest.mark.parametrize("options", [(), ("-O", "extglob")], ids=["plain", "extglob"])
def test_every_entry_is_legal_bash(options: tuple[str, ...]) -> None:
    snippets = EXTGLOB if options else (*SNIPPETS, *MISREAD)
    finished = subprocess.run(
        ["bash", *options, "-n"], input=joined(snippets), capture_output=True, text=True, check=False
    )
    assert (finished.returncode, finished.stderr) == (0, "")


def test_the_two_parsers_tell_the_same_of_what_tree_sitter_reads() -> None:
    expected = list(by_shfmt(joined(SNIPPETS)))
    for snippet in SNIPPETS:
        body = treesitter.read(snippet.encode())
        assert body is not None, snippet
        here, expected = expected[: len(body)], expected[len(body) :]
        assert told(body) == told(tuple(here)), snippet
    assert expected == []


@pytest.mark.parametrize(
    "wrap",
    [
        "f() {\n%s\n}\n",
        'echo "a $(\n%s\n) b"\n',
        "case $x in\n  y)\n%s\n;;\nesac\n",
    ],
)
def test_the_two_parsers_tell_the_same_inside_other_constructs(wrap: str) -> None:
    snippets = [snippet for snippet in SNIPPETS if not snippet.startswith("#")]
    read = [(snippet, treesitter.read((wrap % snippet).encode())) for snippet in snippets]
    expected = by_shfmt("".join(wrap % snippet for snippet, body in read if body is not None))
    bodies = [(snippet, body) for snippet, body in read if body is not None]
    assert len(bodies) > len(snippets) * 0.95
    for (snippet, body), command in zip(bodies, expected, strict=True):
        assert told(body) == told((command,)), snippet


@pytest.mark.parametrize("snippet", MISREAD)
def test_tree_sitter_is_not_trusted_with_what_it_misreads(snippet: str) -> None:
    assert treesitter.read(snippet.encode()) is None


@pytest.mark.parametrize("snippet", [one for one in MISREAD if "<<" in one or one.startswith(("time", "coproc"))])
def test_it_is_given_up_wherever_it_stands(snippet: str) -> None:
    assert treesitter.read(f"first\nif second; then\n{snippet}\nfi\n".encode()) is None


def test_shfmt_reads_what_tree_sitter_gives_up() -> None:
    assert len(by_shfmt(joined(MISREAD))) >= len(MISREAD)


def test_shfmt_reads_a_misread_statement_as_two() -> None:
    commands = parse("x.sh", b'"$a"\n\\source b\n', parse_with_shfmt)
    assert [[word.literal for word in each.words] for each in commands if isinstance(each, Simple)] == [
        [None],
        ["source", "b"],
    ]


@pytest.mark.parametrize("snippet", EXTGLOB)
def test_extended_patterns_are_read_alike_or_given_up(snippet: str) -> None:
    source = f"shopt -s extglob\n{snippet}\n"
    body = treesitter.read(source.encode())
    assert body is None or told(body) == told(by_shfmt(source))


def test_a_negated_subshell_is_read_only_where_it_cannot_be_a_pattern() -> None:
    assert treesitter.read(b"if !(a); then b; fi") is not None
    assert treesitter.read(b"shopt -s extglob\nif !(a); then b; fi") is None
    with pytest.raises(NotAnalysable):
        parse("x.sh", b"if !(a); then `b`; fi", parse_with_shfmt)


def test_neither_parser_reads_it() -> None:
    with pytest.raises(NotAnalysable) as caught:
        parse("x.sh", b"first\necho ${x~} `y`\n", parse_with_shfmt)
    assert caught.value.code == "bash.not-analysable"
    assert caught.value.found == "line 2: echo ${x~} `y`"


def test_without_a_second_parser_the_hint_names_it() -> None:
    with pytest.raises(NotAnalysable) as caught:
        parse("x.sh", b"echo `a`\n", None)
    assert caught.value.hint == "Install shfmt (pip install shfmt-py); it reads what tree-sitter cannot."


@pytest.mark.parametrize(
    ("source", "what", "found"),
    [
        (b"a\nb\r\nc", "x.sh holds a carriage return", "line 2"),
        (b"a\n\nb\0", "x.sh holds a NUL byte", "line 3"),
        (b"\n\r", "x.sh holds a carriage return", "line 2"),
    ],
)
def test_bytes_that_bash_takes_in_its_own_way(source: bytes, what: str, found: str) -> None:
    with pytest.raises(NotAnalysable) as caught:
        parse("x.sh", source, parse_with_shfmt)
    assert (caught.value.message, caught.value.found) == (what, found)


def test_markdown_in_comments_quotes_and_quoted_here_documents_needs_no_second_parser() -> None:
    source = "# `a`\nb 'c `d`' \"e \\`f\\`\"\ncat <<'X'\n`g`\nX\ncat <<Y\nsee \\`h\\`\nY\n"
    assert treesitter.read(source.encode()) is not None


@pytest.mark.parametrize("depth", [400, 3000])
def test_deep_nesting_is_refused(depth: int) -> None:
    source = b"if a; then " * depth + b":;" + b" fi;" * depth
    with pytest.raises(NotAnalysable) as caught:
        parse("x.sh", source, parse_with_shfmt)
    assert "nested too deeply" in caught.value.message or caught.value.found is not None


_AT = {"Pos": {"Offset": 0}, "End": {"Offset": 1}}
_ODD_WORD = {**_AT, "Parts": [{**_AT, "Type": "Odd"}]}


def statement(**more: JsonValue) -> JsonValue:
    return {"Stmts": [{**_AT, **more}]}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "document",
    [
        [],
        "text",
        {"Stmts": 1},
        {"Stmts": [1]},
        {"Stmts": [{}]},
        {"Stmts": [{"Pos": {"Offset": "0"}, "End": {"Offset": 1}}]},
        statement(Cmd={}),
        statement(Cmd={"Type": "TestDecl"}),
        statement(Cmd={"Type": 1}),
        statement(Coprocess=True),
        statement(Cmd={**_AT, "Type": "TestClause", "X": {"Type": "Odd"}}),  # type: ignore[dict-item]
        statement(Cmd={**_AT, "Type": "CallExpr", "Args": [_ODD_WORD]}),  # type: ignore[dict-item,list-item]
    ],
)
def test_json_that_shfmt_never_writes_is_refused(document: JsonValue) -> None:
    with pytest.raises(NotAnalysable):
        parse("x.sh", b"`a`", lambda _script: document)
