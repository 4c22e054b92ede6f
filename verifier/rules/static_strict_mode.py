"""The script stops at the first failure: ``set -euo pipefail``.

Without errexit a failed command is passed over and the script goes on with nothing, which then counts as zero.
Without pipefail ``gh ... | jq ...`` succeeds when ``gh`` fails. Without nounset a misspelt name is empty.

What to do: ``set -euo pipefail`` at the top. A missing nounset is a note only. A script that looks at every
failure by hand cannot be told from one that does not: give that as the reason in ``.opvalue.toml``.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Pipeline
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.status import options_of
from verifier.subject import Subject
from verifier.syntax import Syntax, syntax_of

_ADVICE: Final = "Write `set -euo pipefail` below the first line."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield at most one finding, at the first command."""
    syntax = syntax_of(subject)
    missing = _missing(syntax)
    if not syntax.calls or not missing:
        return
    low = missing == ["nounset"]
    verb = "is" if len(missing) == 1 else "are"
    yield RULE.finds(
        subject,
        f"{_listed(missing)} {verb} never turned on",
        _ADVICE,
        at=_first(syntax),
        confidence=Confidence.LOW if low else Confidence.HIGH,
    )


def _missing(syntax: Syntax) -> list[str]:
    options = options_of(syntax)
    piped = any(isinstance(site.command, Pipeline) for site in syntax.sites)
    wanted = ("errexit", "nounset", "pipefail") if piped else ("errexit", "nounset")
    return [option for option in wanted if option not in options]


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _first(syntax: Syntax) -> tuple[str, int, int]:
    """Return where options are set, or else the first command."""
    calls = [call for call in syntax.calls if call.site.file is syntax.bodies[0][0]] or list(syntax.calls)
    setting = [call for call in calls if call.name == "set"]
    return (setting or calls)[0].at


RULE: Final = Rule(
    "static-strict-mode",
    "failures stop the script: set -euo pipefail",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
