"""The stand-in's modules by themselves: the whole table in this process, and what no invocation reaches."""

import ast
import gc
import json
import marshal
import os
import posix
import socket
import sys
import threading
import types
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from opvalue.evidence.gh.inside import (
    address,
    documents,
    flags,
    jq,
    launcher,
    main,
    options,
    pages,
    quoting,
    sanitize,
    streams,
)
from opvalue.evidence.gh.inside import fields as inside_fields
from opvalue.evidence.gh.inside.failure import Failed, Unsupported
from opvalue.evidence.gh.inside.wire import Broker
from tests.evidence.gh.compare import golden
from tests.evidence.gh.inside import SETTINGS, run, typed
from tests.evidence.gh.laid import StandInHere, lay, standing_in
from tests.evidence.gh.table import ROWS, Row, goldens
from tests.evidence.gh.world import world


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_every_row_in_this_process(
    gh: StandInHere, row: Row, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ran = run(gh.folder, row.argv, monkeypatch, capfdbinary, stdin=row.stdin, env={"GH_TOKEN": "", **row.env})
    expected = goldens()[row.name]
    if "auth status" in row.words:
        assert ran.status == expected.status
        return
    assert golden(row, ran) == expected


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Len", "gh: the evidence broker's answer was cut short\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "gh: the evidence broker's answer was cut short\n"),
        (b"nonsense\r\n\r\n", "gh: the evidence broker's answer was cut short\n"),
        (b"HTTP/1.1 200 OK\r\n\r\nab", "gh: the evidence broker's answer was cut short\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2x\r\n\r\nab", "gh: the evidence broker's answer was cut short\n"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "gh: the evidence broker's answer was cut short\n",
        ),
        (b"HTTP/1.1 599 Not Observed\r\nContent-Length: 3\r\n\r\nwhy", "gh: why\n"),
    ],
)
def test_answers_that_are_none(
    gh: StandInHere,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    answer: bytes,
    said: str,
) -> None:
    monkeypatch.setattr(gh.bridge, "raw", answer)
    assert run(gh.folder, ["api", "x"], monkeypatch, capfdbinary) == (1, b"", said.encode())


def test_a_broker_far_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    deep = tmp_path / ("deep" * 40)
    lay(deep)
    with standing_in(world(), tmp_path / "x") as gh:
        os.rename(gh.folder / "broker" / "socket", deep / "broker" / "socket")  # noqa: PTH104
        ran = run(deep, ["api", "repos/acme/widgets", "--jq", ".id"], monkeypatch, capfdbinary)
    assert ran == (0, b"42\n", b"")
    ran = run(deep, ["api", "repos/acme/widgets"], monkeypatch, capfdbinary)
    assert (ran.status, ran.out) == (1, b"")


def test_arguments_in_another_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["gh", "\u00c3\u00bc\u00ff"])
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "latin-1")
    assert streams.arguments() == ["\u00fc\udcff"]
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "utf-8")
    assert streams.arguments() == ["\u00c3\u00bc\u00ff"]


@pytest.mark.parametrize("words", [[], ["help"], ["--help"], ["help", "api"], ["api", "--help"]])
def test_help(
    gh: StandInHere,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    words: list[str],
) -> None:
    ran = run(gh.folder, words, monkeypatch, capfdbinary)
    assert (ran.status, ran.err) == (0, b"")
    assert b"USAGE" in ran.out


