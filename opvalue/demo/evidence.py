"""The demo's evidence: what GitHub would have answered about the issue, as a bundle that was recorded later."""

from importlib.resources import files
from typing import Final

from opvalue.bash import closure_digest, read_closure
from opvalue.evidence.bundle import Bundle, Declared, Header, Profile
from opvalue.evidence.exchange import Answer, Exchange, normalise
from opvalue.evidence.gh import PROFILE
from opvalue.identity import GITHUB, Digest, Instant, RepoPath

_REPOSITORY_ID: Final = 424242
_TARGET: Final = "/repos/acme/widgets/issues/42/events?per_page=100"


def recorded(path: RepoPath, evaluator: bytes, observed_at: Instant) -> Bundle:
    """Return the bundle for the evaluator at ``path``, as if GitHub had been asked at ``observed_at``."""
    body = files("opvalue.demo").joinpath("files", "issue-events.json").read_bytes()
    request = normalise("GET", _TARGET, host=GITHUB, accept="*/*", api_version="", body=b"")
    answer = Answer(200, (("content-type", "application/json; charset=utf-8"),), body)
    closure = read_closure(path, evaluator, lambda _path: None)
    header = Header(
        host=GITHUB,
        repository_id=_REPOSITORY_ID,
        run_id="123456",
        attempt=1,
        evaluator_digest=Digest.of(evaluator),
        closure_digest=closure_digest(closure),
        requests=(observed_at,),
        complete=True,
        failures=(),
        profile=Profile(gh=PROFILE, jq=""),
        declared=(Declared("acme/widgets", _REPOSITORY_ID),),
    )
    return Bundle.of(header, (Exchange(request, answer, None, observed_at),))
