"""Runs, attempts, artifacts: what a GitHub host says of them, and what follows from it (uses ``http``)."""

from opvalue.github.agreement import agree, check_run
from opvalue.github.anchor import ApiAnchor
from opvalue.github.choice import Candidates, Choice, Opened, candidates, choose
from opvalue.github.client import GitHub
from opvalue.github.events import RECORDED, Recorded, recorded
from opvalue.github.facts import ArtifactFacts, RepositoryFacts, RunFacts, WorkflowFacts
from opvalue.github.transport import Downloaded, TransportDigest, check_download, offered_digest

__all__ = [
    "RECORDED",
    "ApiAnchor",
    "ArtifactFacts",
    "Candidates",
    "Choice",
    "Downloaded",
    "GitHub",
    "Opened",
    "Recorded",
    "RepositoryFacts",
    "RunFacts",
    "TransportDigest",
    "WorkflowFacts",
    "agree",
    "candidates",
    "check_download",
    "check_run",
    "choose",
    "offered_digest",
    "recorded",
]
