"""The regrade document: its shape, published as a JSON Schema (reference 2.6; DESIGN 4.10).

The **statement** is the document without ``execution``: equal bytes for equal archive, commit, evidence time and
evidence, on any machine. ``execution`` tells how it came about; its fields that differ from one machine or moment to
the next carry ``x-varies`` in the schema.

Importing this module costs more than everything else a regrade does itself, so a regrade does without it: its document
is built by ``opvalue.regrade.statement``, and the tests hold each document that ``World`` and ``Stage`` make against
these models. Attribute docstrings become the schema's descriptions (see ``opvalue.regrade.schema``).
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel

Number = Annotated[int | float, Field(allow_inf_nan=False)]
Share = Annotated[int, Field(ge=0, le=1)] | Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Hex64 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Named = Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9_-]*/([a-z0-9._-]{1,100}|\*)|#[1-9][0-9]{0,18}|unattributed)$")]
Stamp = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$")]
VARIES: dict[str, JsonValue] = {"x-varies": True}
_ONE_DIGEST: list[JsonValue] = [{"required": ["evaluatorDigest"]}, {"required": ["functionDigest"]}]


class Model(BaseModel):
    """Strict, frozen, closed; fields are written in camel case, in the order they are declared."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
    )


class Run(Model):
    """The run that was regraded."""

    id: str
    """The run's id, as text."""
    attempt: Annotated[int, Field(ge=1)]
    """The attempt that the archive records."""


class Identity(Model):
    """What makes two observations of a run the same one: exactly these three (the value function's digest in V0)."""

    model_config = ConfigDict(json_schema_extra={"oneOf": _ONE_DIGEST})

    run_id: str
    """The run's id."""
    evaluator_digest: Hex64 | None = None
    """SHA-256 of the evaluator's bytes."""
    function_digest: Hex64 | None = None
    """The same, under the name the first generation (``value``) gave it; stands instead of ``evaluatorDigest``."""
    evidence_at: Stamp
    """The evidence time, UTC with milliseconds."""


class Evidence(Model):
    """What the evaluator was given to look at besides its request."""

    digest: Hex64 | None
    """Digest of the evidence bundle; null when no evidence was offered and none was asked for."""
    exchanges: Annotated[int, Field(ge=0)]
    """Number of recorded exchanges."""
    undeclared: list[Named]
    """Repositories that were read though the definition does not declare them: ``owner/name``, ``owner/*``, ``#ID``, or
    ``unattributed`` where it cannot be told; ascending, each once."""


class DriftedField(Model):
    """A field that differs from the archived observation though it should not move."""

    field: str
    """The field's name in the observation."""
    archived: JsonValue
    """The value the archive holds."""
    observed: JsonValue
    """The value the evaluator returned now."""


class Regrade(Model):
    """What was regraded, and on what ground."""

    identity: Identity
    """The identity of this observation."""
    original_evidence_at: str
    """The evidence time of the archived observation, as archived."""
    host: str
    """The GitHub host the run belongs to."""
    closure_digest: Hex64
    """Digest over the evaluator and every file it sources, as read from the commit."""
    evidence: Evidence
    """The evidence offered."""
    drift: list[DriftedField]
    """What moved; empty when nothing did."""


class Subject(Model):
    """The run as the archived observation describes it."""

    type: Literal["workflow-run"]
    """Always a workflow run."""
    run_id: str
    """The run's id."""
    attempt: int
    """The attempt."""
    repository: str
    """``OWNER/REPO`` as recorded."""
    workflow: str
    """The workflow's display name."""
    ref: str
    """The git ref of the run."""
    sha: str
    """The recorded commit."""
    event_name: str
    """The event that started the run."""
    created_at: str | None
    """When the run was created; null where the archive does not say."""


class Observation(Model):
    """What the evaluator saw, as of the evidence time."""

    subject: Subject
    """The run, unchanged from the archive."""
    opportunity_key: str
    """The opportunity the run was assigned; repeated keys are one opportunity."""
    evidence_at: Stamp
    """The evidence time."""
    evidence_cutoff: Stamp
    """Evidence after this was not looked at: the earlier of evidence time and maturity."""
    matures_at: Stamp
    """From here on the value no longer moves."""
    mature: bool
    """Whether the evidence time is at or after maturity."""
    case: dict[str, JsonValue]
    """The operational case the evaluator returned."""
    provenance: list[dict[str, JsonValue]]
    """Where the evidence lies."""


class Implementation(Model):
    """Which code made the result."""

    id: str
    """The identifier gh-aw gave the regrading implementation."""
    version: Literal[1]
    """Its version."""
    digest: Hex64
    """The evaluator's digest."""


class Result(Model):
    """The grader's result. Optional fields are left out when empty."""

    id: str
    """The grader's id."""
    name: str
    """Its display name, from the archived manifest."""
    value: Share | None
    """Attainment in [0,1], or null for no opportunity or missing evidence. Zero is an observed miss."""
    unit: str
    """The unit, from the archived manifest."""
    passed: bool | None
    """Whether the threshold is met; null without a threshold or value."""
    status: Literal["pass", "fail", "unavailable"]
    """``unavailable`` exactly when the value is null."""
    source: str
    """The grader's source, from the archived manifest."""
    message: str | None = None
    """The evaluator's remark."""
    observation: Observation
    """The observation behind the value."""
    diagnostics: dict[str, JsonValue] | None = None
    """The evaluator's diagnostics."""
    baseline_value: Share | None
    """The frozen pre-adoption reference; null when there is none."""
    delta_from_baseline: Number | None
    """Value minus baseline; null unless both are numbers."""
    implementation: Implementation
    """The code."""


class Check(Model):
    """One check of the chain."""

    name: str
    """Its stable name."""
    state: Literal["done", "skipped"]
    """Made and passed, or not made."""
    detail: str
    """What was seen, or why it was not made."""


class Sandbox(Model):
    """The layers between the evaluator and the machine."""

    layers: list[str]
    """Layers in force; empty when the evaluator ran without a sandbox."""
    reason: str | None
    """Why there are none."""


class EvidenceMode(Model):
    """How the evaluator's requests were answered."""

    mode: Literal["none", "live", "replay"]
    """By nobody, by the host's API, or from a bundle."""
    exchanges: Annotated[int, Field(ge=0)]
    """Distinct requests that were made in this regrade."""
    enforced: bool
    """Whether requests beyond the declared repositories were refused."""


class Execution(Model):
    """How this document came about. Not part of the statement."""

    mode: Literal["offline", "online"]
    """Whether the host's API was asked for the run."""
    checks: list[Check]
    """Every check, in order."""
    evidence: EvidenceMode = Field(json_schema_extra=VARIES)
    """The evaluator's evidence."""
    left_behind: list[str] = Field(json_schema_extra=VARIES)
    """Files the evaluator left in its scratch folder."""
    sandbox: Sandbox = Field(json_schema_extra=VARIES)
    """The sandbox."""
    tools: dict[str, str] = Field(json_schema_extra=VARIES)
    """Versions of the programs that took part, jq above all."""
    graded_at: Stamp = Field(json_schema_extra=VARIES)
    """When the regrade was made."""
    duration_ms: Annotated[int, Field(ge=0)] = Field(json_schema_extra=VARIES)
    """How long definition and grading took, in milliseconds."""


class Document(Model):
    """A regraded run."""

    version: Literal[1]
    """The document's version."""
    run: Run
    """The run."""
    regrade: Regrade
    """The regrade."""
    results: Annotated[list[Result], Field(min_length=1, max_length=1)]
    """The one result."""
    execution: Execution
    """How it came about."""
