"""What a regrade leaves: the document, its signature, the bundle of its evidence; each new, never over another file.

The places are looked at before the work begins, for evidence cannot always be gathered twice; and nothing is written
where one of the files would be refused.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opvalue.atomic import check_new, check_place, write_new
from opvalue.cli.console import Console
from opvalue.errors import OpvalueError, UsageError
from opvalue.evidence.bundle import Bundle
from opvalue.regrade import Regraded
from opvalue.regrade.errors import NotObserved

if TYPE_CHECKING:
    from opvalue.cli.keys import Signer


class _File(NamedTuple):
    path: Path
    data: bytes
    same: Callable[[bytes], bool]
    what: str


class Delivery(NamedTuple):
    """Where the results of one regrade go."""

    console: Console
    output: Path | None
    """The JSON document."""
    record: Path | None
    """The bundle."""
    sign: "Signer | None"
    """What signs the document."""

    @property
    def envelope(self) -> Path | None:
        """Where the signature goes."""
        if self.sign is None or self.output is None:
            return None
        return self.output.with_name(f"{self.output.name}.dsse.json")

    def check(self) -> None:
        """Look whether everything can be written. Raises ``OutputUnwritable``, ``UsageError``."""
        places = [path for path in (self.record, self.output, self.envelope) if path is not None]
        if len({path.absolute() for path in places}) < len(places):
            raise UsageError("two of the files to be written have one name", found=", ".join(map(str, places)))
        for path in places:
            check_place(path)

    @contextmanager
    def keeping_what_failed(self) -> Iterator[None]:
        """Write the incomplete bundle of a result that was not observed, where one is asked for, and pass it on."""
        try:
            yield
        except NotObserved as failed:
            if failed.bundle is not None and self.record is not None:
                self._keep(self._bundle(self.record, failed.bundle, "what was exchanged until then, incomplete,"))
            raise

    def _keep(self, file: _File) -> None:
        """Write the file; where that fails, say so, for what failed before is what the command ends with."""
        try:
            self._write([file])
        except OpvalueError as failed:
            self.console.note(f"{file.what} could not be kept: {failed.message}", hang=0)

    def deliver(self, regraded: Regraded) -> None:
        """Write what is to be written, and print the document or its summary."""
        document = regraded.to_json().encode()
        self._write(self._files(regraded, document))
        if self.console.json:
            self.console.raw(document)
            return
        from opvalue.cli.regrade_text import WIDTH, summary  # noqa: PLC0415

        self.console.lines(summary(regraded), hang=WIDTH)

    def _files(self, regraded: Regraded, document: bytes) -> list[_File]:
        files = []
        if self.record is not None and regraded.bundle is not None:
            files.append(self._bundle(self.record, regraded.bundle, "the evidence"))
        if self.output is not None:
            files.append(_File(self.output, document, regraded.is_in, "the observation"))
        if self.sign is not None and self.envelope is not None:
            signed = self.sign(regraded.statement)
            files.append(_File(self.envelope, signed, signed.__eq__, "its signature"))
        return files

    def _bundle(self, path: Path, bundle: Bundle, what: str) -> _File:
        from opvalue.evidence.bundle.writing import same_evidence, write  # noqa: PLC0415

        return _File(path, write(bundle), same_evidence(bundle), what)

    def _write(self, files: list[_File]) -> None:
        for file in files:
            check_new(file.path, file.data, same=file.same)
        for file in files:
            written = write_new(file.path, file.data, same=file.same)
            said = f"wrote {file.what} to {file.path}" if written else f"{file.path} holds {file.what} already"
            if not self.console.json:
                self.console.note(said, hang=4)
