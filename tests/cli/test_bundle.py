"""``opvalue bundle``: what it prints, where it writes, and how it ends."""

import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.cli.bundle_text import broken
from opvalue.cli.folding import columns_of
from opvalue.evidence.bundle import Bundle, read_bundle, save
from opvalue.identity import Digest, Instant
from tests.cli.conftest import Answer
from tests.evidence.bundle.made import EVALUATOR, bundle, exchange, exchanges, header, small
from tests.support.terminal import on_terminal

Run = Callable[..., Answer]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evidence.bundle"
    save(path, bundle())
    return path


def kept(tmp_path: Path, made: Bundle, name: str = "other.bundle") -> Path:
    path = tmp_path / name
    save(path, made)
    return path


# show


def test_show_says_what_it_is_the_evidence_of(opvalue: Run, file: Path) -> None:
    shown = opvalue("bundle", "show", str(file))
    assert (shown.status, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert f"bundle       {file}" in lines
    assert f"digest       {bundle().digest}" in lines
    assert "run          123456789, attempt 1, of repository #12" in lines
    assert "evidence at  2026-08-30T12:00:00.000Z" in lines
    assert "declared     acme/widgets #12" in lines
    assert "complete     yes" in lines
    rows = lines[lines.index("") + 1 : -2]
    assert rows[0].split() == ["#", "id", "code", "size", "request"]
    assert rows[1].split() == [
        "1",
        bundle().exchanges[0].request.id[:8],
        "200",
        "39",
        "B",
        "GET",
        "/repos/acme/widgets",
    ]
    assert rows[8].endswith("GET /search/issues?q=is%3Aissue+repo%3Aother%2Fplace")
    assert rows[9].strip() == "undeclared: other/place"
    assert rows[11].strip() == "unattributed"
    assert rows[12].endswith('POST /graphql query Q($n:String!){repository(owner:"acme",name:$n){issu...')
    assert lines[-1] == "10 exchanges, 238 B of answers, 1 undeclared, 1 unattributed"


def test_show_lists_what_failed(opvalue: Run, tmp_path: Path) -> None:
    shown = opvalue("bundle", "show", str(kept(tmp_path, small())))
    assert "complete     no\n  http.network: GET /repos/acme/widgets/x\n" in shown.out


def test_show_of_a_bundle_that_does_not_say_what_is_declared_judges_nothing(opvalue: Run, tmp_path: Path) -> None:
    path = kept(tmp_path, Bundle.of(header(declared=()), [exchange("/users/x"), exchange("/graphql", sent=1)]))
    shown = opvalue("bundle", "show", str(path))
    assert "declared     not recorded" in shown.out
    assert "unattributed" not in shown.out
    assert "POST /graphql with 1 bytes" in shown.out
    assert [one["standing"] for one in json.loads(opvalue("bundle", "show", str(path), "--json").out)["exchanges"]] == [
        None,
        None,
    ]


def test_show_of_an_empty_bundle(opvalue: Run, tmp_path: Path) -> None:
    shown = opvalue("bundle", "show", str(kept(tmp_path, Bundle.of(header(), []))))
    assert "observed     nothing" in shown.out
    assert shown.out.endswith("\nno exchanges\n")


def test_show_as_json_is_the_documents_and_the_judgement(opvalue: Run, file: Path) -> None:
    shown = json.loads(opvalue("bundle", "show", str(file), "--json").out)
    assert shown["digest"] == bundle().digest.hex
    assert shown["header"]["runId"] == "123456789"
    assert [one["number"] for one in shown["exchanges"]] == list(range(1, 11))
    by_path = {one["request"]["path"]: one for one in shown["exchanges"]}
    assert by_path["/repositories/12/issues"]["repositories"] == ["#12"]
    assert by_path["/repositories/12/issues"]["standing"] == "declared"
    assert by_path["/graphql"]["repositories"] == ["acme/widgets"]
    assert by_path["/search/issues"]["standing"] == "undeclared"
    assert by_path["/users/octocat"]["standing"] == "unattributed"


def test_one_body_comes_out_as_it_is(opvalue: Run, file: Path) -> None:
    assert opvalue("bundle", "show", str(file), "--body", "1").out == '{"id": 12, "full_name": "acme/widgets"}'
    prefix = bundle().exchanges[0].request.id
    for text in (prefix, prefix[:8], prefix[:8].upper(), prefix[:7]):
        assert opvalue("bundle", "show", str(file), "--body", text).out.startswith('{"id": 12')
    sent = opvalue("bundle", "show", str(file), "--sent", "10").out
    assert json.loads(sent)["variables"] == {"n": "widgets"}
    assert opvalue("bundle", "show", str(file), "--sent", "1").out == ""


def test_a_binary_body_comes_out_as_it_is(file: Path) -> None:
    argv = [sys.executable, "-P", "-m", "opvalue", "bundle", "show", str(file), "--body", "6"]
    assert subprocess.run(argv, capture_output=True, check=True).stdout == b"\x1f\x8b\x08\x00\xff\xfe\x00"


def test_a_body_as_json(opvalue: Run, file: Path) -> None:
    text = json.loads(opvalue("bundle", "show", str(file), "--body", "3", "--json").out)
    assert (text["number"], text["text"], text["bytes"]) == (3, '{"ref": "refs/heads/main"}', 26)
    binary = json.loads(opvalue("bundle", "show", str(file), "--body", "6", "--json").out)
    assert (b64decode(binary["base64"]), binary["contentType"]) == (b"\x1f\x8b\x08\x00\xff\xfe\x00", "application/gzip")


@pytest.mark.parametrize("which", ["0", "11", "999999", "00000001", "abc", "zzzz", "", "-1", "٣"])
def test_a_body_that_is_not_there(opvalue: Run, file: Path, which: str) -> None:
    shown = opvalue("bundle", "show", str(file), f"--body={which}", "--json")
    assert (shown.status, shown.error["code"]) == (2, "usage")
    assert shown.error["expected"] == "a number from 1 to 10, or at least 4 characters of an id"


def test_two_bodies_are_one_too_many(opvalue: Run, file: Path) -> None:
    assert opvalue("bundle", "show", str(file), "--body", "1", "--sent", "1").status == 2


# check


def states(answer: Answer) -> dict[str, str]:
    rows = [line.split(None, 1) for line in answer.out.splitlines()]
    return {rest.split("  ")[0].strip(): state for state, rest in rows}


def test_check_lists_what_was_done_and_what_was_not(opvalue: Run, file: Path) -> None:
    checked = opvalue("bundle", "check", str(file))
    assert (checked.status, checked.err) == (0, "")
    assert states(checked) == {
        "seal": "done",
        "format": "done",
        "secrets": "done",
        "digest": "skipped",
        "host": "skipped",
        "repository": "skipped",
        "run": "skipped",
        "attempt": "skipped",
        "evaluator": "skipped",
        "closure": "skipped",
        "complete": "done",
        "past": "done",
        "fresh": "skipped",
    }


ALL = (
    f"--digest={bundle().digest}",
    "--run=https://github.com/acme/widgets/actions/runs/123456789/attempts/1",
    "--repository-id=12",
    f"--evaluator={EVALUATOR}",
    f"--closure={header().closure_digest}",
    "--cutoff=2026-08-30T12:00:01.250Z",
)


def test_check_refuses_what_was_observed_later_than_now(opvalue: Run, tmp_path: Path) -> None:
    late = exchange("/repos/acme/widgets", {}, observed_at=Instant.parse("9000-01-01T00:00:00Z"))
    checked = opvalue("bundle", "check", str(kept(tmp_path, Bundle.of(header(), [late]))))
    assert checked.status == 5
    assert "[evidence.observed-later]" in checked.err
    assert states(checked)["past"] == "refused"


def test_check_can_do_everything(opvalue: Run, file: Path) -> None:
    checked = opvalue("bundle", "check", str(file), *ALL)
    assert set(states(checked).values()) == {"done"}
    document = json.loads(opvalue("bundle", "check", str(file), *ALL, "--json").out)
    assert document["digest"] == bundle().digest.hex
    assert {one["state"] for one in document["checks"]} == {"done"}


@pytest.mark.parametrize(
    ("option", "code", "status"),
    [
        (f"--digest={Digest.of(b'')}", "bundle.wrong-digest", 5),
        ("--run=https://ghe.example.com/acme/widgets/actions/runs/123456789", "bundle.other-host", 5),
        ("--run=1", "bundle.other-run", 5),
        ("--run=https://github.com/acme/widgets/actions/runs/123456789/attempts/2", "bundle.other-attempt", 5),
        ("--attempt=2", "bundle.other-attempt", 5),
        ("--repository-id=13", "bundle.other-repository", 5),
        (f"--evaluator={Digest.of(b'')}", "bundle.other-evaluator", 5),
        (f"--closure={Digest.of(b'')}", "bundle.other-closure", 5),
        ("--cutoff=2026-08-30T12:00:01.251Z", "evidence.too-old", 9),
        ("--digest=x", "usage", 2),
        ("--cutoff=yesterday", "instant.refused", 2),
        ("--run=x", "identity.run", 2),
    ],
)
def test_check_refuses_with_the_code_of_the_cause(
    opvalue: Run, file: Path, option: str, code: str, status: int
) -> None:
    checked = opvalue("bundle", "check", str(file), option, "--json")
    assert (checked.status, checked.error["code"]) == (status, code)
    told = opvalue("bundle", "check", str(file), option)
    assert told.status == status
    if status != 2:
        assert list(states(told).values()).count("refused") == 1
        assert f"[{code}]" in told.err


def test_what_another_run_is_compared_with_is_said(opvalue: Run, file: Path) -> None:
    error = opvalue("bundle", "check", str(file), "--attempt=2", "--json").error
    assert (error["message"], error["expected"], error["found"]) == ("the bundle has another attempt", "2", "1")


def test_what_is_refused_counts_more_than_what_is_not_observed(opvalue: Run, tmp_path: Path) -> None:
    path = str(kept(tmp_path, small()))
    assert opvalue("bundle", "check", path).status == 9
    checked = opvalue("bundle", "check", path, "--run=1")
    assert checked.status == 5
    assert list(states(checked).values()).count("refused") == 2


@pytest.mark.parametrize("command", ["show", "check", "redact", "diff"])
def test_a_damaged_bundle_is_refused_by_every_command(opvalue: Run, file: Path, tmp_path: Path, command: str) -> None:
    data = bytearray(file.read_bytes())
    data[-2000] ^= 1
    file.write_bytes(bytes(data))
    more = {"redact": ("-o", str(tmp_path / "out")), "diff": (str(file),)}.get(command, ())
    answer = opvalue("bundle", command, str(file), *more, "--json")
    assert (answer.status, answer.error["code"]) == (5, "bundle.changed")
    assert not (tmp_path / "out").exists()


def test_a_bundle_that_is_not_there(opvalue: Run, tmp_path: Path) -> None:
    assert opvalue("bundle", "check", str(tmp_path / "none")).status == 6
    assert opvalue("bundle", "show", str(tmp_path)).status == 6


# diff


def test_diff_of_the_same_evidence(opvalue: Run, file: Path, tmp_path: Path) -> None:
    later = Bundle.of(header(), [one._replace(observed_at=Instant(2**40)) for one in exchanges()])
    answer = opvalue("bundle", "diff", str(file), str(kept(tmp_path, later)))
    assert (answer.status, answer.out.splitlines()[-1]) == (0, "The evidence is the same.")
    assert len(answer.out.split("\n\n")) == 2
    assert json.loads(opvalue("bundle", "diff", str(file), str(file), "--json").out)["same"] is True


def test_diff_names_what_differs_and_ends_with_ten(opvalue: Run, file: Path, tmp_path: Path) -> None:
    changed = exchange("/repos/acme/widgets", {"id": 12, "full_name": "acme/\u202egadgets\x1b[31m"})
    others = [changed, exchange("/user"), *(one for one in exchanges()[3:])]
    other = kept(tmp_path, Bundle.of(header(attempt=2), others))
    answer = opvalue("bundle", "diff", str(file), str(other))
    assert answer.status == 10
    assert answer.out.split("\n\n")[1:] == [
        "attempt differs\n  A 1\n  B 2",
        (
            "only in A: 2\n"
            "  200, 34 B: GET /repos/acme/widgets/issues?state=all&per_page=100\n"
            "  200, 2 B: GET /repositories/12/issues?state=all&per_page=100&page=2"
        ),
        "only in B: 1\n  200, 4 B: GET /user",
        (
            "other answer: GET /repos/acme/widgets\n"
            "  200, 39 B -> 200, 55 B\n"
            '  /full_name: "acme/widgets" -> "acme/\\u202egadgets\\u001b[31m"'
        ),
        "The evidence differs: 2 only in A, 1 only in B, 1 answered differently.\n",
    ]
    found = opvalue("bundle", "diff", str(file), str(other), "--json")
    document = json.loads(found.out)
    assert found.status == 10
    assert (document["same"], document["a"]["digest"]) == (False, bundle().digest.hex)
    assert [one["request"]["path"] for one in document["onlyB"]] == ["/user"]
    assert document["header"] == [{"field": "attempt", "a": "1", "b": "2"}]
    assert document["different"][0]["b"]["bytes"] == 55
    assert document["different"][0]["request"] == "GET /repos/acme/widgets"


# redact


def test_redact_writes_another_bundle_and_says_which_answers_changed(opvalue: Run, file: Path, tmp_path: Path) -> None:
    secrets, out = tmp_path / "secrets", tmp_path / "out.bundle"
    secrets.write_text("refs/heads\n\nnowhere-to-be-found\n")
    before = file.read_bytes()
    answer = opvalue("bundle", "redact", str(file), "-o", str(out), "--secret-file", str(secrets))
    redacted = read_bundle(out)
    assert answer.status == 0
    assert answer.out.splitlines()[:7] == [
        f"read     {file}",
        f"         {bundle().digest}",
        f"written  {out}",
        f"         {redacted.digest}",
        "",
        "1 answer was changed:",
        "  3  GET /repos/acme/widgets/git/ref/heads%2Fmain",
    ]
    assert "The redacted bundle is a new bundle" in answer.out
    assert redacted.digest != bundle().digest
    assert b"refs/heads" not in out.read_bytes()
    assert out.stat().st_mode & 0o777 == 0o600
    assert file.read_bytes() == before


def test_redact_as_json(opvalue: Run, file: Path, tmp_path: Path) -> None:
    first, second, out = tmp_path / "1", tmp_path / "2", tmp_path / "out"
    first.write_text("refs/heads")
    second.write_text("acme/widgets-not")
    answer = opvalue(
        "bundle",
        "redact",
        str(file),
        "-o",
        str(out),
        "--secret-file",
        str(first),
        "--secret-file",
        str(second),
        "--json",
    )
    document = json.loads(answer.out)
    assert document["digest"] == bundle().digest.hex
    assert document["outputDigest"] == read_bundle(out).digest.hex
    assert [one["number"] for one in document["changed"]] == [3]


def test_redact_without_a_find_keeps_the_evidence(opvalue: Run, file: Path, tmp_path: Path) -> None:
    answer = opvalue("bundle", "redact", str(file), "-o", str(tmp_path / "out"))
    assert answer.out.endswith("No answer held anything to take out: the evidence is the same.\n")
    assert (tmp_path / "out").read_bytes() == file.read_bytes()


def test_redact_does_not_overwrite(opvalue: Run, file: Path, tmp_path: Path) -> None:
    secrets, other = tmp_path / "secrets", kept(tmp_path, small())
    secrets.write_text("refs/heads")
    before = other.read_bytes()
    for out in (other, file):
        answer = opvalue("bundle", "redact", str(file), "-o", str(out), "--secret-file", str(secrets), "--json")
        assert (answer.status, answer.error["code"]) == (2, "output.exists")
    assert other.read_bytes() == before


def test_redact_refuses_what_it_cannot_take_out(opvalue: Run, file: Path, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    secrets.write_text("users/octocat")
    answer = opvalue(
        "bundle", "redact", str(file), "-o", str(tmp_path / "out"), "--secret-file", str(secrets), "--json"
    )
    assert (answer.status, answer.error["code"]) == (5, "bundle.holds-a-secret")
    assert "octocat" not in answer.out
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", [b"", b"\n\n", b"short", b"long enough\nshort\n", b"x" * 65_537])
def test_redact_refuses_secrets_that_are_none(opvalue: Run, file: Path, tmp_path: Path, content: bytes) -> None:
    secrets = tmp_path / "secrets"
    secrets.write_bytes(content)
    answer = opvalue(
        "bundle", "redact", str(file), "-o", str(tmp_path / "out"), "--secret-file", str(secrets), "--json"
    )
    assert (answer.status, answer.error["code"]) == (2, "usage")
    assert not (tmp_path / "out").exists()


HALF = "\ud800"
HALVES = Bundle.of(
    header(),
    [
        exchange("/users/x", body=b'{"a":"\\ud800","\\udc00":1}'),
        exchange("/graphql", {"data": {}}, sent={"query": f"{{viewer{{login}}}} # {HALF}", "variables": {"x": HALF}}),
    ],
)


@pytest.mark.parametrize(
    "argv",
    [
        ("show",),
        *(("show", option, number) for option in ("--body", "--sent") for number in "12"),
        ("check",),
        ("diff", "small.bundle"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_half_a_surrogate_pair_is_shown_and_breaks_nothing(
    opvalue: Run, tmp_path: Path, argv: tuple[str, ...], as_json: bool
) -> None:
    kept(tmp_path, small(), "small.bundle")
    paths = [str(kept(tmp_path, HALVES)), *(str(tmp_path / one) for one in argv[1:] if one.endswith(".bundle"))]
    rest = [one for one in argv[1:] if not one.endswith(".bundle")]
    shown = opvalue("bundle", argv[0], *paths, *rest, *(["--json"] if as_json else []))
    assert (shown.status, shown.err) == (10 if argv[0] == "diff" else 0, "")
    assert HALF not in shown.out
    if as_json:
        json.loads(shown.out)


# terminals


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one two", ["one two"]),
        ("twenty columns wide...", ["twenty columns", "wide..."]),
        ("exactly twenty colum ns", ["exactly twenty colum", "ns"]),
        ("GET /repos/acme/widgets/issues", ["GET /repos/acme/", "widgets/issues"]),
        ("x" * 45, ["x" * 20, "x" * 20, "x" * 5]),
    ],
)
def test_text_is_parted_where_it_can_be(text: str, lines: list[str]) -> None:
    assert broken(text, 20) == lines
    assert broken(text, 3) == lines
    assert broken(text, None) == [text]


@given(st.text(st.characters(exclude_characters="\0"), max_size=120), st.integers(20, 50))
def test_parted_text_fits_and_is_whole(text: str, room: int) -> None:
    lines = broken(text, room)
    assert max(map(columns_of, lines)) <= room
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_what_is_shown_fits_the_terminal_and_is_aligned(columns: int, file: Path, tmp_path: Path) -> None:
    other = Bundle.of(header(attempt=2, requests=(Instant(0), Instant(1))), exchanges()[1:])
    path, out = kept(tmp_path, other), tmp_path / "out"
    (tmp_path / "secrets").write_text("refs/heads")
    for argv, status in (
        (("show", file.name), 0),
        (("check", file.name, "--run=1"), 5),
        (("diff", file.name, path.name), 10),
        (("redact", file.name, "-o", out.name, "--secret-file=secrets"), 0),
    ):
        found, lines = on_terminal(columns, tmp_path, "bundle", *argv)
        assert found == status
        said = [line for line in lines if not line.startswith(("opvalue:", "  expected", "  found", "  do"))]
        assert max(map(len, said)) <= columns, said
    _, lines = on_terminal(columns, tmp_path, "bundle", "show", file.name)
    table = lines[lines.index("") + 1 : -2]
    where = table[0].index("request")
    assert {line[where - 1] for line in table} == {" "}
    assert all(line[where] != " " for line in table)
    joined = "".join(line[where:].strip() for line in table)
    assert all(one.request.target in joined for one in exchanges() if not one.request.body)


def test_nothing_of_an_answer_steers_the_terminal(tmp_path: Path) -> None:
    path = kept(tmp_path, Bundle.of(header(), [exchange("/user", body=b"a\x1b[31m\xe2\x80\xaeb\n", kind="text/plain")]))
    _, lines = on_terminal(80, tmp_path, "bundle", "show", str(path), "--body", "1")
    assert lines == ["a\\u001b[31m\\u202eb"]
    binary = kept(tmp_path, bundle(), "binary")
    status, lines = on_terminal(80, tmp_path, "bundle", "show", str(binary), "--body", "6")
    assert (status, lines[0]) == (2, "opvalue: the body is 7 B of binary data [usage]")


def test_a_line_of_wide_characters_is_no_wider_than_the_room() -> None:
    assert broken("日本語日本語日本語日本語日本語", 20) == ["日本語日本語日本語日", "本語日本語"]
    assert broken("GET /日本語/日本語/日本語", 20) == ["GET /日本語/日本語/", "日本語"]
