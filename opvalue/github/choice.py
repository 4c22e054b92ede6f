"""Which of a run's artifacts is the one to regrade (DESIGN 4.3; reference 1.1, 2.3). Pure.

The listing says nothing of attempts. So ``candidates`` keeps what is named ``agent`` or ``*-agent`` and has not
expired; the caller opens each; ``choose`` keeps those that hold a graded run of the attempt, and exactly one must
remain. Dates and order never decide (AR-01, AR-03). Not checked here: anything inside beyond the recorded attempt.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from opvalue.archive import ArchivedRun
from opvalue.archive.errors import NoGraderData as NoDataInArchive
from opvalue.errors import Kind, OpvalueError
from opvalue.github import errors
from opvalue.github.facts import ArtifactFacts

AGENT: Final = "agent"
USAGE: Final = "usage"

# What would be a path, or steer a terminal. Dots are harmless: no name here becomes a file's name.
_HOSTILE = re.compile("[\x00-\x1f\x7f-\x9f/\\\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SHOWN: Final = 12


class Candidates(NamedTuple):
    """The artifacts that may be the right one, in the listing's order, and what else there was."""

    live: tuple[ArtifactFacts, ...]
    """At least one. Each is to be downloaded and opened."""
    expired: tuple[ArtifactFacts, ...]
    """Of the right name, and gone."""
    has_usage: bool
    """Whether the run has a ``usage`` artifact, as runs of the newer kind have."""


class Opened(NamedTuple):
    """A candidate that was downloaded, and what reading it gave; ``ArtifactExpired`` where there was nothing left."""

    artifact: ArtifactFacts
    result: ArchivedRun | OpvalueError


class Choice(NamedTuple):
    """The one that remained."""

    artifact: ArtifactFacts
    archived: ArchivedRun


def candidates(artifacts: Sequence[ArtifactFacts]) -> Candidates:
    """Return what is worth downloading of a completed run's whole listing.

    Raises ``HostileArtifactName``, ``GradersInUsage``, ``NoAgentArtifact`` or ``ArtifactExpired``.
    """
    wanted = named(artifacts, AGENT)
    has_usage = any(_is_named(artifact, USAGE) for artifact in artifacts)
    if not wanted and has_usage:
        raise _newer_kind(artifacts)
    if not wanted:
        raise errors.NoAgentArtifact(
            "the run concluded without a grader artifact",
            expected="an artifact named agent, or ending in -agent",
            found=listed(artifacts),
        )
    live = tuple(artifact for artifact in wanted if not artifact.expired)
    expired = tuple(artifact for artifact in wanted if artifact.expired)
    if not live:
        raise _expired(expired)
    return Candidates(live, expired, has_usage)


def named(artifacts: Sequence[ArtifactFacts], word: str) -> list[ArtifactFacts]:
    """Return those that are named ``word``, or end in ``-word`` as those of called workflows do.

    Raises ``HostileArtifactName`` if one of them has a name that no uploader gives.
    """
    wanted = [artifact for artifact in artifacts if _is_named(artifact, word)]
    hostile = next((artifact for artifact in wanted if _HOSTILE.search(artifact.name)), None)
    if hostile is None:
        return wanted
    raise errors.HostileArtifactName(
        f"the artifact {hostile.id} has a name that no uploader gives",
        expected="a plain name",
        found=ascii(hostile.name)[:100],
    )


def listed(artifacts: Sequence[ArtifactFacts]) -> str:
    """Return the artifacts in words, for an error text."""
    return _joined([artifact.described() for artifact in artifacts]) or "no artifacts at all"


