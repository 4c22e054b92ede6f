"""Is this the bundle that a signed statement rests on, as far as the statement says (DESIGN 5)? Pure.

The statement names host, run, attempt, digests, cutoff, number of exchanges and what was read undeclared. It does not
name the repositories that the definition declares, nor GitHub's number of the run's.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from opvalue.evidence.bundle.checks import check_for, check_fresh, check_past
from opvalue.evidence.bundle.errors import OtherExchanges, OtherUndeclared
from opvalue.evidence.bundle.model import Bundle, scope_of
from opvalue.evidence.scope import attribute
from opvalue.identity import Instant

if TYPE_CHECKING:
    from opvalue.attestation import Facts

_MOST_TEXT: Final = 300


def check_stated(bundle: Bundle, facts: "Facts", now: Instant) -> None:
    """Raise unless ``bundle`` is what a statement with these ``facts`` tells of; ``now`` is the reader's clock.

    Steps: 1 host, run, attempt, evaluator and closure, and it is complete (``check_for``); 2 the number of exchanges; 3
    what the statement says was undeclared is neither declared by the bundle nor absent from it; 4 nothing was observed
    before the statement's cutoff, nor later than now (``check_fresh``, ``check_past``). Not checked: the digest, which
    ``attestation.verify`` compares; that the times are true, for they are the bundle's own word and covered by no
    signature; which repositories the definition declares; who recorded it.
    """
    check_for(  # 1
        bundle,
        host=facts.repository.host,
        run_id=facts.run_id,
        attempt=facts.attempt,
        evaluator_digest=facts.evaluator_digest,
        closure_digest=facts.closure_digest,
        repository_id=None,
    )
    if len(bundle.exchanges) != facts.exchanges:  # 2
        raise OtherExchanges(
            "the bundle holds another number of exchanges than the statement says",
            expected=str(facts.exchanges),
            found=str(len(bundle.exchanges)),
        )
    _check_undeclared(bundle, facts.undeclared)  # 3
    check_fresh(bundle.exchanges, facts.evidence_cutoff)  # 4
    check_past(bundle.exchanges, now)


def _check_undeclared(bundle: Bundle, stated: Iterable[str]) -> None:
    # The bundle may tell of more: of exchanges that this observation did not use, and of pages that it followed.
    found = _outside(bundle)
    missing = [name for name in stated if name not in found]
    if missing:
        raise OtherUndeclared(
            "the statement says that something undeclared was read, and the bundle does not",
            expected=", ".join(sorted(found))[:_MOST_TEXT] or "nothing undeclared",
            found=", ".join(missing)[:_MOST_TEXT],
        )


def _outside(bundle: Bundle) -> set[str]:
    """Return what the bundle's requests name beyond what it declares, as ``regrade.evidence.undeclared`` spells it."""
    scope = scope_of(bundle.header.declared)
    # A document is read once, however many exchanges share it.
    asked = {(one.request.path, one.request.query, one.request.body): one.request for one in bundle.exchanges}
    return {name for request in asked.values() for name in scope.undeclared(attribute(request))}
