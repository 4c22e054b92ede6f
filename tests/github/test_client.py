"""Runs, attempts and repositories, asked of the made-up server without sockets."""

import pytest

from opvalue.errors import Kind
from opvalue.github import GitHub, RepositoryFacts, WorkflowFacts, errors
from opvalue.http import Forbidden, NetworkFailed, RateLimited, SecondaryLimited, ServerFailed, Unauthorized
from opvalue.identity import Host, Instant, Repository
from tests.github.samples import ACME_WIDGETS, FACTS, TOKEN, WIDGETS, github
from tests.sim import Fault, FaultKind, Reply, Sim, SimClient, SimRepository, primary_limit, secondary_limit


@pytest.fixture
def sim() -> Sim:
    made = Sim()
    made.token(TOKEN)
    return made


@pytest.fixture
def widgets(sim: Sim) -> SimRepository:
    return sim.repository("acme/widgets", number=42)


class TestRun:
    def test_every_fact_of_a_run(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets, attempt=2, conclusion="failure")
        assert github(sim).run(WIDGETS, "123") == FACTS
        assert sim.paths() == ["/repos/acme/widgets/actions/runs/123"]

    def test_optional_facts(self, sim: Sim, widgets: SimRepository) -> None:
        called = {"path": "acme/shared/.github/workflows/triage.yml@main", "sha": "a" * 40, "ref": "refs/heads/main"}
        sim.run(
            widgets,
            event="pull_request",
            pull_request=7,
            head_branch=None,
            path=".github/workflows/x.lock.yml@refs/heads/main",
            referenced_workflows=[called],
            head_repository_gone=True,
            conclusion=None,
            status="in_progress",
        )
        facts = github(sim).run(WIDGETS, "123")
        assert facts.pull_requests == (7,)
        assert facts.head_branch is None
        assert facts.workflow_path == ".github/workflows/x.lock.yml"
        assert facts.called_workflows == ("acme/shared/.github/workflows/triage.yml@main",)
        assert facts.head_repository is None
        assert facts.is_fork
        assert (facts.status, facts.conclusion) == ("in_progress", None)

    @pytest.mark.parametrize("field", ["run_started_at", "referenced_workflows", "name", "run_attempt"])
    def test_a_server_of_old_may_lack_fields(self, sim: Sim, widgets: SimRepository, field: str) -> None:
        sim.run(widgets)
        sim.edit("/runs/123", lambda run: {key: value for key, value in run.items() if key != field})
        facts = github(sim).run(WIDGETS, "123")
        assert (facts.id, facts.attempt) == ("123", 1)

    def test_a_fork_is_told_by_its_number(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets, head_repository=SimRepository("mallory/widgets", 43, fork=True))
        facts = github(sim).run(WIDGETS, "123")
        assert facts.head_repository == RepositoryFacts(43, "mallory/widgets")
        assert facts.is_fork

    def test_an_attempt_by_number(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets, attempt=3, earlier={2: {"conclusion": "cancelled", "run_started_at": "2026-08-23T13:00:00Z"}})
        facts = github(sim).run(WIDGETS, "123", 2)
        assert (facts.attempt, facts.conclusion) == (2, "cancelled")
        assert facts.run_started_at == Instant.parse("2026-08-23T13:00:00Z")
        assert sim.paths() == ["/repos/acme/widgets/actions/runs/123/attempts/2"]

    def test_an_attempt_that_is_not_there(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets, attempt=2)
        with pytest.raises(errors.AttemptNotFound) as refused:
            github(sim).run(WIDGETS, "123", 3)
        assert (refused.value.code, refused.value.kind) == ("github.attempt-not-found", Kind.USAGE)
        assert (refused.value.expected, refused.value.found) == ("1 to 2", "3")

    def test_an_attempt_that_was_deleted_is_not_found(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets, attempt=2)
        sim.answer("/attempts/", Reply.problem(404, "Not Found"))
        with pytest.raises(errors.NotFound, match="attempt 1 of run 123"):
            github(sim).run(WIDGETS, "123", 1)

    def test_an_attempt_of_a_run_that_is_not_there(self, sim: Sim, widgets: SimRepository) -> None:
        assert widgets.runs == {}
        with pytest.raises(errors.NotFound, match="does not show run 123 of acme/widgets"):
            github(sim).run(WIDGETS, "123", 1)

    @pytest.mark.parametrize(("field", "value"), [("id", 124), ("run_attempt", 1)])
    def test_an_answer_about_another_run_is_refused(
        self, sim: Sim, widgets: SimRepository, field: str, value: int
    ) -> None:
        sim.run(widgets, attempt=2)
        sim.edit("/attempts/2", lambda run: {**run, field: value})
        with pytest.raises(errors.AnswerMalformed, match="answered for another run") as refused:
            github(sim).run(WIDGETS, "123", 2)
        assert refused.value.expected == "attempt 2 of run 123 of acme/widgets"


