"""One repository under several names: by its number online, never by likeness (DESIGN 4.8); what the archive lacks."""

import json

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.identity import Instant, Repository, RunRef
from opvalue.regrade import Regraded
from tests.online.stage import RUN_ID, Stage
from tests.support.told import DEFINITION, Told, changed

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

OLD = "old-owner/Old.Name"


def refusal(stage: Stage, *args: str, **changes: object) -> OpvalueError:
    with pytest.raises(OpvalueError) as caught:
        stage.regrade(*args, **changes)  # type: ignore[arg-type]
    return caught.value


def details(regraded: Regraded) -> dict[str, str]:
    return {check.name: check.detail for check in regraded.checks}


@pytest.fixture
def renamed(stage: Stage) -> Stage:
    """Give a repository that was once called otherwise."""
    stage.repository.former_names.append(OLD)
    return stage


# The archive's side


@pytest.mark.parametrize("name", [OLD, OLD.lower(), OLD.upper()])
def test_the_archive_is_of_the_former_name(renamed: Stage, name: str) -> None:
    renamed.record(repository=name)
    renamed.upload()
    found = details(renamed.regrade())
    assert (
        found["run.repository"] == f"GitHub's record agrees: repository {name}, a former name of acme/widgets (id 42)"
    )
    assert "a former name of acme/widgets by GitHub's record (id 42)" in found["archive.repository"]


@pytest.mark.parametrize("name", ["acme/WIDGETS", "Acme/Widgets"])
def test_letter_case_is_no_other_name(stage: Stage, name: str) -> None:
    stage.record(repository=name)
    stage.upload()
    assert details(stage.regrade())["run.repository"] == "GitHub's record agrees: repository acme/widgets (id 42)"
    assert stage.asked().count("/repos/acme/widgets") == 0, "nothing had to be looked up"


def test_the_archive_is_of_another_repository(stage: Stage) -> None:
    stage.sim.repository("mallory/widgets", number=43)
    stage.record(repository="mallory/widgets")
    stage.upload()
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.recorded-repository", 5)
    assert (error.expected, error.found) == ("acme/widgets (id 42)", "mallory/widgets (id 43)")


def test_a_real_difference_is_refused_whatever_the_caller_says(stage: Stage) -> None:
    stage.sim.repository("mallory/widgets", number=43)
    stage.record(repository="mallory/widgets")
    stage.upload()
    error = refusal(stage, renamed_from=("mallory/widgets",))
    assert (error.code, error.kind.exit_status) == ("regrade.renamed-from", 5)
    assert error.found == "mallory/widgets (id 43)"


@pytest.mark.parametrize("name", ["gone/name", "", "no slash", "a/b/c"])
def test_the_archive_is_of_a_name_that_nothing_has(stage: Stage, name: str) -> None:
    stage.record(repository=name)
    stage.upload()
    error = refusal(stage)
    assert error.code == "github.recorded-repository"
    assert error.found == (name or "none")


def test_a_name_that_nothing_has_any_more_may_be_vouched_for(stage: Stage) -> None:
    stage.record(repository="gone/name")
    stage.upload()
    found = details(stage.regrade(renamed_from=("Gone/Name",)))
    assert found["run.repository"] == "repository gone/name, a former name vouched for with --renamed-from"
    assert found["archive.repository"].endswith("vouched for with --renamed-from")


# The definition's side