def choose(found: Candidates, opened: Sequence[Opened], attempt: int) -> Choice:
    """Return the one candidate that holds a graded run of ``attempt``. ``opened`` covers all of ``found.live``.

    Candidates without anything to regrade are passed over, and so are those that turned out to have expired. One that
    cannot be read is not: it might be the right one. Raises its own refusal when it is the only one, else
    ``CandidateRefused``; further ``ArtifactExpired``, ``NoGraderData``, ``GradersInUsage``, ``AttemptNotArchived`` and
    ``SeveralArtifacts``. Each lists what was seen.
    """
    found, opened = _without_expired(found, opened)
    refusals = [(one.artifact, one.result) for one in opened if isinstance(one.result, OpvalueError)]
    unread = next((one for one in refusals if one[1].kind is not Kind.NOTHING), None)
    if unread is not None:
        raise _unread(*unread, opened)
    graded = [Choice(one.artifact, one.result) for one in opened if isinstance(one.result, ArchivedRun)]
    if not graded:
        raise _nothing(found, [refusal for _, refusal in refusals], opened)
    matching = [choice for choice in graded if choice.archived.results.attempt == attempt]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise errors.SeveralArtifacts(
            f"several artifacts record attempt {attempt} of the run",
            expected="exactly one",
            found=_seen(opened),
        )
    raise errors.AttemptNotArchived(
        f"no artifact of the run records attempt {attempt}",
        expected=f"attempt {attempt}",
        found="; ".join((_seen(opened), *(artifact.described() for artifact in found.expired))),
    )


def _without_expired(found: Candidates, opened: Sequence[Opened]) -> tuple[Candidates, Sequence[Opened]]:
    """Drop what the listing called live and the download gone (AR-03). Raises ``ArtifactExpired`` if that was all."""
    gone = [one.artifact for one in opened if isinstance(one.result, errors.ArtifactExpired)]
    if not gone:
        return found, opened
    live = tuple(artifact for artifact in found.live if artifact not in gone)
    expired = (*found.expired, *(artifact._replace(expired=True) for artifact in gone))
    if not live:
        raise _expired(expired)
    return found._replace(live=live, expired=expired), [one for one in opened if one.artifact not in gone]


def _expired(artifacts: Sequence[ArtifactFacts]) -> errors.ArtifactExpired:
    return errors.ArtifactExpired("the run's grader artifact has expired", found=listed(artifacts))


def _is_named(artifact: ArtifactFacts, word: str) -> bool:
    return artifact.name == word or artifact.name.endswith(f"-{word}")


def _nothing(found: Candidates, refusals: Sequence[OpvalueError], opened: Sequence[Opened]) -> OpvalueError:
    telling = [refusal for refusal in refusals if not isinstance(refusal, NoDataInArchive)]
    if len(telling) == 1:
        return telling[0]
    if not telling and found.has_usage:
        return _newer_kind([one.artifact for one in opened])
    return errors.NoGraderData(
        "no artifact of the run holds anything to regrade", expected="a grader manifest", found=_seen(opened)
    )


def _newer_kind(artifacts: Sequence[ArtifactFacts]) -> errors.GradersInUsage:
    return errors.GradersInUsage(
        "the run is of the newer kind: its grader files are in the usage artifact, without an evaluator",
        expected="an agent artifact with agent/graders",
        found=listed(artifacts),
    )


def _unread(artifact: ArtifactFacts, refusal: OpvalueError, opened: Sequence[Opened]) -> OpvalueError:
    if len(opened) == 1:
        return refusal
    return errors.CandidateRefused(
        f"the artifact {artifact.described()} cannot be read, and might be the right one",
        expected="candidates that can all be read",
        found=_seen(opened),
    )


def _seen(opened: Sequence[Opened]) -> str:
    return _joined([f"{one.artifact.described()}: {_outcome(one)}" for one in opened])


def _outcome(one: Opened) -> str:
    if isinstance(one.result, ArchivedRun):
        return f"attempt {one.result.results.attempt}"
    return f"{one.result.message} [{one.result.code}]"


def _joined(texts: Sequence[str]) -> str:
    more = f"; and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return "; ".join(texts[:_SHOWN]) + more
