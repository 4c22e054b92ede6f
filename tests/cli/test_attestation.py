"""``opvalue attestation``: keys, signatures, and who signed which."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from opvalue.attestation import attest, parse_private_key, parse_public_key
from opvalue.cli import keys as key_files
from opvalue.cli.keys import signer
from opvalue.errors import OpvalueError
from opvalue.evidence.bundle import Bundle, save
from opvalue.identity import Digest, Instant
from tests.attestation.samples import ALICE, BOB, BUNDLE, STATEMENT, URL, statement, text
from tests.cli.conftest import Answer, Process
from tests.evidence.bundle.made import exchange, header
from tests.support.terminal import on_terminal

Run = Callable[..., Answer]
SECRET = b"correct horse battery"
DOCUMENT = {**STATEMENT, "execution": {"mode": "offline"}}
ENVELOPE = attest(STATEMENT, ALICE)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with an observation and two pairs of keys, and stand in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "observation.json").write_bytes(text(DOCUMENT))
    for name, key in (("alice", ALICE), ("bob", BOB)):
        private(tmp_path / name, key.encode())
        (tmp_path / f"{name}.pub").write_bytes(key.public.encode())
    return tmp_path


@pytest.fixture(autouse=True)
def _nothing_private_is_printed(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    seen: list[str] = []
    real = capfd.readouterr

    def read() -> Any:
        seen.extend(found := real())
        return found

    capfd.readouterr = read  # type: ignore[method-assign]
    yield
    read()
    printed = "".join(seen)
    for secret in (
        *(line for key in (ALICE, BOB) for line in key.encode().decode().splitlines()[1:2]),
        SECRET.decode(),
    ):
        assert secret not in printed


def private(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# keygen


def test_a_pair_of_keys(opvalue: Run, place: Path) -> None:
    status, out, err = opvalue("attestation", "keygen", "-o", "key")
    made = parse_private_key((place / "key").read_bytes())
    assert parse_public_key((place / "key.pub").read_bytes()) == made.public
    assert (mode(place / "key"), mode(place / "key.pub")) == (0o600, 0o644)
    assert (status, err) == (0, "")
    assert out == (
        "private  key  (mode 0600, not encrypted; keep it to yourself)\n"
        f"public   key.pub\nid       sha256:{made.public.id}\n"
    )
    assert made.encode().decode().splitlines()[1] not in out


def test_a_pair_as_json(opvalue: Run, place: Path) -> None:
    document = json.loads(opvalue("attestation", "keygen", "-o", "key", "--json").out)
    public = parse_public_key((place / "key.pub").read_bytes())
    assert document == {"privateKey": "key", "publicKey": "key.pub", "keyId": public.id}


def test_every_pair_is_another(opvalue: Run, place: Path) -> None:
    for name in "xyz":
        opvalue("attestation", "keygen", "-o", name)
    assert len({(place / f"{name}.pub").read_bytes() for name in "xyz"}) == 3


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
def test_the_modes_whatever_the_mask(opvalue: Run, place: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        opvalue("attestation", "keygen", "-o", "key")
    finally:
        os.umask(before)
    assert mode(place / "key") & 0o177 == 0
    assert mode(place / "key.pub") == 0o644


def test_an_encrypted_key(opvalue: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private(place / "secret", SECRET + b"\nmore\n")
    monkeypatch.setenv("MY_SECRET", SECRET.decode())
    assert "encrypted)" in opvalue("attestation", "keygen", "-o", "key", "--passphrase-file", "secret").out
    assert opvalue("attestation", "keygen", "-o", "other", "--passphrase-env", "MY_SECRET").status == 0
    for name in ("key", "other"):
        parse_private_key((place / name).read_bytes(), SECRET)
    for options in (("--passphrase-file", "secret"), ("--passphrase-env", "MY_SECRET")):
        answer = opvalue("attestation", "sign", "observation.json", "--key", "key", *options)
        assert answer.status == 0
        assert json.loads(answer.out)["signatures"]
    answer = opvalue("attestation", "sign", "observation.json", "--key", "key", "--json")
    assert (answer.status, answer.error["code"]) == (4, "attestation.passphrase-missing")


@pytest.mark.parametrize("taken", ["key", "key.pub"])
@pytest.mark.parametrize("link", [False, True])
def test_nothing_is_written_over(opvalue: Run, place: Path, taken: str, link: bool) -> None:
    if link:
        (place / taken).symlink_to(place / "nowhere")
    else:
        (place / taken).write_bytes(b"precious")
    before = sorted(place.iterdir())
    answer = opvalue("attestation", "keygen", "-o", "key", "--json")
    assert (answer.status, answer.error["code"]) == (2, "output.exists")
    assert sorted(place.iterdir()) == before
    assert link or (place / taken).read_bytes() == b"precious"


@pytest.mark.parametrize("name", [".", "gone/key", "", "alice/key"])
def test_where_no_key_can_be(opvalue: Run, place: Path, name: str) -> None:
    before = sorted(place.iterdir())
    answer = opvalue("attestation", "keygen", "-o", name, "--json")
    assert (answer.status, answer.error["code"]) == (2, "output.unwritable" if name else "usage")
    assert sorted(place.iterdir()) == before


def test_half_a_pair_is_not_left(opvalue: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from opvalue import atomic  # noqa: PLC0415

    real = atomic.write_new

    def write(path: Path, data: bytes) -> bool:
        if path.suffix == ".pub":
            raise KeyboardInterrupt
        return real(path, data)

    monkeypatch.setattr(atomic, "write_new", write)
    assert opvalue("attestation", "keygen", "-o", "key").status == 130
    assert not (place / "key").exists()


# sign


def test_the_envelope_is_printed(opvalue: Run, place: Path) -> None:
    for options in ((), ("--json",)):
        answer = opvalue("attestation", "sign", "observation.json", "--key", "alice", *options)
        assert (answer.status, answer.err) == (0, "")
        assert answer.out.encode() == ENVELOPE
    (place / "statement.json").write_bytes(text(STATEMENT))
    assert opvalue("attestation", "sign", "statement.json", "--key", "alice").out.encode() == ENVELOPE


def test_the_envelope_is_written(opvalue: Run, place: Path) -> None:
    command = ("attestation", "sign", "observation.json", "--key", "alice", "-o", "signed")
    assert opvalue(*command) == (0, "", "wrote signed\n")
    assert (place / "signed").read_bytes() == ENVELOPE
    assert opvalue(*command).err == "signed holds this envelope already\n"
    assert json.loads(opvalue(*command, "--json").out) == {
        "file": "signed",
        "keyId": ALICE.public.id,
        "signatures": 1,
        "subject": URL,
        "statementDigest": Digest.of(text(STATEMENT)).hex,
        "bundleDigest": BUNDLE.hex,
    }
    answer = opvalue("attestation", "sign", "observation.json", "--key", "bob", "-o", "signed", "--json")
    assert (answer.status, answer.error["code"]) == (2, "output.exists")
    assert (place / "signed").read_bytes() == ENVELOPE


def test_a_second_signature(opvalue: Run, place: Path) -> None:
    (place / "signed").write_bytes(ENVELOPE)
    answer = opvalue("attestation", "sign", "signed", "--key", "bob", "-o", "both", "--json")
    assert json.loads(answer.out)["signatures"] == 2
    assert (place / "signed").read_bytes() == ENVELOPE
    answer = opvalue("attestation", "sign", "both", "--key", "alice", "--json")
    assert (answer.status, answer.error["code"]) == (5, "attestation.signed-twice")
    verified = opvalue(
        "attestation", "verify", "both", "--key", "alice.pub", "--key", "bob.pub", "--threshold", "2", "--json"
    )
    assert [one["file"] for one in json.loads(verified.out)["signers"]] == ["alice.pub", "bob.pub"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "json.refused"),
        (b"[]", "attestation.statement-malformed"),
        (b"{}", "attestation.statement-malformed"),
        (text({**DOCUMENT, "extra": 1}), "attestation.statement-malformed"),
        (text(statement(results__0__passed=False)), "attestation.statement-contradicts"),
        (text({"payloadType": 1}), "attestation.envelope-malformed"),
        (ENVELOPE[:-1], "attestation.not-canonical"),
        (ENVELOPE.replace(b'"version"', b'"versions"') + b" ", "attestation.not-canonical"),
    ],
)
def test_what_is_not_signed(opvalue: Run, place: Path, data: bytes, code: str) -> None:
    (place / "observation.json").write_bytes(data)
    answer = opvalue("attestation", "sign", "observation.json", "--key", "bob", "-o", "signed", "--json")
    assert (answer.status, answer.error["code"]) == (5, code)
    assert not (place / "signed").exists()


# files


@pytest.mark.parametrize("open_to", [0o640, 0o620, 0o604, 0o601, 0o666, 0o777])
def test_a_private_key_others_may_use(opvalue: Run, place: Path, open_to: int) -> None:
    (place / "alice").chmod(open_to)
    answer = opvalue("attestation", "sign", "observation.json", "--key", "alice", "--json")
    assert (answer.status, answer.error["code"]) == (2, "attestation.key-not-private")
    assert f"mode {open_to:04o}" in answer.error["found"]
    assert "chmod 600" in answer.error["hint"]


def test_a_passphrase_others_may_read(opvalue: Run, place: Path) -> None:
    private(place / "secret", SECRET).chmod(0o644)
    answer = opvalue("attestation", "keygen", "-o", "key", "--passphrase-file", "secret", "--json")
    assert (answer.status, answer.error["code"]) == (2, "attestation.key-not-private")
    assert not (place / "key").exists()


def test_links_are_followed_to_the_file_whose_mode_counts(opvalue: Run, place: Path) -> None:
    (place / "link").symlink_to("alice")
    assert opvalue("attestation", "sign", "observation.json", "--key", "link").status == 0
    (place / "alice").chmod(0o644)
    answer = opvalue("attestation", "sign", "observation.json", "--key", "link", "--json")
    assert answer.error["code"] == "attestation.key-not-private"


@pytest.mark.parametrize("name", ["gone", "folder", "pipe", "loop", "alice/x", "a" * 300])
@pytest.mark.parametrize("option", ["--key", "FILE"])
def test_files_that_cannot_be_read(opvalue: Run, place: Path, name: str, option: str) -> None:
    (place / "folder").mkdir()
    os.mkfifo(place / "pipe", 0o600)
    (place / "loop").symlink_to("loop")
    file, key = ("observation.json", name) if option == "--key" else (name, "alice")
    for command in ("sign", "verify"):
        answer = opvalue("attestation", command, file, "--key", key if command == "sign" else f"{key}.pub", "--json")
        if command == "sign" or option == "FILE":
            assert (answer.status, answer.error["code"]) == (2, "attestation.file-unreadable")


def test_a_name_that_is_none(place: Path) -> None:
    with pytest.raises(OpvalueError) as caught:
        key_files.read_file(place / "a\0b", 1, what="the key")
    assert caught.value.code == "attestation.file-unreadable"


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        (("--passphrase-env", "NOT_SET"), 4, "attestation.passphrase-missing"),
        (("--passphrase-env", "EMPTY"), 4, "attestation.passphrase-missing"),
        (("--passphrase-file", "empty"), 4, "attestation.passphrase-missing"),
        (("--passphrase-file", "gone"), 2, "attestation.file-unreadable"),
        (("--passphrase-file", "long"), 2, "attestation.passphrase-too-long"),
        (("--passphrase-file", "empty", "--passphrase-env", "EMPTY"), 2, "usage"),
    ],
)
def test_passphrases_that_are_none(
    opvalue: Run, place: Path, options: tuple[str, ...], status: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    monkeypatch.setenv("EMPTY", "")
    private(place / "empty", b"\nsecond line")
    private(place / "long", b"x" * 100_000)
    answer = opvalue("attestation", "keygen", "-o", "key", *options, "--json")
    assert (answer.status, answer.error["code"]) == (status, code)
    assert not (place / "key").exists()


def test_a_wrong_passphrase(opvalue: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", SECRET.decode())
    private(place / "alice", ALICE.encode(b"another"))
    answer = opvalue(
        "attestation", "sign", "observation.json", "--key", "alice", "--passphrase-env", "MY_SECRET", "--json"
    )
    assert (answer.status, answer.error["code"]) == (4, "attestation.passphrase-wrong")


def test_a_passphrase_through_a_pipe(process: Process, place: Path) -> None:
    private(place / "alice", ALICE.encode(SECRET))
    read, write = os.pipe()
    os.write(write, SECRET + b"\n")
    os.close(write)
    how = {"pass_fds": [read], "env": {"PYTHONPATH": ""}}
    answer = process.run(
        "attestation", "sign", "observation.json", "--key", "alice", "--passphrase-file", f"/dev/fd/{read}", **how
    )
    os.close(read)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.encode() == ENVELOPE


# verify


def test_who_signed_which(opvalue: Run, place: Path) -> None:
    (place / "signed").write_bytes(opvalue("attestation", "sign", "observation.json", "--key", "alice").out.encode())
    opvalue("attestation", "sign", "signed", "--key", "bob", "-o", "both")
    command = ("attestation", "verify", "both", "--key", "alice.pub", "--observation", "observation.json")
    assert opvalue(*command) == (
        0,
        f"""Operational Value: 0.75  (pass)  run 123456, attempt 2, acme/widgets

