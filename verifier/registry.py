"""The rules in the order of the documentation, each loaded with its module."""

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from verifier.errors import UnknownRule
from verifier.rule import Contract, Profile, Rule

MODULES: Final = (
    "script_form",
    "syntax",
    "contract_definition",
    "contract_baseline",
    "contract_placeholders",
    "repository_registration",
    "repository_adoption",
    "repository_permissions",
    "static_analysable",
    "static_sourced",
    "static_strict_mode",
    "static_swallowed_failure",
    "static_current_state",
    "static_date_fractions",
    "static_prefix_match",
    "static_unpaginated",
    "static_large_argument",
    "static_search_incomplete",
    "static_other_network",
    "static_gh_other",
    "static_other_gh",
    "static_gh_aw",
    "static_credentials",
    "static_dynamic",
    "static_writes",
    "static_job_files",
    "static_bash32",
    "static_gnu_only",
    "jq_compiles",
    "jq_arguments",
    "jq_newer",
    "metric_examples",
    "metric_missing",
    "metric_deterministic",
    "metric_odd_evidence",
    "grade_run_shape",
    "grade_run_cutoff",
    "grade_run_maturity",
    "grade_run_replay",
    "grade_run_created_at",
    "grade_run_provenance",
    "grade_run_not_null_for_being_immature",
    "grade_run_verification_flag",
    "grade_run_same_elsewhere",
    "grade_run_leaves_nothing",
    "missing_is_not_zero",
    "with_evidence",
    "no_look_ahead",
    "cases",
    "unreached_lines",
    "session_contract",
)
"""File names of ``verifier.rules``, without the suffix. A rule's id is its file's name with hyphens."""
NOT_QUICK: Final = frozenset(
    {
        "repository_registration",
        "repository_adoption",
        "repository_permissions",
        "jq_compiles",
        "jq_arguments",
        "jq_newer",
        "metric_examples",
        "metric_missing",
        "metric_deterministic",
        "metric_odd_evidence",
        "grade_run_shape",
        "grade_run_cutoff",
        "grade_run_maturity",
        "grade_run_replay",
        "grade_run_created_at",
        "grade_run_provenance",
        "grade_run_not_null_for_being_immature",
        "grade_run_verification_flag",
        "grade_run_same_elsewhere",
        "grade_run_leaves_nothing",
        "missing_is_not_zero",
        "with_evidence",
        "no_look_ahead",
        "cases",
        "unreached_lines",
    }
)
"""Those of later profiles, which the quick one does not even load."""


_SESSION_ONLY: Final = frozenset({"session_contract"})
_STATIC: Final = "static_"


def rules() -> Iterator[Rule]:
    """Yield every rule."""
    for name in MODULES:
        yield _load(name)


def rules_of(profile: Profile, contract: Contract, *, static: bool | None = None) -> Iterator[Rule]:
    """Yield the rules that a profile has for a contract: only those that read the text, only the others, or all."""
    names = (name for name in MODULES if profile is not Profile.QUICK or name not in NOT_QUICK)
    spoken = (name for name in names if contract is Contract.SESSION or name not in _SESSION_ONLY)
    wanted = (name for name in spoken if static in {None, name.startswith(_STATIC)})
    return (rule for rule in map(_load, wanted) if rule.profile <= profile and contract in rule.contracts)


def ids() -> tuple[str, ...]:
    """Return all ids, without loading a rule."""
    return tuple(name.replace("_", "-") for name in MODULES)


def rule(rule_id: str) -> Rule:
    """Return a rule by its id. Raises ``UnknownRule``."""
    if rule_id not in ids():
        raise UnknownRule(
            f"there is no rule {rule_id!r}", expected="an id that `opvalue rule list` shows", found=rule_id
        )
    return _load(rule_id.replace("-", "_"))


def _load(name: str) -> Rule:
    found = import_module(f"verifier.rules.{name}").RULE
    if not isinstance(found, Rule):
        raise TypeError(f"verifier.rules.{name}.RULE is no rule")
    return found
