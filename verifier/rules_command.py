"""``opvalue rule``: what the verifier looks for, and why. Comes in by the entry point ``opvalue.commands``."""

from inspect import cleandoc
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import LazyCommand, LazyGroup, color_option, declare, json_option
from opvalue.cli.console import Console, Style, Styled

if TYPE_CHECKING:
    from verifier.rule import Rule

command: Final = color_option(
    LazyGroup(
        "rule",
        lazy={
            "list": LazyCommand(
                "verifier.rules_command", "List the rules of each profile.", "Commands", "list_command"
            ),
            "show": LazyCommand("verifier.rules_command", "Explain a rule.", "Commands", "show_command"),
        },
        help="Explain what `opvalue verify` looks for.",
        examples=("opvalue rule list", "opvalue rule show static-swallowed-failure"),
    )
)


@declare("list", examples=("opvalue rule list", "opvalue rule list --json"))
@json_option
def list_command(console: Console) -> None:
    """List every rule with the first profile that has it."""
    from verifier.registry import rules  # noqa: PLC0415 - nothing is loaded for --help

    every = tuple(rules())
    if console.json:
        console.data({"rules": [_row(rule) for rule in every]})
        return
    width = max((len(rule.id) for rule in every), default=0)
    for rule in every:
        console.line(Styled(rule.id.ljust(width), Style.BOLD), f"  {rule.profile.name.lower():<8}  {rule.title}")


@declare("show", examples=("opvalue rule show static-swallowed-failure",))
@click.argument("rule_id", metavar="ID")
@json_option
def show_command(console: Console, rule_id: str) -> None:
    """Explain the rule ID: what is wrong, why it matters, what to do instead."""
    from verifier.registry import rule  # noqa: PLC0415 - nothing is loaded for --help

    found = rule(rule_id)
    if console.json:
        console.data({**_row(found), "explanation": cleandoc(found.explanation)})
        return
    console.line(Styled(found.id, Style.BOLD), f"  {found.title}")
    console.line(Styled(f"{found.severity.value}, profile {found.profile.name.lower()} and above", Style.DIM))
    console.line()
    console.lines(cleandoc(found.explanation).split("\n"))


def _row(rule: "Rule") -> dict[str, str]:
    return {
        "id": rule.id,
        "profile": rule.profile.name.lower(),
        "severity": rule.severity.value,
        "title": rule.title,
        "link": rule.link,
    }