signed by    alice.pub  sha256:{ALICE.public.id}
opportunity  issue:42
evidence at  2026-09-03T10:00:00.000Z
matures at   2026-09-03T10:00:00.000Z  (mature)
evaluator    sha256:{"e" * 64}
closure      {"c" * 64}
bundle       {"b" * 64}  (3 exchanges)
statement    sha256:{Digest.of(text(STATEMENT))}

verified     the key given signed this very statement
             the observation given is the one that was signed
not verified the signature under the id {BOB.public.id}: its key was not given
             the evidence: no bundle was given (--bundle)
             that the statement is true: a signature says who stands by it, not that they are right
""",
        "",
    )


def test_other_cases_in_words(opvalue: Run, place: Path) -> None:
    about = statement(
        regrade__evidence={"digest": None, "exchanges": 0, "undeclared": []},
        results__0__value=None,
        results__0__status="unavailable",
        results__0__passed=None,
        results__0__observation__maturesAt="2026-10-03T10:00:00.000Z",
        results__0__observation__mature=False,
    )
    (place / "signed").write_bytes(attest(about, ALICE))
    out = opvalue("attestation", "verify", "signed", "--key", "alice.pub", "--key", "bob.pub").out
    assert "Operational Value: null  (no value)" in out
    assert "(not yet mature)" in out
    assert "bundle       none: no evidence was offered" in out
    assert "1 of the 2 keys given signed this very statement" in out
    assert "any document beside the signed one (--observation)" in out
    assert "--bundle" not in out
    (place / "signed").write_bytes(attest(statement(regrade__evidence__exchanges=1), ALICE))
    assert "(1 exchange)" in opvalue("attestation", "verify", "signed", "--key", "alice.pub").out


def test_as_json(opvalue: Run, place: Path) -> None:
    (place / "signed").write_bytes(ENVELOPE)
    document = json.loads(opvalue("attestation", "verify", "signed", "--key", "alice.pub", "--json").out)
    assert document == {
        "verified": True,
        "subject": URL,
        "predicateType": "https://opvalue.invalid/observation/v1",
        "statementDigest": Digest.of(text(STATEMENT)).hex,
        "bundleDigest": BUNDLE.hex,
        "signers": [{"file": "alice.pub", "keyId": ALICE.public.id}],
        "notChecked": {"signatures": [], "observation": True, "bundle": True, "observedAt": True},
        "statement": STATEMENT,
    }
    assert text(document["statement"]) == text(STATEMENT)


RECORDED = Bundle.of(
    header(run_id="123456", attempt=2, evaluator_digest=Digest("e" * 64), closure_digest=Digest("c" * 64)),
    [
        exchange("/repos/acme/widgets/issues/42", {"n": 42}, observed_at=Instant.parse("2026-09-03T10:00:00Z")),
        exchange("/repos/acme/other", {"id": 7}, observed_at=Instant.parse("2026-09-03T10:00:01Z")),
    ],
)


def resting_on(bundle: Bundle, **changes: Any) -> bytes:
    """Return a signed statement that names this bundle."""
    evidence = {"digest": bundle.digest.hex, "exchanges": 2, "undeclared": ["acme/other"]}
    return attest(statement(**{"regrade__evidence": evidence, **changes}), ALICE)


def test_the_bundle_that_is_given(opvalue: Run, place: Path) -> None:
    save(place / "evidence.bundle", RECORDED)
    save(place / "other.bundle", Bundle.of(RECORDED.header, RECORDED.exchanges[1:]))
    (place / "signed").write_bytes(resting_on(RECORDED))
    command = ("attestation", "verify", "signed", "--key", "alice.pub", "--bundle")
    status, out, err = opvalue(*command, "evidence.bundle")
    assert (status, err) == (0, "")
    assert "observed     2026-09-03T10:00:00.000Z to 2026-09-03T10:00:01.000Z, by the bundle\n" in out
    assert out.endswith(
        """
