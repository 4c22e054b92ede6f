"""The statement of a regrade document (the document without ``execution``), read strictly, and what it says.

The tables below are the whole of it: exactly these fields, in this order, of these types. A field that is not known
might change the meaning of the others, so nobody signs or verifies it. Objects that are an evaluator's own (``case``,
``diagnostics``, ``provenance`` entries) may hold anything. Not checked: whether any of it is true.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from opvalue.attestation import errors
from opvalue.contract.values import is_share
from opvalue.identity import Digest, Host, Instant, Repository, RepositoryRefused
from opvalue.strictjson import JsonObject, JsonValue, dumps_compact, is_number, kind_of


class Rule(NamedTuple):
    """What a value must be."""

    expected: str
    holds: Callable[[JsonValue], bool]


Shape: TypeAlias = "Rule | dict[str, Shape] | list[Shape]"
"""A rule; an object of exactly these fields, in order, one whose name ends in ``?`` may be left out; or an array."""


class Facts(NamedTuple):
    """What a statement says, for those who compare and those who read."""

    repository: Repository
    run_id: str
    attempt: int
    name: str
    """The grader's display name."""
    value: int | float | None
    status: str
    evidence_at: Instant
    evidence_cutoff: Instant
    """Nothing that was observed earlier may have been used."""
    matures_at: Instant
    mature: bool
    opportunity_key: str
    evaluator_digest: Digest
    closure_digest: Digest
    bundle_digest: Digest | None
    """``None`` when the value rests on no evidence."""
    exchanges: int
    """Those of the bundle; 0 without one."""
    undeclared: tuple[str, ...]
    """What was read and is not declared: ``owner/name``, ``owner/*``, ``#ID``, ``unattributed``."""

    @property
    def run_url(self) -> str:
        """The web address of the run's attempt."""
        site, slug = self.repository.host.server_url, self.repository.slug
        return f"{site}/{slug}/actions/runs/{self.run_id}/attempts/{self.attempt}"


def _or_null(rule: Rule) -> Rule:
    return Rule(f"{rule.expected}, or null", lambda value: value is None or rule.holds(value))


def _exactly(word: JsonValue) -> Rule:
    return Rule(dumps_compact(word), lambda value: type(value) is type(word) and value == word)


def _one_of(*words: str) -> Rule:
    return Rule(" or ".join(words), lambda value: isinstance(value, str) and value in words)


def _is_stamp(value: JsonValue) -> bool:
    instant = Instant.parse_utc(value)
    return instant is not None and str(instant) == value


