"""What can be wrong with a ``graders`` map: one class a cause, all of them reported at once (reference 4.2, 4.3)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from opvalue.errors import Kind, OpvalueError

MOST_FINDINGS: Final = 100
"""Faults that are looked for; who has more begins with these."""


class Position(NamedTuple):
    """Where something stands in a file."""

    file: str
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class ConfigurationFault(OpvalueError):
    """Base of everything that one entry, field or map can have wrong."""

    kind = Kind.USAGE
    position: Position | None = None
    """Known where the map was read from a file."""


class GradersNotAMap(ConfigurationFault):
    """``graders`` is neither a map of ids to settings, nor empty."""

    code = "graders.not-a-map"
    advice = "Write a map of grader ids to settings, or leave graders empty for the defaults."


class IdRefused(ConfigurationFault):
    """A grader's id is not a lower-case letter followed by at most 63 lower-case letters, digits and hyphens."""

    code = "graders.bad-id"
    advice = "Use lower-case letters, digits and hyphens, beginning with a letter, 64 at most."


class IdTwice(ConfigurationFault):
    """Two keys of one map are one id once they are trimmed."""

    code = "graders.duplicate-id"
    advice = "Keep one of the two entries."


class EntryNotAMap(ConfigurationFault):
    """A grader's entry is neither a map of settings nor empty."""

    code = "graders.entry-not-a-map"
    advice = "Write a map of settings, such as {enabled: false}, or nothing."


class FieldUnknown(ConfigurationFault):
    """An entry has a field that no grader has."""

    code = "graders.unknown-field"
    advice = "Remove the field, or put data for the grader under config."


class FieldType(ConfigurationFault):
    """A field's value has another type than the field."""

    code = "graders.wrong-type"
    advice = "Give the field a value of its type. A boolean is no number, and nothing is no value: leave the field out."


class NumberNotFinite(ConfigurationFault):
    """A threshold or bound is NaN, infinite, or larger than a double can hold."""

    code = "graders.number-not-finite"
    advice = "Give a finite number, or leave the field out."


class ConfigTooDeep(ConfigurationFault):
    """A grader's ``config`` nests deeper than half of what JSON may: what repeats it could not be read any more."""

    code = "graders.config-too-deep"
    advice = "Make config flatter."


class DirectionUnknown(ConfigurationFault):
    """``direction`` is neither ``higher_is_better`` nor ``lower_is_better``."""

    code = "graders.unknown-direction"
    advice = "Write higher_is_better or lower_is_better."


class BoundsReversed(ConfigurationFault):
    """``min`` is greater than ``max``; the registry's figures count where the entry names none."""

    code = "graders.bounds-reversed"
    advice = "Give a min that is at most max."


class ThresholdOutOfBounds(ConfigurationFault):
    """A threshold lies outside ``min`` and ``max``; the registry's figures count where the entry names none."""

    code = "graders.threshold-out-of-bounds"
    advice = "Give a threshold within the bounds. A ratio goes from 0 to 1, not to 100."


class BuiltinOverridden(ConfigurationFault):
    """A built-in grader's entry carries a script or names a file to run."""

    code = "graders.builtin-overridden"
    advice = "A built-in has one implementation. Give a grader of your own another id."


class ScriptMissing(ConfigurationFault):
    """A grader that is no built-in declares no script, enabled or not."""

    code = "graders.script-missing"
    advice = "Add a script, or correct the id if a built-in was meant."


class ScriptBlank(ConfigurationFault):
    """A custom grader's script holds nothing but white space."""

    code = "graders.script-blank"
    advice = "Write a script that returns a number, null or an object with a value."


class ScriptTooLarge(ConfigurationFault):
    """A custom grader's script is larger than 256 KiB in UTF-8."""

    code = "graders.script-too-large"
    advice = "Make the script smaller."


