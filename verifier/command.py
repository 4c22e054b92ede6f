"""``opvalue verify``: check evaluators before they grade a run. Comes in by the entry point ``opvalue.commands``."""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from opvalue.cli.command import declare
from opvalue.cli.console import Console
from opvalue.cli.paths import OUTPUT, PATH
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.evaluator import Runner
    from opvalue.identity import RepoPath
    from opvalue.strictjson import JsonObject
    from verifier.report import Report
    from verifier.repository import RepositoryView

FOUND: Final = 10
"""The exit status when verification fails (DESIGN 4)."""
_EXAMPLES: Final = (
    "opvalue verify .github/graders/triage-operational-value.sh",
    "opvalue verify --quick --format annotations .github/graders/*.sh",
    "opvalue verify --thorough --cases tests/cases --format sarif --output findings.sarif evaluator.sh",
)


@declare("verify", examples=_EXAMPLES)
@click.argument("paths", metavar="SCRIPT...", nargs=-1, required=True, type=PATH)
@click.option("--checkout", type=PATH, metavar="DIR", help="The repository's root, for what concerns its history.")
@click.option("--quick", "profile", flag_value="quick", help="Read the script and its definition: under a second.")
@click.option("--thorough", "profile", flag_value="thorough", help="Every check there is.")
@click.option(
    "--contract", type=click.Choice(["schema-4", "session"]), default="schema-4", help="The contract it speaks."
)
@click.option("--config", type=PATH, metavar="FILE", help="The grader's config: JSON, YAML, or the workflow's .md.")
@click.option("--cases", type=PATH, metavar="DIR", help="Cases of your own, one folder each.")
@click.option("--strict", is_flag=True, help="Fail for warnings as well.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "annotations"]),
    default="text",
    help="How findings are shown. Default: text.",
)
@click.option("-o", "--output", type=OUTPUT, metavar="FILE", help="Write there; an earlier report is replaced.")
@click.option("--sarif", type=OUTPUT, metavar="FILE", help="Write findings for code scanning there as well.")
@click.option("--step-summary", type=OUTPUT, metavar="FILE", help="Append a page in Markdown to this file.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--require-sandbox", is_flag=True, help="Refuse to run a script without a sandbox.")
@click.option("--no-sandbox", is_flag=True, help="Run scripts without a sandbox.")
def command(
    console: Console,
    *,
    paths: tuple[Path, ...],
    checkout: Path | None,
    profile: str | None,
    contract: str,
    config: Path | None,
    cases: Path | None,
    strict: bool,
    form: str,
    output: Path | None,
    sarif: Path | None,
    step_summary: Path | None,
    as_json: bool,
    require_sandbox: bool,
    no_sandbox: bool,
) -> int:
    """Verify evaluators against their contract and against what goes wrong with them in practice.

    Exit 0 when nothing is an error, 10 otherwise. Needs no token and no network; nothing is imported from the checkout.
    """
    if require_sandbox and no_sandbox:
        raise UsageError("--require-sandbox and --no-sandbox contradict each other")
    from opvalue.evaluator import Runner  # noqa: PLC0415 - nothing is loaded for --help

    runner = Runner(require_sandbox=require_sandbox, sandboxed=not no_sandbox)
    runner.prepare()
    wanted = _Wanted(checkout, profile or "default", contract, config, cases)
    report = _verify(console, paths, wanted, runner)
    _show(console, report, "json" if as_json else form, output)
    if sarif is not None:
        from verifier.output.files import as_bytes, replace  # noqa: PLC0415

        replace(sarif, as_bytes(report, "sarif"))
    if step_summary is not None:
        from verifier.output.files import append  # noqa: PLC0415
        from verifier.output.step_summary import step_summary as page  # noqa: PLC0415

        append(step_summary, "".join(f"{line}\n" for line in page(report)))
    return FOUND if report.counts.failed(strict=strict) else 0


class _Wanted(NamedTuple):
    """What was asked for on the command line."""

    checkout: Path | None
    profile: str
    contract: str
    config: Path | None
    cases: Path | None


def _verify(console: Console, paths: tuple[Path, ...], wanted: _Wanted, runner: "Runner") -> "Report":
    from verifier.load import load_cases, load_settings, load_subject, repository_root  # noqa: PLC0415
    from verifier.report import Report  # noqa: PLC0415
    from verifier.rule import Contract, Profile  # noqa: PLC0415
    from verifier.subject import Asked  # noqa: PLC0415
    from verifier.verify import verify  # noqa: PLC0415

    profile = Profile[wanted.profile.upper()]
    checkout = wanted.checkout
    asked = Asked(
        Contract(wanted.contract), checkout=checkout, repository=_opened(checkout), cases=load_cases(wanted.cases)
    )
    scripts = []
    with console.progress("verifying") as tell:
        for path in paths:
            subject = load_subject(path, root=checkout, asked=asked)
            root = checkout or repository_root(path.absolute())
            if profile is not Profile.QUICK:
                subject.asked = asked._replace(config=_config(wanted.config, root, subject.path))
            scripts.append(verify(subject, profile, settings=load_settings(root), runner=runner, tell=tell))
    return Report(profile, asked.contract, tuple(scripts))


def _opened(checkout: Path | None) -> "RepositoryView | None":
    if checkout is None:
        return None
    from verifier.repository import RepositoryView  # noqa: PLC0415 - loads git's reader and YAML's

    return RepositoryView(checkout)


def _config(file: Path | None, root: Path, script: "RepoPath") -> "JsonObject":
    """Return the configuration in a file, or that of the workflow in the repository that registers the script."""
    from verifier.configuration import find_config, read_config  # noqa: PLC0415 - loads the reader of YAML

    return find_config(root, script) if file is None else read_config(file)


def _show(console: Console, report: "Report", form: str, output: Path | None) -> None:
    if form == "text" and output is None:
        from verifier.output.text import lines  # noqa: PLC0415

        console.lines(lines(report, console.columns))
        return
    from verifier.output.files import as_bytes, replace  # noqa: PLC0415

    data = as_bytes(report, form)
    if output is None:
        console.raw(data)
        return
    replace(output, data)
    console.note(f"wrote {output}: {report.counts.described()}")