def _is_count(value: JsonValue, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


_RUN_ID: Final = re.compile(r"[1-9][0-9]{0,18}")
_OUTSIDE: Final = re.compile(r"[a-z0-9][a-z0-9_-]*/(?:[a-z0-9._-]{1,100}|\*)|#[1-9][0-9]{0,18}|unattributed")
_TEXT: Final = Rule("a text", lambda value: isinstance(value, str))
_ID: Final = Rule("a run's number as text", lambda value: isinstance(value, str) and bool(_RUN_ID.fullmatch(value)))
_NAMED: Final = Rule(
    "owner/name, owner/*, #ID or unattributed",
    lambda value: isinstance(value, str) and bool(_OUTSIDE.fullmatch(value)),
)
_FLAG: Final = Rule("true or false", lambda value: isinstance(value, bool))
_ATTEMPT: Final = Rule("a whole number from 1 on", lambda value: _is_count(value, 1))
_COUNT: Final = Rule("a whole number from 0 on", lambda value: _is_count(value, 0))
_NUMBER: Final = Rule("a number", is_number)
_SHARE: Final = Rule("a number in [0, 1]", is_share)
_DIGEST: Final = Rule("64 lower-case hexadecimal characters", lambda value: Digest.parse(value) is not None)
_STAMP: Final = Rule("a UTC time with milliseconds", _is_stamp)
_OBJECT: Final = Rule("an object", lambda value: isinstance(value, dict))
_ANYTHING: Final = Rule("a value", lambda _value: True)

_SUBJECT: Final[dict[str, Shape]] = {
    "type": _exactly("workflow-run"),
    "runId": _ID,
    "attempt": _ATTEMPT,
    "repository": _TEXT,
    "workflow": _TEXT,
    "ref": _TEXT,
    "sha": _TEXT,
    "eventName": _TEXT,
    "createdAt": _or_null(_TEXT),
}
_OBSERVATION: Final[dict[str, Shape]] = {
    "subject": _SUBJECT,
    "opportunityKey": _TEXT,
    "evidenceAt": _STAMP,
    "evidenceCutoff": _STAMP,
    "maturesAt": _STAMP,
    "mature": _FLAG,
    "case": _OBJECT,
    "provenance": [_OBJECT],
}
_RESULT: Final[dict[str, Shape]] = {
    "id": _TEXT,
    "name": _TEXT,
    "value": _or_null(_SHARE),
    "unit": _TEXT,
    "passed": _or_null(_FLAG),
    "status": _one_of("pass", "fail", "unavailable"),
    "source": _TEXT,
    "message?": _TEXT,
    "observation": _OBSERVATION,
    "diagnostics?": _OBJECT,
    "baselineValue": _or_null(_SHARE),
    "deltaFromBaseline": _or_null(_NUMBER),
    "implementation": {"id": _TEXT, "version": _exactly(1), "digest": _DIGEST},
}
_REGRADE: Final[dict[str, Shape]] = {
    "identity": {"runId": _ID, "functionDigest?": _DIGEST, "evaluatorDigest?": _DIGEST, "evidenceAt": _STAMP},
    "originalEvidenceAt": _TEXT,
    "host": _TEXT,
    "closureDigest": _DIGEST,
    "evidence": {"digest": _or_null(_DIGEST), "exchanges": _COUNT, "undeclared": [_NAMED]},
    "drift": [{"field": _TEXT, "archived": _ANYTHING, "observed": _ANYTHING}],
}
_STATEMENT: Final[dict[str, Shape]] = {
    "version": _exactly(1),
    "run": {"id": _ID, "attempt": _ATTEMPT},
    "regrade": _REGRADE,
    "results": [_RESULT],
}


def read_facts(statement: JsonObject) -> Facts:
    """Return what ``statement`` says.

    Steps: 1 no ``execution``; 2 exactly the known fields; 3 one result, one digest in the identity; 4 a host and a
    repository; 5 the places that say the same agree. Raises ``ExecutionInside``, ``StatementMalformed``,
    ``StatementContradicts``.
    """
    if "execution" in statement:  # 1
        raise errors.ExecutionInside("the statement carries the block execution", expected="a document without it")
    _check(statement, _STATEMENT, "")  # 2
    known: dict[str, Any] = statement
    regrade, results = known["regrade"], known["results"]
    if len(results) != 1:  # 3
        _refuse("results", "one result", str(len(results)))
    digests = [regrade["identity"][key] for key in ("evaluatorDigest", "functionDigest") if key in regrade["identity"]]
    if len(digests) != 1:
        _refuse("regrade.identity", "evaluatorDigest or functionDigest", f"{len(digests)} of them")
    repository = _repository(regrade["host"], results[0]["observation"]["subject"]["repository"])  # 4
    _check_agreement(known, digests[0])  # 5
    return _facts(known, repository, Digest(digests[0]))


def _facts(known: dict[str, Any], repository: Repository, evaluator: Digest) -> Facts:
    regrade, result = known["regrade"], known["results"][0]
    observation = result["observation"]
    return Facts(
        repository=repository,
        run_id=known["run"]["id"],
        attempt=known["run"]["attempt"],
        name=result["name"],
        value=result["value"],
        status=result["status"],
        evidence_at=Instant.parse(observation["evidenceAt"]),
        evidence_cutoff=Instant.parse(observation["evidenceCutoff"]),
        matures_at=Instant.parse(observation["maturesAt"]),
        mature=observation["mature"],
        opportunity_key=observation["opportunityKey"],
        evaluator_digest=evaluator,
        closure_digest=Digest(regrade["closureDigest"]),
        bundle_digest=Digest.parse(regrade["evidence"]["digest"]),
        exchanges=regrade["evidence"]["exchanges"],
        undeclared=tuple(regrade["evidence"]["undeclared"]),
    )


def _check(value: JsonValue, shape: Shape, place: str) -> None:
    if isinstance(shape, Rule):
        if not shape.holds(value):
            _refuse(place, shape.expected, _shown(value))
    elif isinstance(shape, list):
        if not isinstance(value, list):
            _refuse(place, "an array", kind_of(value))
        for index, item in enumerate(value):
            _check(item, shape[0], f"{place}[{index}]")
    elif not isinstance(value, dict):
        _refuse(place, "an object", kind_of(value))
    else:
        _check_fields(value, shape, place)


def _check_fields(value: JsonObject, shape: dict[str, Shape], place: str) -> None:
    fields = {name.removesuffix("?"): inner for name, inner in shape.items()}
    present = [name for name in fields if name in value or f"{name}?" not in shape]
    if list(value) != present:
        _refuse(place or "it", f"exactly {', '.join(present)}, in this order", ", ".join(value) or "nothing")
    for name, item in value.items():
        _check(item, fields[name], f"{place}.{name}".lstrip("."))


def _repository(host: str, slug: str) -> Repository:
    try:
        named = Host.parse(host)
        repository = Repository.parse(f"{named}/{slug}")
    except RepositoryRefused as error:
        _refuse("regrade.host and subject.repository", "a host and OWNER/REPO", error.message)
    # A spelling that reads as another host would put a name in the subject that the statement does not have.
    if named.name != host:
        _refuse("regrade.host", "a host in lower case, without the usual port", _shown(host))
    return repository


def _check_agreement(known: dict[str, Any], evaluator: str) -> None:
    run, identity, result = known["run"], known["regrade"]["identity"], known["results"][0]
    observation = result["observation"]
    subject = observation["subject"]
    mature = Instant.parse(observation["evidenceAt"]) >= Instant.parse(observation["maturesAt"])
    _agree("the run's id", run["id"], identity["runId"])
    _agree("the run's id", run["id"], subject["runId"])
    _agree("the attempt", run["attempt"], subject["attempt"])
    _agree("the evaluator's digest", evaluator, result["implementation"]["digest"])
    _agree("the evidence time", identity["evidenceAt"], observation["evidenceAt"])
    _agree("the maturity", mature, observation["mature"])
    _agree("the outcome", _status(result), result["status"])
    _agree("the difference from the baseline", _difference(result), result["deltaFromBaseline"])
    _check_times(observation)
    _check_evidence(known["regrade"]["evidence"])


def _check_times(observation: dict[str, Any]) -> None:
    # As ``parse_observation`` demands it: evaluators cut the cutoff to whole seconds.
    cutoff = Instant.parse(observation["evidenceCutoff"])
    earlier = min(Instant.parse(observation["evidenceAt"]), Instant.parse(observation["maturesAt"]))
    if cutoff > earlier or cutoff.seconds != earlier.seconds:
        raise errors.StatementContradicts(
            "the evidence cutoff is not the earlier of evidence time and maturity",
            expected=f"{earlier}, to the second",
            found=str(cutoff),
        )


def _check_evidence(evidence: dict[str, Any]) -> None:
    exchanges, undeclared = evidence["exchanges"], evidence["undeclared"]
    _agree("no bundle and no exchange", evidence["digest"] is None, exchanges == 0)
    if undeclared != sorted(set(undeclared)):
        raise errors.StatementContradicts(
            "what is undeclared is not listed once and in order", found=", ".join(undeclared)[:300]
        )
    if undeclared and not exchanges:
        raise errors.StatementContradicts(
            "something undeclared was read, and nothing exchanged", found=", ".join(undeclared)[:300]
        )


def _difference(result: dict[str, Any]) -> float | None:
    value, baseline = result["value"], result["baselineValue"]
    return None if value is None or baseline is None else value - baseline


def _status(result: dict[str, Any]) -> str:
    if result["value"] is None:
        return "unavailable" if result["passed"] is None else "none"
    return "fail" if result["passed"] is False else "pass"


def _agree(what: str, left: object, right: object) -> None:
    if left != right:
        raise errors.StatementContradicts(f"{what} is not the same throughout", expected=str(left), found=str(right))


def _shown(value: JsonValue) -> str:
    return dumps_compact(value)[:80] if not isinstance(value, dict | list) else kind_of(value)


def _refuse(place: str, expected: str, found: str) -> NoReturn:
    raise errors.StatementMalformed(f"the statement: {place} is not {expected}", expected=expected, found=found[:300])