def test_auth(gh: StandInHere, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    ran = run(gh.folder, ["auth", "status", "-h", "ghe.example.com", "--show-token"], monkeypatch, capfdbinary)
    assert b"ghe.example.com\n" in ran.out
    ran = run(gh.folder, ["auth", "status", "more"], monkeypatch, capfdbinary)
    assert ran == (1, b"", b'unknown command "more" for "gh auth status"\n')
    assert run(gh.folder, ["auth"], monkeypatch, capfdbinary).status == 1


def test_what_fails_within_sticks(
    gh: StandInHere, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(pages, "next_page", lambda _: 1 / 0)
    before = len(gh.bridge.told)
    ran = run(gh.folder, ["api", "repos/acme/widgets"], monkeypatch, capfdbinary)
    assert (ran.status, ran.out) == (1, b"")
    assert ran.err == b"gh: the stand-in itself failed: ZeroDivisionError: division by zero\n"
    assert gh.bridge.told[before:] == [
        "unsupported gh api repos/acme/widgets: the stand-in itself failed: ZeroDivisionError: division by zero"
    ]


def test_a_long_command_is_told_in_part(
    gh: StandInHere, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    run(gh.folder, ["pr", "x" * 5000], monkeypatch, capfdbinary)
    assert len(gh.bridge.told[-1]) < 1024
    run(gh.folder, ["x" * 5000], monkeypatch, capfdbinary)
    assert len(gh.bridge.told[-1]) <= 1024


@given(st.recursive(st.none() | st.booleans() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_documents_are_read_back(value: object) -> None:
    assert json.loads(documents.encode(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_back(value: float) -> None:
    shown = documents.number(value)
    assert float(shown) == value
    assert ("e" in shown) is (value != 0 and (abs(value) < 1e-6 or abs(value) >= 1e21))


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.000001, "0.000001"), (1e-7, "1e-7"), (1.5e300, "1.5e+300"), (-0.0, "-0"), (1e21, "1e+21"), (12.5, "12.5")],
)
def test_numbers_as_go_writes_them(value: float, shown: str) -> None:
    assert documents.number(value) == shown


@given(st.binary())
def test_sanitised_documents_keep_their_length_in_characters_or_shrink(data: bytes) -> None:
    cleaned = sanitize.sanitized(data)
    assert len(cleaned) <= len(data)
    assert b"\\u00" in data or cleaned == data


@given(st.text(st.sampled_from('\\u01bn9"x'), max_size=40))
def test_sanitised_texts_stay_json(text: str) -> None:
    body = f'["{text}"]'
    try:
        json.loads(body)
    except ValueError:
        return
    json.loads(sanitize.sanitized(body.encode()))


@pytest.mark.parametrize(
    ("kind", "is_json"),
    [
        ("application/json", True),
        ("application/json; charset=utf-8", True),
        ("application/vnd.github+json", True),
        ("application/vnd.json.x+json;v=3", True),
        ("application/jsonp", False),
        ("json", False),
        ("text/plain", False),
        ("", False),
    ],
)
def test_what_gh_takes_for_json(kind: str, is_json: bool) -> None:
    assert sanitize.is_json(kind) is is_json


@pytest.mark.parametrize("before", ["/", "https://", "/a ://", ""])
@given(st.binary(max_size=60))
@example(b" ://")
def test_addresses_never_break_a_request_line(before: str, data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    try:
        found = address.target(before + text)
    except address.BadAddress:
        return
    assert all("!" <= one <= "~" for one in found)


@pytest.mark.parametrize(
    ("given_address", "target"),
    [
        ("/a b?c d", "/a%20b?c%20d"),
        ("/a%2Fb/c", "/a%2Fb/c"),
        ("/a%2Fb/ü", "/a/b/%C3%BC"),
        ("https://x.example/a?b#c", "https://x.example/a?b"),
        ("https://x.example", "https://x.example"),
        ("/[x](y)", "/[x](y)"),
        ("/{x}", "/%7Bx%7D"),
    ],
)
def test_addresses(given_address: str, target: str) -> None:
    assert address.target(given_address) == target


@pytest.mark.parametrize("bad", ["/a%zz", "/a%1", "/a\nb", "/\x7f"])
def test_what_is_no_address(bad: str) -> None:
    with pytest.raises(address.BadAddress):
        address.target(bad)


@pytest.mark.parametrize(
    ("link", "following"),
    [
        ('<a>; rel="prev", <b>; rel="next"', "b"),
        ('<a>;rel="next"', "a"),
        ('<a>; rel="nextly"', ""),
        ('<a> rel="next"', ""),
        ("<a", ""),
        ("", ""),
    ],
)
def test_links(link: str, following: str) -> None:
    assert pages.next_page(link) == following


@pytest.mark.parametrize(
    ("path", "given_size", "found"),
    [
        ("a", False, "a?per_page=100"),
        ("a?b=c", False, "a?b=c&per_page=100"),
        ("a?per_page=5", False, "a?per_page=5"),
        ("a?per_page=", False, "a?per_page=&per_page=100"),
        ("a", True, "a"),
    ],
)
def test_page_sizes(path: str, given_size: bool, found: str) -> None:
    assert pages.with_page_size(path, given=given_size) == found


@pytest.mark.parametrize(
    ("document", "cursor"),
    [
        ('{"a": {"pageInfo": {"hasNextPage": true, "endCursor": "x"}}}', "x"),
        ('{"a": {"pageInfo": {"hasNextPage": false, "endCursor": "x"}}}', ""),
        ('{"a": {"pageInfo": {"hasNextPage": true, "endCursor": null}}}', ""),
        ('{"a": [{"pageInfo": {"endCursor": "x", "hasNextPage": true}}, {"pageInfo": {"endCursor": "y"}}]}', "x"),
        ('{"endCursor": "x", "hasNextPage": true}', ""),
        ('{"pageInfo": {"nested": {}, "endCursor": "x", "hasNextPage": true}}', ""),
        ("[]", ""),
    ],
)
def test_cursors(document: str, cursor: str) -> None:
    assert pages.end_cursor(documents.parse_pairs(document.encode())) == cursor


def fields(raw: list[str], typed: list[str]) -> object:
    return inside_fields.parse_fields(raw, typed, inside_fields.Context("acme", "widgets", "main"))


@pytest.mark.parametrize(
    ("raw", "typed", "found"),
    [
        ([], ["a=007", "b=+5", "c=-3", "d=1.5", "e=true", "f=null", "g=9223372036854775808"], None),
        (["a[b][c]=1", "a[b][d]=2"], [], {"a": {"b": {"c": "1", "d": "2"}}}),
        (["a[]=1", "a[]=2"], [], {"a": ["1", "2"]}),
        (["a[][b]=1", "a[][c]=2", "a[][b]=3"], [], {"a": [{"b": "1", "c": "2"}, {"b": "3"}]}),
        (["a[][b][]=1", "a[][b][]=2"], [], {"a": [{"b": ["1", "2"]}]}),
        (["a[]"], ["b[]", "c[]=null"], {"a": [], "b": [], "c": []}),
        (["a=@x"], ["o={owner}/{repo}@:branch"], {"a": "@x", "o": "acme/widgets@main"}),
        (["a==b=c", "=x"], [], {"a": "=b=c", "": ["x"]}),
    ],
)
def test_fields(raw: list[str], typed: list[str], found: object) -> None:
    expected = found or {"a": 7, "b": 5, "c": -3, "d": "1.5", "e": True, "f": None, "g": "9223372036854775808"}
    assert fields(raw, typed) == expected


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (["a=1", "a[b]=2"], 'expected map type under "a", got string'),
        (["a[b]=1", "a[]=2"], 'expected array type under "a", got map[string]interface {}'),
        (["a[]=1", "a[b]=2"], 'expected map type under "a", got []interface {}'),
        (["\n"], 'invalid key: "\\n"'),
    ],
)
def test_fields_that_contradict_each_other(raw: list[str], said: str) -> None:
    with pytest.raises(Failed) as caught:
        fields(raw, [])
    assert caught.value.message == said


@pytest.mark.parametrize(
    ("named", "filled"),
    [
        ("https://github.localhost/acme/other", "acme/other"),
        ("https://github.localhost/acme/other.git/?tab=x#y", "acme/other"),
        ("git@github.localhost:acme/other.git", "acme/other"),
        ("ssh://git@github.localhost/acme/other", "acme/other"),
        ("acme/other.git", "acme/other.git"),
        ("github.localhost/acme/other", "acme/other"),
        ("https://github.localhost/acme", "invalid path: /acme"),
        ("https://github.localhost/acme/other/pulls", "invalid path: /acme/other/pulls"),
        ("a/b/c/d", 'expected the "[HOST/]OWNER/REPO" format, got "a/b/c/d"'),
    ],
)
def test_how_the_environment_names_a_repository(monkeypatch: pytest.MonkeyPatch, named: str, filled: str) -> None:
    monkeypatch.setitem(posix.environ, b"GH_REPO", named.encode())
    try:
        found = inside_fields.fill("{owner}/{repo}", inside_fields.Context("x", "y", ""))
    except Failed as failed:
        found = failed.message
    assert found == filled


def test_queries_hold_what_is_nested() -> None:
    parameters = {"b": {"c": True}, "a": [1, None, "x"], "d": b"\xff", "e": False}
    pairs = inside_fields.query_pairs(parameters)
    assert address.encode_query(pairs) == "a%5B%5D=1&a%5B%5D=&a%5B%5D=x&c=true&d=%FF&e=false"


@pytest.mark.parametrize("text", ["1h", "3600s", "1.5h", "-1m", "+5s", "0", "1h2m3s4ms5us6ns", "1µs", ".5s"])
def test_durations(text: str) -> None:
    assert options.Options(["x", "--cache", text]).endpoint == "x"


@pytest.mark.parametrize("text", ["", "1", "h", "1x", "1..5h", "-", ".s", "1h 2m"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(Failed):
        options.Options(["x", "--cache", text])


def test_flags_that_may_be_joined_and_repeated() -> None:
    given_flags = flags.parse(["-iXGET", "-fa=1", "-f", "b=2", "--silent=true", "x", "--", "-i"], options.FLAGS)
    assert given_flags.arguments == ["x", "-i"]
    assert given_flags.text("method") == "GET"
    assert given_flags.texts("raw-field") == ["a=1", "b=2"]
    assert given_flags.switch("include")
    assert given_flags.switch("silent")
    assert not given_flags.switch("slurp")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["x", "-X", "G T"], 'net/http: invalid method "G T"'),
        (["x", "-X", ""], 'net/http: invalid method ""'),
        (["x", "-H", "a b: c"], 'net/http: invalid header field name "a b"'),
        (["x", "-H", "a: b\nc"], 'net/http: invalid header field value for "A"'),
    ],
)
def test_requests_that_cannot_be_made(
    gh: StandInHere,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    words: list[str],
    said: str,
) -> None:
    ran = run(gh.folder, ["api", *words], monkeypatch, capfdbinary)
    assert (ran.status, ran.err) == (1, f"{said}\n".encode())


def test_texts_as_go_quotes_them() -> None:
    assert quoting.quoted('a"\\\n\t\r\a\b\f\v\x01\x7f\u00ad\U000e0001é\udcff') == (
        '"a\\"\\\\\\n\\t\\r\\a\\b\\f\\v\\x01\\x7f\\u00ad\\U000e0001é\\xff"'
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "unexpected end of JSON input"),
        (b'{"a" 1}', "invalid character '1' after object key"),
        (b"[1 2]", "invalid character '2' in JSON input"),
        (b"tru", "unexpected end of JSON input"),
        (b"[trux]", "invalid character 'x' in literal true (expecting 'e')"),
        (b"[Infinity]", "invalid character 'I' looking for beginning of value"),
        (b"[-Infinity]", "invalid character 'I' in numeric literal"),
        (b"[" * 100_000, "exceeded max depth"),
        (b"-1e999", "json: cannot unmarshal number -1e999 into Go value of type float64"),
    ],
)
def test_what_is_no_document(body: bytes, said: str) -> None:
    with pytest.raises(Failed) as caught:
        documents.parse(body)
    assert caught.value.message == said