class TestNames:
    def test_a_rename_is_followed_and_the_number_compared(self, sim: Sim, widgets: SimRepository) -> None:
        widgets.former_names.append("acme/gizmos")
        sim.run(widgets)
        facts = github(sim).run(Repository.parse("acme/gizmos"), "123")
        assert facts.repository == ACME_WIDGETS
        assert sim.paths() == [
            "/repos/acme/gizmos/actions/runs/123",
            "/repositories/42/actions/runs/123",
            "/repos/acme/gizmos",
            "/repositories/42",
        ]

    def test_letter_case_costs_no_further_read(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets)
        assert github(sim).run(Repository.parse("Acme/WIDGETS"), "123").repository == ACME_WIDGETS
        assert len(sim.requests) == 1

    def test_a_run_of_another_repository_is_refused(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets)
        sim.edit("/runs/123", lambda run: {**run, "repository": {"id": 77, "full_name": "acme/gadgets"}})
        with pytest.raises(errors.WrongRepository) as refused:
            github(sim).run(WIDGETS, "123")
        assert (refused.value.code, refused.value.kind) == ("github.wrong-repository", Kind.REFUSED)
        assert (refused.value.expected, refused.value.found) == ("acme/widgets (id 42)", "acme/gadgets (id 77)")

    def test_the_repository_of_a_former_name(self, sim: Sim, widgets: SimRepository) -> None:
        widgets.former_names.append("old/name")
        assert github(sim).repository(Repository.parse("OLD/name")) == ACME_WIDGETS

    @pytest.mark.parametrize("named", ["700", "issue-triage.lock.yml"])
    def test_a_workflow_by_number_or_file(self, sim: Sim, widgets: SimRepository, named: str) -> None:
        sim.run(widgets)
        path = ".github/workflows/issue-triage.lock.yml"
        assert github(sim).workflow(WIDGETS, named) == WorkflowFacts(700, "Issue triage", path, "active")
        assert sim.requests[-1].path == f"/repos/acme/widgets/actions/workflows/{named}"

    @pytest.mark.parametrize("named", ["701", "other.lock.yml", "../runs/123", "a b?c#d"])
    def test_a_workflow_that_is_not_there(self, sim: Sim, widgets: SimRepository, named: str) -> None:
        sim.run(widgets)
        with pytest.raises(errors.NotFound):
            github(sim).workflow(WIDGETS, named)

    @pytest.mark.parametrize("root", [None, "https://ghe.example.com/api/v3/"])
    def test_an_enterprise_server_has_its_own_root(self, sim: Sim, widgets: SimRepository, root: str | None) -> None:
        sim.run(widgets)
        host = Host("ghe.example.com")
        client = SimClient(sim, {"PATH": "", "GH_TOKEN": "cloud", "GH_ENTERPRISE_TOKEN": TOKEN}, host=host)
        assert GitHub(client, host, api_url=root).run(Repository(host, "acme", "widgets"), "123").id == "123"
        asked = sim.requests[-1]
        assert f"{asked.origin}{asked.path}" == "https://ghe.example.com/api/v3/repos/acme/widgets/actions/runs/123"
        assert sim.tokens_seen() == {"https://ghe.example.com": {f"Bearer {TOKEN}"}}


