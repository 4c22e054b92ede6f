"""``opvalue rule``: what the verifier looks for, and why. Comes in by the entry point ``opvalue.commands``."""

from collections.abc import Iterable
from inspect import cleandoc
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import LazyCommand, LazyGroup, color_option, declare, json_option
from opvalue.cli.console import Console, Style, Styled

_PROFILE: Final = 8
_WRITTEN: Final = 120
"""Columns that the explanations are written for."""

if TYPE_CHECKING:
    from verifier.errors import UnknownRule
    from verifier.rule import Rule


def _show(_ctx: click.Context, _rule_id: str) -> click.Command:
    return show_command


command: Final = color_option(
    LazyGroup(
        "rule",
        lazy={
            "list": LazyCommand(
                "verifier.rules_command", "List the rules of each profile.", "Commands", "list_command"
            ),
            "show": LazyCommand("verifier.rules_command", "Explain a rule.", "Commands", "show_command"),
        },
        otherwise=_show,
        help="Explain what `opvalue verify` looks for. `opvalue rule ID` is short for `opvalue rule show ID`.",
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
        name, profile = Styled(rule.id.ljust(width), Style.BOLD), f"  {rule.profile.name.lower():<{_PROFILE}}  "
        console.line(name, profile, rule.title, hang=width + len(profile))


@declare("show", examples=("opvalue rule show static-swallowed-failure",))
@click.argument("rule_id", metavar="ID")
@json_option
def show_command(console: Console, rule_id: str) -> None:
    """Explain the rule ID: what is wrong, why it matters, what to do instead."""
    from verifier.registry import ids, rule  # noqa: PLC0415 - nothing is loaded for --help

    if rule_id not in ids():
        raise _unknown(rule_id, ids())
    found = rule(rule_id)
    if console.json:
        console.data({**_row(found), "explanation": cleandoc(found.explanation)})
        return
    console.line(Styled(found.id, Style.BOLD), f"  {found.title}", hang=2)
    console.line(Styled(f"{found.severity.value}, profile {found.profile.name.lower()} and above", Style.DIM))
    console.line()
    rows = cleandoc(found.explanation).split("\n")
    for row in rows if console.columns is None or console.columns >= _WRITTEN else _paragraphs(rows):
        console.line(row, hang=2 if row.startswith("- ") else 0)


def _unknown(rule_id: str, known: Iterable[str]) -> "UnknownRule":
    from opvalue.cli.nearby import did_you_mean  # noqa: PLC0415 - only for whoever mistyped an id
    from verifier.errors import UnknownRule  # noqa: PLC0415

    names = (*known, *command.lazy)
    return UnknownRule(
        f"there is no rule {rule_id!r}",
        expected="an id that `opvalue rule list` shows",
        found=rule_id,
        hint=did_you_mean(rule_id, names, command="opvalue rule", otherwise=UnknownRule.advice),
    )


def _paragraphs(rows: Iterable[str]) -> list[str]:
    """Return each paragraph and each point as one row, to be folded anew."""
    joined: list[str] = []
    for row in rows:
        if not joined or not row or not joined[-1] or row.startswith(("- ", "    ")):
            joined.append(row)
        else:
            joined[-1] += f" {row.strip()}"
    return joined


def _row(rule: "Rule") -> dict[str, str]:
    return {
        "id": rule.id,
        "profile": rule.profile.name.lower(),
        "severity": rule.severity.value,
        "title": rule.title,
        "link": rule.link,
    }