def test_large_whole_numbers_are_doubles() -> None:
    assert documents.parse(b"[12345678901234567890, -0, 1.0, -0.0]") == [12345678901234567168, 0, 1, 0]
    with pytest.raises(Failed):
        documents.parse(b"1" + b"0" * 400)


def test_a_program_needs_jq() -> None:
    with pytest.raises(Unsupported):
        jq.run_filter(".", b"{}", "/absent/jq", [])


@pytest.mark.parametrize(
    ("program", "out"),
    [
        ('"  x\n y " | trim, ltrim, rtrim', b"x\n y\nx\n y \n  x\n y\n"),
        ("[limit(0; 1, 2)], [limit(1; 1, 2)]", b"[]\n[1]\n"),
        ("[skip(1; 1, 2)], add(1, 2), (-3 | abs), (1 | toarray)", b"[2]\n3\n3\n[1]\n"),
        ("{a: 1, b: {c: 2, d: 3}} | pick(.b.c)", b'{"b":{"c":2}}\n'),
        ('"xax" | trimstr("x")', b"a\n"),
        ('"abc" | gsub("^"; "-"), gsub("(?<l>b)"; "[\\(.l)]"), sub("B"; "x"; "i")', b"-abc\na[b]c\naxc\n"),
        ("have_decnum, have_literal_numbers", b"false\ntrue\n"),
        (
            '"YWJj\\nZGVm\\r\\nZw==\\n" | @base64d, "<\\(@base64d)>", @base64d "<\\(.)>"',
            b"abcdefg\n<abcdefg>\n<abcdefg>\n",
        ),
        ('("" | @base64d), (1 | try @base64d catch "fails"), ("a!" | try @base64d catch "fails")', b"\nfails\nfails\n"),
        ("{b: 1, a: [{d: 1, c: 2}]} | tojson, tostring", b'{"a":[{"c":2,"d":1}],"b":1}\n' * 2),
    ],
)
def test_what_older_versions_of_jq_lack(program: str, out: bytes) -> None:
    found: list[bytes] = []
    jq.run_filter(program, b"{}", SETTINGS.jq, found)
    assert b"".join(found) == out


