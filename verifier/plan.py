"""Which runs are made: their requests and who answers them. Pure.

The default profile has thirteen gradings. Each serves several rules, so that what one run shows is not asked for twice.
"""

from typing import Any, Final, NamedTuple

from opvalue.identity import Instant
from opvalue.strictjson import JsonObject, JsonValue
from verifier.simulated import FailureKind, Setting
from verifier.simulated.setting import DAY, HOUR, ISSUE, PULL
from verifier.simulated.things import Things
from verifier.simulated.words import API, LATE_SEED, WEB

EMPTY: Final = "empty"
"""A first grading, an hour after the run, of nothing: no event, every list empty."""
VERIFICATION: Final = "verification"
"""The same with ``config.verification``."""
FIRST: Final = "first"
"""A first grading half-way to maturity, with an event and evidence."""
AS_OF: Final = "as-of"
"""The same without what came later."""
SECOND: Final = "second"
"""A first grading after maturity, with other evidence."""
MATURE: Final = "mature"
"""A regrade after maturity, with the case that the first one returned."""
LATER: Final = "later"
"""The same a month later, with milliseconds in the time of creation."""
ELSEWHERE: Final = "elsewhere"
"""The same as ``MATURE`` in another folder, zone and locale."""
NO_CREATED: Final = "no-created"
"""The same without a time of creation."""
FAILING: Final = {f"failing-{kind.name.lower()}": kind for kind in FailureKind}
"""The same with evidence that fails, by kind."""
AT_MATURITY: Final = "at-maturity"
BEFORE_MATURITY: Final = "before-maturity"
SAME: Final = "same"
"""``MATURE`` once more, everything the same."""
FIRST_ELSEWHERE: Final = "first-elsewhere"
"""``FIRST`` where ``ELSEWHERE`` is: a regrade has the case, so only a first grading tells how it is made."""
NOTHING_AGAIN: Final = "nothing-again"
"""A regrade of the case that ``EMPTY`` returned."""
MORE_SEEDS: Final = (2, 3, LATE_SEED, 5)
FIRST_LATE: Final = f"{FIRST}-{LATE_SEED}"
"""``FIRST`` with evidence of which everything in lists comes later: a list that is looked at at all gives it away."""
AS_OF_LATE: Final = f"{AS_OF}-{LATE_SEED}"
"""The same without what came later, which leaves nothing in lists."""

GOES_ON: Final = (MATURE, LATER, ELSEWHERE, NO_CREATED, SAME, AT_MATURITY, BEFORE_MATURITY)
"""Regrades of a case whose evidence goes on after maturity: none of it may count."""

_DEFAULT_KINDS: Final = (FailureKind.REFUSED, FailureKind.CUT, FailureKind.ODD_SHAPE)
INDEPENDENT: Final = (EMPTY,)
DEFAULT: Final = (
    *(VERIFICATION, FIRST, SECOND, MATURE, LATER, ELSEWHERE, NO_CREATED, FIRST_LATE, AS_OF_LATE),
    *(name for name, kind in FAILING.items() if kind in _DEFAULT_KINDS),
)
THOROUGH: Final = (
    *(AS_OF, SAME, AT_MATURITY, BEFORE_MATURITY, NOTHING_AGAIN, FIRST_ELSEWHERE),
    *(name for name, kind in FAILING.items() if kind not in _DEFAULT_KINDS),
    *(f"{name}-{seed}" for name in (FIRST, AS_OF) for seed in MORE_SEEDS if seed != LATE_SEED),
)

RUN_ID: Final = "17000000042"
SHA: Final = "5e1f" * 10
CREATED: Final = Instant.parse("2026-08-30T12:00:00Z")
_USUAL_MATURATION: Final = 7 * DAY


class Known(NamedTuple):
    """What is known of the script when a run is planned."""

    setting: Setting
    config: JsonObject
    event_name: str
    case: JsonValue = None
    """What the first grading returned; null before it, or when it returned nothing."""