@pytest.fixture
def defined(teller: Told, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Give a run whose evaluator says another repository's name."""
    teller.reset()
    stage = Stage(teller.world.sharing(tmp_path_factory.mktemp("defined")))
    stage.upload()
    return stage


@pytest.fixture(scope="module")
def teller(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("told"))


def test_the_definition_is_of_the_former_name(defined: Stage, teller: Told) -> None:
    teller.define(changed(DEFINITION, repository=OLD))
    assert refusal(defined).code == "regrade.definition-repository"
    defined.repository.former_names.append(OLD)
    assert (
        "a former name of acme/widgets by GitHub's record (id 42)" in details(defined.regrade())["evaluator.definition"]
    )


@pytest.mark.parametrize("vouched", [False, True])
def test_the_definition_is_of_another_repository(defined: Stage, teller: Told, *, vouched: bool) -> None:
    defined.sim.repository("mallory/widgets", number=43)
    teller.define(changed(DEFINITION, repository="mallory/widgets"))
    error = refusal(defined, renamed_from=("mallory/widgets",) if vouched else ())
    assert (error.code, error.kind.exit_status) == (
        "regrade.renamed-from" if vouched else "regrade.definition-repository",
        5,
    )
    assert (error.found or "").startswith("mallory/widgets")


def test_the_definitions_name_is_gone(defined: Stage, teller: Told) -> None:
    teller.define(changed(DEFINITION, repository="gone/name"))
    assert refusal(defined).code == "regrade.definition-repository"
    found = details(defined.regrade(renamed_from=("gone/name",)))
    assert "vouched for with --renamed-from" in found["evaluator.definition"]


# The requested side


@pytest.mark.parametrize("name", [OLD, OLD.lower()])
def test_the_former_name_is_asked_for(renamed: Stage, name: str) -> None:
    renamed.world.repository("remote", "set-url", "origin", f"https://github.com/{OLD}.git")
    try:
        renamed.upload()
        found = details(renamed.regrade(repository=Repository.parse(name)))
    finally:
        renamed.world.repository("remote", "set-url", "origin", "https://github.com/acme/widgets.git")
    assert found["run.repository"] == "GitHub's record agrees: repository acme/widgets (id 42)"
    assert "a former name of acme/widgets" in found["archive.repository"]


def test_the_checkout_is_of_today_and_the_request_of_yesterday(renamed: Stage) -> None:
    renamed.upload()
    error = refusal(renamed, repository=Repository.parse(OLD))
    assert error.code.startswith("checkout.")
    assert renamed.sim.requests == []


@pytest.mark.parametrize("name", ["old owner/x", "../..", "a/\x1b[31m"])
def test_a_name_from_the_server_that_none_can_have(renamed: Stage, name: str) -> None:
    renamed.upload()
    repository = {"id": 42, "full_name": name}
    said = {"repository": repository, "head_repository": repository, "full_name": name}
    renamed.sim.edit("/repos/acme/widgets", lambda answer: answer if "artifacts" in answer else {**answer, **said})
    error = refusal(renamed)
    assert (error.code, error.kind.exit_status) == ("github.answer-malformed", 9)
    assert "\x1b" not in error.diagnostics()


@pytest.mark.parametrize("name", ["ACME/widgets", "acme/Widgets"])
def test_the_request_may_be_in_other_letters(stage: Stage, name: str) -> None:
    stage.upload()
    assert stage.regrade(repository=Repository.parse(name)).statement == stage.regrade().statement


def test_the_run_is_another_repositorys(stage: Stage) -> None:
    other = stage.sim.repository("acme/gadgets", number=43)
    stage.sim.edit(
        "/runs/123456", lambda answer: {**answer, "repository": {"id": other.id, "full_name": "acme/gadgets"}}
    )
    stage.upload()
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.wrong-repository", 5)
    assert (error.expected, error.found) == ("acme/widgets (id 42)", "acme/gadgets (id 43)")


# The run


@pytest.mark.parametrize("status", ["queued", "in_progress", "waiting", "requested", "pending"])
def test_a_run_that_goes_on_is_not_regraded(stage: Stage, status: str) -> None:
    stage.run.status, stage.run.conclusion = status, None
    stage.upload()
    error = refusal(stage)
    assert (error.code, error.kind, error.kind.exit_status) == ("github.run-not-completed", Kind.NOTHING, 3)
    assert (error.expected, error.found) == ("completed", f"status {status}")
    assert len(stage.asked()) == 1


@pytest.mark.parametrize("conclusion", ["success", "failure", "cancelled", "timed_out", None])
def test_however_it_concluded(stage: Stage, conclusion: str | None) -> None:
    stage.run.conclusion = conclusion
    stage.upload()
    assert conclusion or "without a conclusion" in details(stage.regrade())["run.status"]


def test_a_missing_creation_time_is_the_apis_for_bounds_alone(defined: Stage, teller: Told) -> None:
    defined.record(createdAt=None)
    defined.run.artifacts.clear()
    defined.upload()
    regraded = defined.regrade()
    assert json.loads(regraded.to_json())["results"][0]["observation"]["subject"]["createdAt"] is None
    found = details(regraded)
    assert (
        found["run.created-at"] == "the archive records no creation time; bounds use GitHub's 2026-08-20T10:00:00.000Z"
    )
    assert teller.request["run"]["createdAt"] is None
    error = refusal(defined, "2026-08-20T09:59:59.999Z")
    assert (error.code, error.expected) == ("regrade.evidence-before-run", "at or after 2026-08-20T10:00:00.000Z")


@pytest.mark.parametrize("created", ["2026-08-20T10:00:00.001Z", "2026-08-20T09:59:59Z"])
def test_another_creation_time_is_refused(stage: Stage, created: str) -> None:
    stage.record(createdAt=created)
    stage.upload()
    error = refusal(stage)
    assert (error.code, error.found) == ("github.recorded-created-at", created)


def test_another_run_in_the_archive_is_refused(stage: Stage) -> None:
    stage.world.results["run"]["id"] = "99"
    stage.record(runId="99")
    stage.upload()
    error = refusal(stage)
    assert (error.code, error.expected, error.found) == ("trust.run-mismatch", str(RUN_ID), "99")


def test_a_later_evidence_time_than_now_and_a_misspelt_one(stage: Stage) -> None:
    stage.upload()
    assert refusal(stage, "2026-10-01T00:00:00.001Z").code == "regrade.evidence-in-future"
    before = len(stage.sim.requests)
    assert refusal(stage, "yesterday").code == "instant.refused"
    assert len(stage.sim.requests) == before, "refused before anything was asked"
    assert stage.regrade("maturity", now=Instant.parse("2026-10-01T00:00:00Z")).mature


def test_an_unknown_run(stage: Stage) -> None:
    error = refusal(stage, run=RunRef("77"))
    assert (error.code, error.kind.exit_status) == ("github.not-found", 6)


@pytest.mark.parametrize("name", ["mallory.example/acme/widgets", f"mallory.example/{OLD}"])
def test_the_archive_is_of_a_like_name_on_another_host(renamed: Stage, name: str) -> None:
    renamed.record(repository=name)
    renamed.upload()
    error = refusal(renamed)
    assert (error.code, error.found) == ("github.recorded-repository", name)
