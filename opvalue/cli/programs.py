"""The two programs: ``opvalue``, and ``gh-aw`` with gh-aw's own words (DESIGN 4)."""

from typing import Final

import click

from opvalue import __version__
from opvalue.cli.command import LazyCommand, LazyGroup, color_option, version_option
from opvalue.cli.errors import NotPartOfThisTool

_GRADE: Final = "Grade"
_VERIFY: Final = "Write evaluators"
_SETUP: Final = "Set up and look up"

_COMMANDS: Final = {
    "regrade": LazyCommand("opvalue.cli.regrade", "Grade an archived run again, as of a given time.", _GRADE),
    "graders": LazyCommand("opvalue.cli.graders", "Grade recorded sessions, and explain each number.", _GRADE),
    "session": LazyCommand("opvalue.cli.session", "Look at recorded sessions, and make them.", _GRADE),
    "bundle": LazyCommand("opvalue.cli.bundle", "Look at recorded evidence: show, check, diff, redact.", _GRADE),
    "attestation": LazyCommand("opvalue.cli.attestation", "Sign observations; verify who signed which.", _GRADE),
    "evaluator": LazyCommand("opvalue.cli.evaluator", "Begin an evaluator, from its workflow's history.", _VERIFY),
    "verify": LazyCommand("", "Check evaluators before they grade a run.", _VERIFY),
    "rule": LazyCommand("", "Explain what `opvalue verify` looks for.", _VERIFY),
    "demo": LazyCommand("opvalue.cli.demo", "See a run regraded from end to end, in a few seconds.", _GRADE),
    "doctor": LazyCommand("opvalue.cli.doctor", "Say what this machine lacks, what that costs, how to get it.", _SETUP),
    "cache": LazyCommand("opvalue.cli.cache", "List or remove the artifacts that were downloaded.", _SETUP),
    "schema": LazyCommand("opvalue.cli.schema", "Print the JSON Schema of a document.", _SETUP),
    "completion": LazyCommand("opvalue.cli.completion", "Print the completion script of a shell.", _SETUP),
    "help": LazyCommand("opvalue.cli.help", "Explain a command, an error, exit codes, environment variables.", _SETUP),
}
_GH_AW_EXAMPLES: Final = (
    "gh-aw graders operational-value 123456 --evidence-at 2025-08-30T12:00:00Z --repo acme/widgets",
    "gh-aw graders run 123456 --repo acme/widgets",
)


def program(name: str) -> LazyGroup:
    """Return the top-level group of the program ``name``: ``opvalue`` or ``gh-aw``."""
    return _gh_aw() if name == "gh-aw" else _opvalue()


def _opvalue() -> LazyGroup:
    return color_option(
        LazyGroup(
            "opvalue",
            lazy=_COMMANDS,
            params=[version_option("opvalue", __version__)],
            help="Say what a run of a GitHub Agentic Workflow was worth, and prove it.",
            examples=(
                "opvalue demo",
                "opvalue regrade 123456 --evidence-at maturity",
                "opvalue help exit-codes",
            ),
        )
    )


def _gh_aw() -> LazyGroup:
    return color_option(
        LazyGroup(
            "gh-aw",
            lazy={"graders": LazyCommand("opvalue.cli.programs", "Grade workflow runs.", "Commands", "graders")},
            unknown=_refuse,
            params=[version_option("gh-aw", f"(opvalue) {__version__}")],
            help="gh-aw's commands that grade runs, by opvalue. Its other commands are not part of this tool.",
            examples=_GH_AW_EXAMPLES,
        )
    )


def _refuse(ctx: click.Context, name: str) -> NotPartOfThisTool:
    return NotPartOfThisTool(
        f"{ctx.command_path} {name} is not part of this tool",
        expected="gh-aw graders operational-value | gh-aw graders run",
        found=f"{ctx.command_path} {name}",
    )


graders: Final = LazyGroup(
    "graders",
    lazy={
        "operational-value": LazyCommand(
            "opvalue.cli.operational_value", "Regrade a run's operational value as of a given time.", "Commands"
        ),
        "run": LazyCommand("opvalue.cli.gh_aw_run", "Grade a recorded session, or a run's.", "Commands"),
    },
    unknown=_refuse,
    help="Grade workflow runs.",
    examples=_GH_AW_EXAMPLES,
)
