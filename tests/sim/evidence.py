"""What evaluators look at in a repository, as plain data a test may change: issues, pulls, files, checks, discussions.

``gathered`` fills a repository with a little of everything. How it is answered: ``evidence_answers``, ``evidence_api``.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.sim.sim import Sim
    from tests.sim.world import SimRepository

HEAD_SHA = "3f2a9c61d0b84e7755c1a2e9f60d4b8837ce1a05"
OPENED_AT = "2026-08-23T12:00:00Z"
CLOSED_AT = "2026-08-24T09:30:00Z"
MERGE_SHA = "9b1e0c4477d25a0f36c8b7d1e2f3a4b5c6d7e8f9"


@dataclass
class SimReaction:
    """One reaction."""

    id: int
    content: str = "+1"
    user: str = "hubot"
    created_at: str = OPENED_AT


@dataclass
class SimComment:
    """One comment on an issue or pull request."""

    id: int
    body: str
    user: str = "mona"
    created_at: str = OPENED_AT
    reactions: list[SimReaction] = field(default_factory=list)


@dataclass
class SimReview:
    """One review of a pull request."""

    id: int
    state: str = "APPROVED"
    user: str = "hubot"
    body: str = ""
    submitted_at: str = OPENED_AT
    commit_id: str = HEAD_SHA


@dataclass
class SimPull:
    """What makes an issue a pull request."""

    head_ref: str = "fix"
    head_sha: str = HEAD_SHA
    merged_at: str | None = None
    merge_commit_sha: str | None = None
    draft: bool = False
    reviews: list[SimReview] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


@dataclass
class SimIssue:
    """One issue, or a pull request when ``pull`` is given. ``events`` are in order of time; all are in the timeline."""

    number: int
    title: str
    body: str | None = None
    user: str = "mona"
    state: str = "open"
    state_reason: str | None = None
    labels: list[str] = field(default_factory=list)
    created_at: str = OPENED_AT
    updated_at: str = OPENED_AT
    closed_at: str | None = None
    comments: list[SimComment] = field(default_factory=list)
    reactions: list[SimReaction] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    """Each with ``event`` and what that kind adds; ``actor`` and ``created_at`` have usual values."""
    pull: SimPull | None = None


@dataclass
class SimCheck:
    """One check run."""

    id: int
    name: str
    status: str = "completed"
    conclusion: str | None = "success"
    app: str = "github-actions"


@dataclass
class SimDiscussion:
    """One discussion; only GraphQL shows them."""

    number: int
    title: str
    answered: bool = False
    comments: list[SimComment] = field(default_factory=list)


@dataclass
class Evidence:
    """All of it, for one repository."""

    issues: dict[int, SimIssue] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    """The default branch's files by path."""
    checks: dict[str, list[SimCheck]] = field(default_factory=dict)
    """By commit or branch."""
    protections: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By branch: what protects it. A branch without is answered 404, as GitHub does."""
    discussions: list[SimDiscussion] = field(default_factory=list)
    tarball: bytes = b"\x1f\x8b\x08\x00not really\x00\xff\xfe"
    incomplete: bool = False
    """What a search says of itself."""

    def issue(self, number: int, title: str = "", **facts: Any) -> SimIssue:
        """Add an issue, or a pull request when ``pull`` is given."""
        made = self.issues[number] = SimIssue(number, title or f"Issue {number}", **facts)
        return made


def gathered(sim: "Sim", full_name: str = "acme/widgets", *, issues: int = 7, **facts: Any) -> "SimRepository":
    """Add a repository with a little of everything, the same each time.

    Issue 1 is closed as completed, with comments, reactions and events; issue 2 is odd in its text; pull request 3 is
    merged with two reviews, pull request 4 is open; issues 5 to ``issues`` are plain.
    """
    repository = sim.repository(full_name, **facts)
    evidence = repository.evidence
    _issues(evidence)
    for number in range(5, issues + 1):
        evidence.issue(number, labels=["bug"] if number % 2 else [], created_at=f"2026-08-23T13:{number % 60:02}:00Z")
    evidence.files = {
        "README.md": b"# Widgets\n\nMade <here> & now.\n",
        "docs/guide.md": "Ünïcödé — ✓\n".encode(),
        "docs/binary.bin": bytes(range(256)),
        ".github/workflows/issue-triage.md": b"---\non: schedule\n---\nTriage.\n",
        "data.json": b'{"b": 1, "a": [1.0, 2.50, 1e3]}',
    }
    evidence.checks[HEAD_SHA] = [SimCheck(1, "build"), SimCheck(2, "test", conclusion="failure"), SimCheck(3, "lint")]
    evidence.checks["main"] = [SimCheck(4, "build", "in_progress", None)]
    evidence.protections["main"] = {"reviews": 1, "contexts": ["build", "test"], "admins": True}
    evidence.discussions = [
        SimDiscussion(number, f"Discussion {number}", number % 2 == 1, [SimComment(900 + number, "Hello")])
        for number in range(11, 16)
    ]
    return repository


def _issues(evidence: Evidence) -> None:
    evidence.issue(
        1,
        "Crash on start",
        body="It crashes.\r\n\r\n- [ ] fix",
        state="closed",
        state_reason="completed",
        labels=["bug", "triaged"],
        closed_at=CLOSED_AT,
        comments=[
            SimComment(101, "Thanks!", reactions=[SimReaction(301, "heart")]),
            SimComment(102, "Fixed by #3", "github-actions[bot]", CLOSED_AT),
        ],
        reactions=[SimReaction(201), SimReaction(202, "rocket", "octocat"), SimReaction(203, "+1", "octocat")],
        events=[
            {"event": "labeled", "label": {"name": "bug", "color": "d73a4a"}},
            {"event": "labeled", "label": {"name": "triaged", "color": "ededed"}, "actor": "github-actions[bot]"},
            {"event": "closed", "created_at": CLOSED_AT, "commit_id": MERGE_SHA},
        ],
    )
    evidence.issue(2, "Odd \x1b[31mtext\x1b[0m <b>&amp;</b>", body='tab\there "quoted" \\ \u2028 é 😀 \x00\x07\x7f\x85')
    evidence.issue(
        3,
        "Fix the crash",
        body="Closes #1",
        state="closed",
        closed_at=CLOSED_AT,
        labels=["bug"],
        pull=SimPull(
            merged_at=CLOSED_AT,
            merge_commit_sha=MERGE_SHA,
            reviews=[SimReview(401, "CHANGES_REQUESTED"), SimReview(402, submitted_at=CLOSED_AT)],
            files=["src/main.c", "README.md"],
        ),
        events=[{"event": "merged", "created_at": CLOSED_AT, "commit_id": MERGE_SHA}],
    )
    evidence.issue(4, "Work in progress", pull=SimPull("wip", "a" * 40, draft=True))