def test_the_launcher_imports_what_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finder = launcher.Modules({})
    assert finder.find_spec("json") is None
    made = launcher.Modules({"made_up": marshal.dumps(compile("x = 1", "x", "exec"))})
    spec = made.find_spec("made_up")
    assert spec is not None
    module = types.ModuleType("made_up")
    finder.create_module(spec)
    made.exec_module(module)
    assert module.x == 1
    monkeypatch.setattr(posix, "_exit", lambda status: (_ for _ in ()).throw(SystemExit(status)))
    with pytest.raises(SystemExit):
        launcher.main(str(tmp_path / "gh"))


def test_the_launcher_leaves_no_socket_open(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with warnings.catch_warnings(record=True) as caught, socket.socket(socket.AF_UNIX) as listener:
        warnings.simplefilter("always")
        assert not launcher.told(str(tmp_path / "stand-in"))
        (tmp_path / "stand-in").mkdir()
        assert not launcher.told(str(tmp_path / "stand-in"))
        listener.bind(str(tmp_path / "broker" / "socket"))
        assert not launcher.told(str(tmp_path / "stand-in"))
        listener.listen()
        telling = threading.Thread(target=_one_note, args=(listener,))
        telling.start()
        assert launcher.told(str(tmp_path / "stand-in"))
        telling.join()
        gc.collect()
    assert [str(one.message) for one in caught if issubclass(one.category, ResourceWarning)] == []


def _one_note(listener: socket.socket) -> None:
    with listener.accept()[0] as peer:
        assert peer.recv(1000).startswith(b"POST opvalue:unsupported HTTP/1.1\r\n")


def test_start_ends_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(posix, "_exit", ended.append)
    monkeypatch.setattr(main, "signal", lambda *_: None)
    monkeypatch.setattr(main, "arguments", lambda: ["--version"])
    values = ("h", "o", "r", "", "/jq", "t", "1")
    main.start(str(tmp_path), values)
    assert ended == [0]


def test_jq_is_fed_until_it_has_enough() -> None:
    reading, writing = os.pipe()
    jq._feed(writing, b"document")
    assert os.read(reading, 100) == b"document"
    os.close(reading)
    reading, writing = os.pipe()
    os.close(reading)
    jq._feed(writing, b"document")
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.close(writing)


def test_files_are_read_whole(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 300_000)
    assert launcher.contents(str(tmp_path / "file")) == b"x" * 300_000


WORDS = st.one_of(
    st.sampled_from(
        ["api", "graphql", "--paginate", "--slurp", "-i", "-q", "-XGET", "-f", "-F", "a[b]=1", "a[]", "a[][c]=x", "--"]
    ),
    st.sampled_from(["{owner}", "{branch}", ":repo", "--cache", "1h", "@x", "b=@-", "-H", "A: b", "--input", "-"]),
    st.text(st.characters(exclude_characters="\0"), max_size=12),
    st.binary(max_size=6).map(lambda data: data.replace(b"\0", b"").decode("utf-8", "surrogateescape")),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=8), st.booleans())