def request_for(name: str, known: Known) -> JsonObject:
    """Return the request of a run."""
    setting = known.setting
    made = _Request(known)
    if name in {EMPTY, VERIFICATION}:
        config = {**known.config, "verification": True} if name == VERIFICATION else known.config
        return made.first(Instant(setting.created.milliseconds + HOUR + 500), event=None, config=config)
    if name == SECOND:
        return made.first(_mature(setting, 1), event=event(known))
    if name.startswith((FIRST, AS_OF)):
        return made.first(setting.middle, event=event(known))
    if name == LATER:
        return made.replay(_mature(setting, 30), created=Instant(setting.created.milliseconds + 500))
    if name == AT_MATURITY:
        return made.replay(setting.matures)
    if name == BEFORE_MATURITY:
        return made.replay(Instant(setting.matures.milliseconds - 1_000))
    return made.replay(_mature(setting, 1), created=None if name == NO_CREATED else setting.created)


def seed_of(name: str) -> int:
    """Return the seed of a run's evidence."""
    tail = name.rpartition("-")[2]
    return int(tail) if tail.isdigit() else 1 if name == SECOND else 0


def event(known: Known) -> JsonObject:
    """Return an event that holds something of each kind, whatever started the run."""
    things = Things(known.setting, 0, known.setting.repository)
    pull = things.pull(PULL)
    return {
        "action": "opened",
        "issue": things.issue(ISSUE),
        "number": PULL,
        "pull_request": {**pull, "state": "open", "merged": False, "merged_at": None, "closed_at": None},
        "comment": things.comment(0, ISSUE),
        "inputs": {"issue": str(ISSUE), "issue_number": str(ISSUE), "pr_number": str(PULL), "target": "src/app.go"},
        "client_payload": {"issue": ISSUE, "number": ISSUE},
        "workflow_run": {
            "id": int(RUN_ID) - 1,
            "conclusion": "success",
            "head_sha": SHA,
            "html_url": f"{WEB}/x/y/actions/runs/1",
        },
        "ref": "refs/heads/main",
        "head_commit": {"id": SHA, "message": "Change something"},
        "schedule": "0 6 * * *",
        "repository": {"full_name": known.setting.repository, "url": f"{API}/repos/{known.setting.repository}"},
        "sender": things.user("mona"),
    }


def guessed(created: Instant, **fields: Any) -> Setting:
    """Return a setting whose maturity is not known yet."""
    matures = Instant(created.milliseconds + _USUAL_MATURATION)
    return Setting(run_id=RUN_ID, sha=SHA, created=created, matures=matures, **fields)


def _mature(setting: Setting, days: int) -> Instant:
    return Instant(setting.matures.milliseconds + days * DAY + 250)


class _Request:
    def __init__(self, known: Known) -> None:
        self._known = known

    def first(self, at: Instant, *, event: JsonValue, config: JsonObject | None = None) -> JsonObject:
        """Return a request without a case."""
        return self._request(at, self._known.setting.created, None, event, config)

    def replay(self, at: Instant, *, created: Instant | None = CREATED) -> JsonObject:
        """Return a request with the case of the first grading; without one, a first request."""
        known = self._known
        created = known.setting.created if created is CREATED else created
        return self._request(at, created, known.case, event(known) if known.case is None else None)

    def _request(
        self, at: Instant, created: Instant | None, case: JsonValue, event: JsonValue, config: JsonObject | None = None
    ) -> JsonObject:
        known = self._known
        setting = known.setting
        return {
            "schemaVersion": 1,
            "run": {
                "id": setting.run_id,
                "attempt": 1,
                "repository": setting.repository,
                "workflow": setting.workflow,
                "ref": "refs/heads/main",
                "sha": setting.sha,
                "eventName": known.event_name,
                "createdAt": None if created is None else _stamp(created),
            },
            "evidenceAt": str(at),
            "case": case,
            "event": event,
            "config": dict(known.config if config is None else config),
        }


def _stamp(instant: Instant) -> str:
    return str(instant).replace(".000Z", "Z")
