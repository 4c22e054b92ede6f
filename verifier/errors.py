"""Why a script is not verified at all."""

from opvalue.errors import Kind, OpvalueError


class UnknownRule(OpvalueError):
    """A rule was named, on the command line or in the settings, that does not exist."""

    code = "verify.unknown-rule"
    kind = Kind.USAGE
    advice = "See `opvalue rule list`."


class ScriptUnreadable(OpvalueError):
    """The file to verify is missing, is no regular file, or cannot be read."""

    code = "verify.script-unreadable"
    kind = Kind.USAGE
    advice = "Name the evaluator's file."


class SettingsRefused(OpvalueError):
    """``.opvalue.toml`` is not valid: no TOML, an unknown key, an ignore without a reason."""

    code = "verify.settings"
    kind = Kind.USAGE
    advice = 'Write [[verify.ignore]] with rule = "ID" and reason = "why it does not apply here".'


class CaseRefused(OpvalueError):
    """A case below ``--cases`` is not complete or not readable."""

    code = "verify.case"
    kind = Kind.USAGE
    advice = "A case is a folder with request.json, expected.json and, where evidence is read, evidence.bundle."


class ConfigRefused(OpvalueError):
    """The file of ``--config`` cannot be read, or holds no configuration."""

    code = "verify.config"
    kind = Kind.USAGE
    advice = "Name a JSON or YAML file with an object, or the workflow's Markdown file that registers the script."


class ReportUnwritable(OpvalueError):
    """The report cannot be written where it was to go."""

    code = "verify.report-unwritable"
    kind = Kind.USAGE
    advice = "Choose another place for the report."
