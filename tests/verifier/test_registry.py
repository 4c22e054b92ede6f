"""The lists of rules."""

from verifier.registry import MODULES, NOT_QUICK, rule, rules, rules_of
from verifier.rule import Contract, Profile


def test_what_the_quick_profile_does_not_load_is_what_it_does_not_check() -> None:
    later = {one.id for one in rules() if one.profile is not Profile.QUICK}
    assert later == {name.replace("_", "-") for name in NOT_QUICK}
    quick = {one.id for one in rules_of(Profile.QUICK, Contract.SCHEMA_4)}
    assert quick == {one.id for one in rules() if one.id not in later and Contract.SCHEMA_4 in one.contracts}


def test_a_rule_s_id_is_its_file_s_name() -> None:
    assert [rule(name.replace("_", "-")).id.replace("-", "_") for name in MODULES] == list(MODULES)
