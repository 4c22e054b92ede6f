"""What a regrade leaves: the document, its signature, the bundle of its evidence; each new, never over another file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opvalue.atomic import write_new
from opvalue.cli.console import Console
from opvalue.evidence.bundle import Bundle
from opvalue.regrade import Regraded
from opvalue.regrade.errors import NotObserved

if TYPE_CHECKING:
    from opvalue.cli.keys import Signer


class Delivery(NamedTuple):
    """Where the results of one regrade go."""

    console: Console
    output: Path | None
    """The JSON document."""
    record: Path | None
    """The bundle."""
    sign: "Signer | None"
    """What signs the document."""

    @contextmanager
    def keeping_what_failed(self) -> Iterator[None]:
        """Write the incomplete bundle of a result that was not observed, where one is asked for, and pass it on."""
        try:
            yield
        except NotObserved as failed:
            if failed.bundle is not None:
                self._keep(failed.bundle, "what was exchanged until then, incomplete")
            raise

    def deliver(self, regraded: Regraded) -> None:
        """Write what is to be written, the evidence first, and print the document or its summary."""
        if regraded.bundle is not None:
            self._keep(regraded.bundle, "the evidence")
        document = regraded.to_json().encode()
        if self.output is not None:
            written = write_new(self.output, document, same=regraded.is_in)
            self._note(f"wrote {self.output}" if written else f"{self.output} holds this observation already")
            self._sign(regraded, self.output)
        if self.console.json:
            self.console.raw(document)
            return
        from opvalue.cli.regrade_text import summary  # noqa: PLC0415

        self.console.lines(summary(regraded))

    def _sign(self, regraded: Regraded, output: Path) -> None:
        if self.sign is None:
            return
        envelope = output.with_name(f"{output.name}.dsse.json")
        written = write_new(envelope, self.sign(regraded.statement))
        self._note(f"wrote {envelope}" if written else f"{envelope} holds this signature already")

    def _keep(self, bundle: Bundle, what: str) -> None:
        if self.record is None:
            return
        from opvalue.evidence.bundle import save  # noqa: PLC0415

        written = save(self.record, bundle)
        self._note(f"wrote {what} to {self.record}" if written else f"{self.record} holds this evidence already")

    def _note(self, text: str) -> None:
        if not self.console.json:
            self.console.note(text)