def test_no_command_line_makes_it_fall_over(
    capfdbinary: pytest.CaptureFixture[bytes], words: list[str], is_api: bool
) -> None:
    with typed(b""):
        status = main.run([*(["api"] if is_api else []), *words], SETTINGS, Broker("/absent"))
    _, err = capfdbinary.readouterr()
    assert status in {0, 1}
    assert b"itself failed" not in err
    assert (status == 0) is (err == b"")


MAY_IMPORT = {"posix", "sys", "marshal", "_signal", "_socket", "_frozen_importlib"}
MAY_IMPORT_LATE = {"json", "_thread"}


@pytest.mark.parametrize("file", sorted(Path(main.__file__).parent.glob("*.py")), ids=lambda file: file.name)
def test_nothing_of_the_library_is_imported_at_the_start(file: Path) -> None:
    tree = ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    early = {name for node in tree.body for name in _imported(node)}
    assert early <= MAY_IMPORT
    assert {name for node in ast.walk(tree) for name in _imported(node)} <= MAY_IMPORT | MAY_IMPORT_LATE


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    # One from beside has a level.
    return [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []


def test_nobody_to_tell(tmp_path: Path) -> None:
    Broker(str(tmp_path)).tell("unsupported", "x")
    assert os.listdir(tmp_path) == []  # noqa: PTH208
