"""Why a session is not concluded or replayed. One class a cause."""

from opvalue.errors import Kind, OpvalueError
from opvalue.graders.configuration.errors import ConfigurationFault


class UsageArtifactAbsent(OpvalueError):
    """The run has no artifact named ``usage`` or ``*-usage``, expired or not."""

    code = "conclusion.usage-artifact-absent"
    kind = Kind.ARTIFACT
    advice = "The run uploaded no usage artifact, or it was deleted. Choose another run."


class SessionOfAnotherRun(OpvalueError):
    """The session records another run, or another attempt, than the one it was taken from or is said to be of."""

    code = "conclusion.another-run"
    kind = Kind.REFUSED
    advice = "Give the session of the run that is meant, or leave --run-id and --attempt out."


class SessionUnordered(OpvalueError):
    """A session's events are not in their canonical order, and it is too large to be put in order before grading."""

    code = "conclusion.session-unordered"
    kind = Kind.REFUSED
    advice = "Put it in order first, which takes memory: opvalue session redact SESSION -o FILE."


class GraderUnknown(OpvalueError):
    """A grader was named that is neither built in nor configured."""

    code = "conclusion.grader-unknown"
    kind = Kind.USAGE
    advice = (
        "See opvalue graders list. A custom one needs its workflow: opvalue graders run SESSION --config WORKFLOW.md."
    )


class GraderDisabled(OpvalueError):
    """A grader was named that the configuration disables."""

    code = "conclusion.grader-disabled"
    kind = Kind.USAGE
    advice = "Enable it in the workflow, or leave --config out to grade with the registry's own settings."


class ManifestUnusable(OpvalueError):
    """A conclusion's manifest is not what ``graders compile`` writes: version, fields, sources or ids do not fit."""

    code = "conclusion.manifest-unusable"
    kind = Kind.REFUSED
    advice = "Compile the workflow again: opvalue graders compile WORKFLOW.md -o DIR."


class ManifestExecutable(OpvalueError):
    """A conclusion's manifest carries code, or names a file to run: a conclusion takes data only."""

    code = "conclusion.manifest-executable"
    kind = Kind.REFUSED
    advice = "Give the data-only manifest. Custom graders run in the separate graders job alone."


class GradersFailed(OpvalueError):
    """A grader ended with an error, and ``--fail-on-error`` was given. What there is of results is kept."""

    code = "conclusion.graders-failed"
    kind = Kind.EVALUATOR
    advice = "Look at the error of each; the other graders' results hold."


class FileAbsent(OpvalueError):
    """A workflow, an import of one, an evaluator or a configuration is not there."""

    code = "conclusion.file-absent"
    kind = Kind.USAGE
    advice = "Correct the path, or add the file."


class ImportAbsent(FileAbsent):
    """A workflow imports a file that is not there, and does not call it optional by a ``?`` at the end."""

    code = "conclusion.import-absent"
    advice = (
        "Correct the path, or add the file. What begins with .github/ or / is from the repository root, all else is "
        "beside the importing file."
    )


class FileUnreadable(OpvalueError):
    """Such a file, or a folder on the way to it, is there and cannot be read: no permission, a read error."""

    code = "conclusion.file-unreadable"
    kind = Kind.USAGE
    advice = "Make it readable, or give another file."


class FileRefused(OpvalueError):
    """Such a file, or a folder on the way to it, is a link or no regular file, or its name is not safe."""

    code = "conclusion.file-refused"
    kind = Kind.USAGE
    advice = "Put the file itself into the repository; links are not followed."


class FileTooLarge(OpvalueError):
    """Such a file is larger than is read."""

    code = "conclusion.file-too-large"
    kind = Kind.USAGE
    advice = "Make the file smaller."


class ConfigurationUnreadable(OpvalueError):
    """A configuration is not YAML, JSON or Markdown with YAML frontmatter, or holds what JSON has no word for."""

    code = "conclusion.configuration-unreadable"
    kind = Kind.USAGE
    advice = "Correct the file. Scalars are those of YAML 1.2, keys are texts, and each stands once."


class FrontmatterAbsent(OpvalueError):
    """A Markdown file that is given as a workflow has no frontmatter: it is some other document, and sets nothing."""

    code = "conclusion.no-frontmatter"
    kind = Kind.USAGE
    advice = "Give a workflow. One that leaves all graders as they are begins with two lines of --- alone."


class ImportElsewhere(OpvalueError):
    """A workflow imports from another repository, whose files are not here to be merged."""

    code = "conclusion.import-elsewhere"
    kind = Kind.USAGE
    advice = "Copy the imported file into this repository and import it from there."


class ImportRefused(OpvalueError):
    """An import names no file below the repository root."""

    code = "conclusion.import-refused"
    kind = Kind.USAGE
    advice = "Name the file by its path from the repository root below .github, or relative to the importing file."


class TooManyImports(OpvalueError):
    """A workflow and its imports are more files than are read."""

    code = "conclusion.too-many-imports"
    kind = Kind.USAGE
    advice = "Import fewer files."


class EvaluatorFault(ConfigurationFault):
    """Base of everything that the file an operational-value grader names can have wrong."""


class EvaluatorAbsent(EvaluatorFault):
    """``run`` names a file that is not in the repository."""

    code = "conclusion.evaluator-absent"
    advice = "Correct the path, or add the file. Paths are from the repository root; ./ is beside the workflow."


class EvaluatorUnreadable(EvaluatorFault):
    """The evaluator, or a folder on the way to it, is there and cannot be read: no permission, a read error."""

    code = "conclusion.evaluator-unreadable"
    advice = "Make it readable."


class EvaluatorNotRegular(EvaluatorFault):
    """The evaluator, or a folder on the way to it, is a link or no regular file."""

    code = "conclusion.evaluator-not-regular"
    advice = "Put the file itself into the repository; links are not followed."


class EvaluatorTooLarge(EvaluatorFault):
    """The evaluator is larger than 64 KiB."""

    code = "conclusion.evaluator-too-large"
    advice = "Make the evaluator smaller."


class EvaluatorNotText(EvaluatorFault):
    """The evaluator is not UTF-8."""

    code = "conclusion.evaluator-not-text"
    advice = "Save the file as UTF-8."


class EvaluatorWithoutShebang(EvaluatorFault):
    """The evaluator's first line is neither ``#!/usr/bin/env bash`` nor ``#!/bin/bash``."""

    code = "conclusion.evaluator-no-shebang"
    advice = "Begin the file with #!/usr/bin/env bash, and end that line with a line feed alone."


class EvaluatorSyntax(EvaluatorFault):
    """``bash -n`` does not accept the evaluator."""

    code = "conclusion.evaluator-syntax"
    advice = "Correct the syntax; bash -n FILE shows it."
