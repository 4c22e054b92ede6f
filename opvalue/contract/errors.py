"""Why an evaluator's output is not what its contract promises: one class a cause (reference 2.5 and 4.1)."""

from opvalue.contract.fields import Finding
from opvalue.errors import Kind, OpvalueError


class ContractBroken(OpvalueError):
    """An evaluator's output breaks its contract. Never raised itself; each cause below is a class."""

    kind = Kind.EVALUATOR


class OutputEmpty(ContractBroken):
    """The evaluator ended well and printed nothing, or blanks only."""

    code = "contract.output-empty"
    advice = "Make this mode print one JSON document; run it by hand with the same input."


class OutputColoured(ContractBroken):
    """The output starts with an escape byte: colour or terminal codes stand where JSON should."""

    code = "contract.output-escape"
    advice = "Print plain JSON: jq -M, and no colour forced by the script."


class OutputSeveralValues(ContractBroken):
    """More than one value: something besides blanks follows the first JSON document."""

    code = "contract.output-more-than-one-value"
    advice = "Print one document: merge pages with jq -s, and discard the output of tests such as jq -e."


class OutputNotJson(ContractBroken):
    """The output is not strict JSON: syntax, encoding, duplicate keys, depth, or a number out of range."""

    code = "contract.output-not-json"
    advice = "Print one strict UTF-8 JSON document on standard output, and talk on standard error."


class DefinitionNotObject(ContractBroken):
    """``--definition`` printed a JSON value that is not an object."""

    code = "contract.definition-not-object"
    advice = "Print the frozen contract as one JSON object."


class DefinitionSchemaVersion(ContractBroken):
    """The definition's ``schemaVersion`` is not 4."""

    code = "contract.definition-schema-version"
    advice = "Only schema 4 can be regraded; the evaluator of that run speaks another one."


class DefinitionGrader(ContractBroken):
    """The definition's ``grader`` is not the grader the archive names."""

    code = "contract.definition-grader"
    advice = "The definition belongs to another grader; nothing was graded."


class DefinitionBaselineMode(ContractBroken):
    """The definition has no ``baseline.mode``, or one that is not known."""

    code = "contract.definition-baseline-mode"
    advice = "Use attainment-only, or baseline-comparable with a frozen value."


class DefinitionBaselineValue(ContractBroken):
    """The baseline's value does not fit its mode: null for attainment-only, a number in [0, 1] for comparable."""

    code = "contract.definition-baseline-value"
    advice = "Write null for attainment-only, or freeze a number in [0, 1] for baseline-comparable."


class DefinitionIncomplete(ContractBroken):
    """The definition lacks fields of the full contract or holds wrong ones; all of them are listed."""

    code = "contract.definition-incomplete"
    advice = "Complete the fields listed; opvalue schema definition prints the whole contract."

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        count = "1 field" if len(findings) == 1 else f"{len(findings)} fields"
        super().__init__("\n  - ".join([f"the definition breaks the contract in {count}:", *map(str, findings)]))


class ObservationNotObject(ContractBroken):
    """``--grade-run`` printed a JSON value that is not an object."""

    code = "contract.observation-not-object"
    advice = "Print one observation object."


class ObservationValue(ContractBroken):
    """The observation's ``value`` is absent, or neither null nor a number in [0, 1]."""

    code = "contract.observation-value"
    advice = "Print null for missing evidence, else how fully the outcome was attained, from 0 to 1."


class ObservationCase(ContractBroken):
    """The observation's ``case`` is absent, null or not an object."""

    code = "contract.observation-case"
    advice = "Print the case the run is bound to as an object, also when the value is null."


class ObservationOpportunityKey(ContractBroken):
    """The observation's ``opportunityKey`` is absent, blank or not a string."""

    code = "contract.observation-opportunity-key"
    advice = "Print a stable key, such as issue:42."


class ObservationCutoff(ContractBroken):
    """The observation's ``evidenceCutoff`` is not a UTC time with seconds or milliseconds and ``Z``."""

    code = "contract.observation-cutoff"
    advice = "Print it like 2026-08-30T12:00:00Z."


class ObservationMaturity(ContractBroken):
    """The observation's ``maturesAt`` is not a UTC time with seconds or milliseconds and ``Z``."""

    code = "contract.observation-maturity"
    advice = "Print it like 2026-08-30T12:00:00Z."


class CutoffAfterEvidence(ContractBroken):
    """The evidence cutoff lies after the evidence time that was asked for."""

    code = "contract.cutoff-after-evidence"
    advice = "Cap the cutoff at the earlier of evidenceAt and maturesAt."


class CutoffAfterMaturity(ContractBroken):
    """The evidence cutoff lies after the run's maturity."""

    code = "contract.cutoff-after-maturity"
    advice = "Cap the cutoff at the earlier of evidenceAt and maturesAt; that makes the result stable."


class ProvenanceNotObjects(ContractBroken):
    """The observation's ``provenance`` is absent, null or not an array of objects."""

    code = "contract.provenance-not-objects"
    advice = "Print an array of objects; an empty one where the value is null."


class ProvenanceEmpty(ContractBroken):
    """The observation has a value and names no evidence for it."""

    code = "contract.provenance-empty"
    advice = "Name the evidence of a value, or print null."


class ProvenanceEntry(ContractBroken):
    """An entry of ``provenance`` lacks a non-empty string ``repository``, ``kind`` or ``ref``."""

    code = "contract.provenance-entry"
    advice = 'Write each entry like {"repository": "acme/widgets", "kind": "issue", "ref": "42"}.'


class CutoffTooEarly(ContractBroken):
    """The evidence cutoff is earlier, by more than its fraction of a second, than evidenceAt and maturesAt."""

    code = "contract.cutoff-too-early"
    advice = "Set the cutoff to the earlier of evidenceAt and maturesAt; whole seconds will do."


class MaturityBeforeCreation(ContractBroken):
    """The observation says that the run matured before it was created."""

    code = "contract.maturity-before-creation"
    advice = "Count maturity forward from the request's run.createdAt."


class ScoreRefused(ContractBroken):
    """``--metric`` printed a JSON value that is neither null nor a number in [0, 1]."""

    code = "contract.score"
    advice = "Print null or one number from 0 to 1."


class MetricsNotArray(ContractBroken):
    """A session evaluator printed a JSON value that is not an array."""

    code = "contract.metrics-not-array"
    advice = 'Print an array such as [{"id": "attained", "value": 1}].'


class MetricsEmpty(ContractBroken):
    """A session evaluator printed an empty array; the first metric is the grader's value."""

    code = "contract.metrics-empty"
    advice = "Print at least one metric; its value may be null."


class MetricKeys(ContractBroken):
    """A metric is not an object with exactly the keys ``id`` and ``value``."""

    code = "contract.metric-keys"
    advice = 'Write each metric as {"id": "attained", "value": 1} and nothing more.'


class MetricId(ContractBroken):
    """A metric's ``id`` is blank or not a string."""

    code = "contract.metric-id"
    advice = "Give each metric a name."


class MetricIdTwice(ContractBroken):
    """Two metrics have one ``id``."""

    code = "contract.metric-id-twice"
    advice = "Give each metric a name of its own."


class MetricValue(ContractBroken):
    """A metric's ``value`` is neither null nor a number."""

    code = "contract.metric-value"
    advice = "Print null for what could not be measured, else a finite number."
