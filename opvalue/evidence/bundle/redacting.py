"""A bundle without further secrets: another bundle, with another digest (DESIGN 5). Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from opvalue.evidence.bundle.errors import HoldsASecret
from opvalue.evidence.bundle.model import Bundle, Failed, Header, Profile
from opvalue.evidence.errors import SecretInRequest, SecretNotRemovable
from opvalue.evidence.exchange import Exchange, Request
from opvalue.evidence.redaction import check_request, redact_answer, redact_text


class Redacted(NamedTuple):
    """A bundle without secrets, and what that changed."""

    bundle: Bundle
    changed: tuple[Request, ...]
    """The requests whose answers are others now."""


def without_secrets(bundle: Bundle, secrets: Sequence[bytes]) -> Redacted:
    """Return ``bundle`` without ``secrets`` and without what has the shape of one.

    Raises ``HoldsASecret`` for one that cannot be taken out of an answer, for one in a request, because the evaluator's
    own would find no answer then, and for one in the name of the host or of a declared repository.
    """
    _check_names(bundle.header, secrets)
    exchanges = tuple(_cleaned(exchange, secrets) for exchange in bundle.exchanges)
    header = bundle.header._replace(
        failures=tuple(Failed(*(redact_text(text, secrets) for text in failure)) for failure in bundle.header.failures),
        profile=Profile(*(redact_text(text, secrets) for text in bundle.header.profile)),
    )
    pairs = zip(bundle.exchanges, exchanges, strict=True)
    changed = tuple(after.request for before, after in pairs if before.answer != after.answer)
    return Redacted(Bundle.of(header, exchanges), changed)


def _check_names(header: Header, secrets: Sequence[bytes]) -> None:
    names = (header.host.name, *(one.repository for one in header.declared))
    for name in names:
        if redact_text(name, secrets) != name:
            raise HoldsASecret(
                "the name of the host or of a declared repository holds a secret, and neither is rewritten",
                found=redact_text(name, secrets),
                hint="Keep this bundle to yourself: what it is evidence of is the secret.",
            )


def _cleaned(exchange: Exchange, secrets: Sequence[bytes]) -> Exchange:
    try:
        check_request(exchange.request, secrets)
    except SecretInRequest as error:
        raise HoldsASecret(
            "a request holds a secret, and a request is not rewritten",
            found=error.found,
            hint="Record again with an evaluator that does not ask with a secret.",
        ) from None
    try:
        return exchange._replace(answer=redact_answer(exchange.answer, secrets))
    except SecretNotRemovable as error:
        raise HoldsASecret(
            f"an answer holds a secret that cannot be taken out: {error.message}", found=exchange.request.described()
        ) from None