class TestNotFound:
    def test_with_a_token_the_causes_come_in_order(self, sim: Sim) -> None:
        with pytest.raises(errors.NotFound) as refused:
            github(sim).run(WIDGETS, "123")
        error = refused.value
        assert (error.code, error.kind) == ("github.not-found", Kind.ARTIFACT)
        assert error.message == "github.com does not show run 123 of acme/widgets"
        assert error.expected == "one that may be read, of the right run, and not deleted"
        assert error.found == "status 404; a token was sent, from GH_TOKEN"
        assert error.hint.index("may the token") < error.hint.index("right one") < error.hint.index("deleted")
        assert TOKEN not in error.diagnostics()

    def test_without_a_token_it_says_what_was_looked_for(self, sim: Sim, widgets: SimRepository) -> None:
        widgets.private = True
        sim.run(widgets)
        with pytest.raises(errors.NotFoundWithoutToken) as refused:
            github(sim, None).run(WIDGETS, "123")
        error = refused.value
        assert (error.code, error.kind) == ("github.not-found-without-token", Kind.CREDENTIALS)
        assert error.found == (
            "status 404; no token was sent: looked for GH_TOKEN, GITHUB_TOKEN, gh auth token --hostname github.com"
        )

    def test_a_token_without_access_is_told_as_not_found(self, sim: Sim, widgets: SimRepository) -> None:
        widgets.private = True
        sim.run(widgets)
        sim.token(TOKEN, repositories=frozenset({"acme/other"}))
        with pytest.raises(errors.NotFound):
            github(sim).artifacts(WIDGETS, "123")

    def test_an_attempt_without_a_token(self, sim: Sim) -> None:
        with pytest.raises(errors.NotFoundWithoutToken):
            github(sim, None).run(WIDGETS, "123", 1)


class TestOtherAnswers:
    def test_a_token_nobody_knows(self, sim: Sim, widgets: SimRepository) -> None:
        sim.run(widgets)
        with pytest.raises(Unauthorized):
            github(sim, "other").run(WIDGETS, "123")

    def test_a_denied_read(self, sim: Sim, widgets: SimRepository) -> None:
        widgets.private = True
        sim.run(widgets)
        sim.token(TOKEN, actions=False)
        with pytest.raises(Forbidden) as refused:
            github(sim).run(WIDGETS, "123")
        assert refused.value.kind is Kind.CREDENTIALS

    @pytest.mark.parametrize(
        ("reply", "error"),
        [
            (primary_limit(1_790_000_000), RateLimited),
            (secondary_limit("60"), SecondaryLimited),
            (secondary_limit(status=429), SecondaryLimited),
            (Reply.problem(502, "Server Error"), ServerFailed),
        ],
    )
    def test_limits_and_failures_are_not_denials(
        self, sim: Sim, widgets: SimRepository, reply: Reply, error: type[Exception]
    ) -> None:
        sim.run(widgets)
        sim.faults[1] = reply
        with pytest.raises(error):
            github(sim).run(WIDGETS, "123")

    @pytest.mark.parametrize("kind", [FaultKind.REFUSED, FaultKind.RESET, FaultKind.CUT])
    def test_a_fault_of_the_connection(self, sim: Sim, widgets: SimRepository, kind: FaultKind) -> None:
        sim.run(widgets)
        sim.faults[1] = Fault(kind)
        with pytest.raises(NetworkFailed):
            github(sim).run(WIDGETS, "123")
        assert github(sim).run(WIDGETS, "123").id == "123"

    @pytest.mark.parametrize("status", [204, 304, 400, 410, 422, 451])
    def test_a_status_without_a_meaning(self, sim: Sim, widgets: SimRepository, status: int) -> None:
        sim.run(widgets)
        sim.answer("/runs/123", Reply.problem(status, "what?"))
        with pytest.raises(errors.UnexpectedStatus) as refused:
            github(sim).run(WIDGETS, "123")
        assert (refused.value.code, refused.value.kind) == ("github.unexpected-status", Kind.NOT_OBSERVED)
        assert refused.value.found == f"status {status}"
