"""The one made-up GitHub of the tests: in process as a ``Client``, and over loopback HTTP."""

from tests.sim.client import SimClient
from tests.sim.evidence import HEAD_SHA, gathered
from tests.sim.server import PROXIED_HOST, SimServer
from tests.sim.sim import API, BLOBS, Access, Sim
from tests.sim.wire import Fault, FaultKind, Reply, Request, primary_limit, secondary_limit
from tests.sim.world import CREATED_AT, SimArtifact, SimRepository, SimRun, sha256, zipped

__all__ = [
    "API",
    "BLOBS",
    "CREATED_AT",
    "HEAD_SHA",
    "PROXIED_HOST",
    "Access",
    "Fault",
    "FaultKind",
    "Reply",
    "Request",
    "Sim",
    "SimArtifact",
    "SimClient",
    "SimRepository",
    "SimRun",
    "SimServer",
    "gathered",
    "primary_limit",
    "secondary_limit",
    "sha256",
    "zipped",
]
