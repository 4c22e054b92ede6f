"""Write docs/rules.md from the verifier's rules: each with its severity, its profile and its explanation.

Run through ``make docs``. A test compares the file with what this would write.
"""

from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

from verifier.registry import rules
from verifier.rule import Contract, Rule

TARGET = Path(__file__).parent.parent / "docs" / "rules.md"


def document() -> str:
    """Return the whole text."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# What `opvalue verify` looks for\n"
    yield "Written by `make docs` from the rules themselves; change a rule's docstring, not this page.\n"
    yield (
        "An *error* means that regrading would be wrong or impossible, a *warning* that the script works here and now "
        "and will not somewhere or some day; a *note* is worth a look. What a rule is not sure of is a note.\n"
    )
    for rule in rules():
        yield from _rule(rule)


def _rule(rule: Rule) -> Iterator[str]:
    yield f"## {rule.id}\n"
    yield f"At worst {_article(rule)}; from the {rule.profile.name.lower()} profile on{_of(rule)}.\n"
    yield f"{cleandoc(rule.explanation).replace('``', '`').strip()}\n"


def _article(rule: Rule) -> str:
    return f"{'an' if rule.severity.value == 'error' else 'a'} {rule.severity.value}"


def _of(rule: Rule) -> str:
    return "" if Contract.SCHEMA_4 in rule.contracts else "; for `--contract session` alone"


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