verified     the key given signed this very statement
             the bundle given is the one the statement rests on: digest, run, evaluator, number of exchanges
             nothing in it was observed before the cutoff 2026-09-03T10:00:00.000Z, by its own word
not verified any document beside the signed one (--observation)
             when the evidence was observed: the bundle's own word, which no signature covers
             that the definition declares what the bundle says: acme/widgets
             that the statement is true: a signature says who stands by it, not that they are right
"""
    )
    not_checked = json.loads(opvalue(*command, "evidence.bundle", "--json").out)["notChecked"]
    assert not_checked == {"signatures": [], "observation": True, "bundle": False, "observedAt": True}
    answer = opvalue(*command, "other.bundle", "--json")
    assert (answer.status, answer.error["code"]) == (5, "attestation.other-bundle")


def test_a_repository_that_the_bundle_knows_by_another_name(opvalue: Run, place: Path) -> None:
    save(place / "evidence.bundle", RECORDED)
    (place / "signed").write_bytes(
        resting_on(RECORDED, results__0__observation__subject__repository="old-owner/Old.Name")
    )
    out = opvalue("attestation", "verify", "signed", "--key", "alice.pub", "--bundle", "evidence.bundle").out
    assert "that old-owner/Old.Name, which the bundle does not declare, is one of these by another name" in out


LATER = "2026-09-03T10:00:01.000Z"


@pytest.mark.parametrize(
    ("changes", "code", "status"),
    [
        ({"regrade__host": "ghe.example.com"}, "bundle.other-host", 5),
        (
            {"run__id": "7", "regrade__identity__runId": "7", "results__0__observation__subject__runId": "7"},
            "bundle.other-run",
            5,
        ),
        ({"run__attempt": 1, "results__0__observation__subject__attempt": 1}, "bundle.other-attempt", 5),
        (
            {"regrade__identity__evaluatorDigest": "d" * 64, "results__0__implementation__digest": "d" * 64},
            "bundle.other-evaluator",
            5,
        ),
        ({"regrade__closureDigest": "d" * 64}, "bundle.other-closure", 5),
        ({"regrade__evidence__exchanges": 3}, "bundle.other-exchanges", 5),
        ({"regrade__evidence__undeclared": ["acme/absent"]}, "bundle.other-undeclared", 5),
        ({"regrade__evidence__undeclared": ["acme/widgets"]}, "bundle.other-undeclared", 5),
        (
            {
                "regrade__identity__evidenceAt": LATER,
                "results__0__observation__evidenceAt": LATER,
                "results__0__observation__evidenceCutoff": LATER,
                "results__0__observation__maturesAt": LATER,
            },
            "evidence.too-old",
            9,
        ),
    ],
)
def test_a_statement_that_says_other_things_than_its_bundle(
    opvalue: Run, place: Path, changes: dict[str, Any], code: str, status: int
) -> None:
    save(place / "evidence.bundle", RECORDED)
    evidence = {"digest": RECORDED.digest.hex, "exchanges": 2, "undeclared": []}
    (place / "signed").write_bytes(attest(statement(**{"regrade__evidence": evidence, **changes}), ALICE))
    answer = opvalue("attestation", "verify", "signed", "--key", "alice.pub", "--bundle", "evidence.bundle", "--json")
    assert (answer.status, answer.error["code"]) == (status, code)


def test_a_bundle_from_the_future_or_cut_short(opvalue: Run, place: Path) -> None:
    late = Instant.parse("9000-01-01T00:00:00Z")
    future = Bundle.of(RECORDED.header, [one._replace(observed_at=late) for one in RECORDED.exchanges])
    assert future.digest == RECORDED.digest
    failed = Bundle.of(RECORDED.header._replace(complete=False, failures=(("http.x", "GET /x"),)), RECORDED.exchanges)
    for name, bundle, code in (("a", future, "evidence.observed-later"), ("b", failed, "bundle.incomplete")):
        save(place / f"{name}.bundle", bundle)
        (place / "signed").write_bytes(resting_on(bundle))
        answer = opvalue(
            "attestation", "verify", "signed", "--key", "alice.pub", "--bundle", f"{name}.bundle", "--json"
        )
        assert answer.error["code"] == code


@pytest.mark.parametrize(
    ("evidence", "execution"),
    [
        ({"digest": None, "exchanges": 0, "undeclared": []}, {"mode": "live", "exchanges": 2}),
        ({"digest": "b" * 64, "exchanges": 2, "undeclared": []}, {"mode": "replay", "exchanges": 3}),
        ({"digest": "b" * 64, "exchanges": 2, "undeclared": []}, {"mode": "none", "exchanges": 0}),
    ],
)
def test_a_document_whose_execution_tells_of_other_evidence_is_not_signed(
    opvalue: Run, place: Path, evidence: dict[str, Any], execution: dict[str, Any]
) -> None:
    document = {**statement(regrade__evidence=evidence), "execution": {"evidence": {**execution, "enforced": False}}}
    (place / "other.json").write_bytes(text(document))
    answer = opvalue("attestation", "sign", "other.json", "--key", "alice", "--json")
    assert (answer.status, answer.error["code"]) == (5, "attestation.statement-contradicts")


@pytest.mark.parametrize("columns", [60, 80])
def test_what_is_verified_is_told_within_the_terminal(columns: int, place: Path) -> None:
    save(place / "evidence.bundle", RECORDED)
    (place / "signed").write_bytes(resting_on(RECORDED))
    command = ("verify", "signed", "--key", "alice.pub", "--bundle", "evidence.bundle")
    status, lines = on_terminal(columns, place, "attestation", *command)
    assert status == 0
    long = [line for line in lines if len(line) > columns]
    assert all(len(line.split()[-1]) >= 64 and len(line.split()) <= 3 for line in long), long
    assert all(line[:13].strip() == "" or line[12] == " " for line in lines[2:] if line)


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        (("--key", "bob.pub"), 5, "attestation.not-trusted"),
        (("--key", "alice.pub", "--key", "bob.pub", "--threshold", "2"), 5, "attestation.not-trusted"),
        (("--key", "alice.pub", "--threshold", "2"), 2, "attestation.threshold"),
        (("--key", "alice.pub", "--threshold", "0"), 2, "attestation.threshold"),
        (("--key", "alice.pub", "--key", "copy.pub", "--threshold", "2"), 2, "attestation.threshold"),
        (("--key", "alice"), 2, "attestation.private-key-given"),
        (("--key", "observation.json"), 2, "attestation.key-malformed"),
        (("--key", "gone.pub"), 2, "attestation.file-unreadable"),
        (("--key", "alice.pub", "--observation", "other.json"), 5, "attestation.other-observation"),
        (("--key", "alice.pub", "--observation", "gone.json"), 2, "attestation.file-unreadable"),
        ((), 2, "usage"),
    ],
)
def test_what_is_refused(opvalue: Run, place: Path, options: tuple[str, ...], status: int, code: str) -> None:
    (place / "signed").write_bytes(ENVELOPE)
    (place / "copy.pub").write_bytes(ALICE.public.encode())
    (place / "other.json").write_bytes(text({**DOCUMENT, **statement(results__0__value=1)}))
    answer = opvalue("attestation", "verify", "signed", *options, "--json")
    assert (answer.status, answer.error["code"]) == (status, code)
    answer = opvalue("attestation", "verify", "signed", *options)
    assert (answer.status, answer.out) == (status, "")
    assert f"[{code}]" in answer.err


def test_an_envelope_longer_than_any(opvalue: Run, place: Path) -> None:
    with (place / "signed").open("wb") as file:
        file.truncate(33 << 20)
    answer = opvalue("attestation", "verify", "signed", "--key", "alice.pub", "--json")
    assert (answer.status, answer.error["code"]) == (5, "attestation.too-large")


@pytest.mark.parametrize("where", ["name", "message", "observation__opportunityKey", "observation__subject__workflow"])
def test_half_a_surrogate_pair_is_signed_and_shown(opvalue: Run, place: Path, where: str) -> None:
    document = statement(**{f"results__0__{where}": "a\ud800b"})
    (place / "half.json").write_text(json.dumps(document))
    signed = opvalue("attestation", "sign", "half.json", "--key", "alice", "-o", "signed")
    assert signed.status == 0
    for more in ((), ("--json",)):
        answer = opvalue("attestation", "verify", "signed", "--key", "alice.pub", "--observation", "half.json", *more)
        assert (answer.status, answer.err) == (0, "")
        answer.out.encode()


@pytest.mark.parametrize(
    "data", [b'"\\ud800"', b'{"\\ud800":1}', b'{"payload":"\\ud800","payloadType":"","signatures":[]}']
)
def test_half_a_surrogate_pair_where_none_may_be(opvalue: Run, place: Path, data: bytes) -> None:
    (place / "odd.json").write_bytes(data)
    for command, key in (("sign", "alice"), ("verify", "alice.pub")):
        answer = opvalue("attestation", command, "odd.json", "--key", key)
        assert answer.status == 5
        assert ("[attestation." in answer.err) != ("[json.refused]" in answer.err)


def test_what_is_signed_cannot_steer_a_terminal(opvalue: Run, place: Path) -> None:
    about = statement(results__0__name="\x1b[2J\u202e", results__0__observation__opportunityKey="a\nverified     all")
    (place / "signed").write_bytes(attest(about, ALICE))
    (place / "\x1b[31mk\n.pub").write_bytes(ALICE.public.encode())
    out = opvalue("attestation", "verify", "signed", "--key", "\x1b[31mk\n.pub").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\nverified     all" not in out


# for other commands


def test_a_signer_for_other_commands(place: Path) -> None:
    sign = signer(place / "alice", None, None, {})
    assert sign(STATEMENT) == ENVELOPE
    assert sign.add(attest(STATEMENT, BOB)) == signer(place / "bob", None, None, {}).add(ENVELOPE)
    assert repr(sign) == f"Signer({ALICE.public.id})"
    (place / "alice").unlink()
    assert sign(STATEMENT) == ENVELOPE


def test_cryptography_is_loaded_only_by_those_who_need_it(place: Path) -> None:
    code = "import sys, opvalue.attestation, opvalue.cli.attestation; print('cryptography' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=place)
    assert done.stdout == "False\n"