class ScriptNotText(ConfigurationFault):
    """A custom grader's script holds half a surrogate pair, which UTF-8 cannot carry."""

    code = "graders.script-not-text"
    advice = "Write the character whole, or as an escape inside the script."


class ScriptOnEvaluator(ConfigurationFault):
    """``operational-value`` carries a script; it names a Bash file with ``run`` instead."""

    code = "graders.script-on-evaluator"
    advice = "Put the evaluator into a .sh file of the repository and name it with run."


class RunMisplaced(ConfigurationFault):
    """``run`` stands on a custom grader other than ``operational-value``."""

    code = "graders.run-misplaced"
    advice = "Only operational-value runs a file. Other custom graders carry a script."


class RunMissing(ConfigurationFault):
    """``operational-value`` names no file to run, enabled or not."""

    code = "graders.run-missing"
    advice = "Name the evaluator with run, such as run: .github/graders/name.sh."


class RunRefused(ConfigurationFault):
    """``run`` is no safe path of a ``.sh`` file: relative, forward slashes, no empty, ``.`` or ``..`` part."""

    code = "graders.unsafe-run"
    advice = "Name a .sh file by its path from the repository root, or by ./ and its path beside the workflow."


class ManifestTooLarge(ConfigurationFault):
    """The graders come to a manifest that nothing would read; aliases can make much of a small file."""

    code = "graders.manifest-too-large"
    advice = "Make the graders' config, descriptions or scripts smaller."


class JobOwned(ConfigurationFault):
    """A workflow has settings for the ``conclusion`` or ``graders`` job, which only the compiler makes."""

    code = "graders.owned-job"
    advice = "Remove the job, or give it another name. The conclusion and graders jobs take no steps of an author's."


class ConfigurationRefused(OpvalueError):
    """A ``graders`` map has one or more faults; each is listed with its own code and, from a file, its place."""

    code = "graders.configuration-refused"
    kind = Kind.USAGE
    advice = "Correct each of them; opvalue help errors CODE says more."

    def __init__(self, findings: Sequence[ConfigurationFault]) -> None:
        findings = _in_order(findings)
        listed = [_line(finding) for finding in findings]
        what = "1 fault" if len(findings) == 1 else f"{len(findings)} faults"
        if len(findings) >= MOST_FINDINGS:
            what = f"{what} or more"
        super().__init__("\n".join((f"the configuration of graders has {what}", *listed)))
        self.findings = tuple(findings)

    def envelope(self) -> dict[str, object]:
        """Return the value that ``--json`` prints, every fault with its own code and place."""
        document = super().envelope()
        faults = [_described(finding) for finding in self.findings]
        return {"error": {**_inner(document), "findings": faults}}


def _in_order(findings: Sequence[ConfigurationFault]) -> list[ConfigurationFault]:
    """Return the faults file by file, each in the order of its lines; what stands nowhere comes last."""
    files = list(dict.fromkeys(finding.position.file for finding in findings if finding.position))

    def place(finding: ConfigurationFault) -> tuple[int, int, int]:
        position = finding.position
        return (len(files), 0, 0) if position is None else (files.index(position.file), position.line, position.column)

    return sorted(findings, key=place)


def _inner(document: dict[str, object]) -> dict[str, object]:
    error = document["error"]
    return error if isinstance(error, dict) else {}


def _line(finding: ConfigurationFault) -> str:
    where = f"{finding.position}: " if finding.position else ""
    compared = "; ".join(
        f"{word} {text}"
        for word, text in (("expected", finding.expected), ("found", finding.found))
        if text is not None
    )
    return f"{where}{finding.message} [{finding.code}]{f' ({compared})' if compared else ''}"


def _described(finding: ConfigurationFault) -> dict[str, object]:
    described: dict[str, object] = {"code": finding.code, "message": finding.message, "hint": finding.hint}
    if finding.expected is not None:
        described["expected"] = finding.expected
    if finding.found is not None:
        described["found"] = finding.found
    if finding.position is not None:
        described |= finding.position._asdict()
    return described
