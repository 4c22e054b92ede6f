"""Grade a session that was read: the code that a concluding run and ``graders run`` share (Graders Specification 6).

Pure: what was read comes in, rows and documents go out. Custom graders are no built-ins' business: here each enabled
one is an error row that says so, since a grader that did not run must not look like one that passed (RS-04).
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.graders.configuration import Configuration, Source
from opvalue.graders.evaluate import Graded, failed, grade
from opvalue.graders.results import Context, results_document
from opvalue.records import Status
from opvalue.strictjson import JsonObject

if TYPE_CHECKING:
    from opvalue.graders.trajectory.projection import Projection
    from opvalue.session.lookups import Lookups

_NO_RUNTIME: Final = "custom graders run in the graders job; this command has no runtime for them"


class Replayed(NamedTuple):
    """The graders of one session."""

    graded: tuple[Graded, ...]
    context: Context

    @property
    def document(self) -> JsonObject:
        """The results document, version 2."""
        return results_document(self.graded, self.context)

    @property
    def without_runtime(self) -> tuple[str, ...]:
        """Ids of enabled graders that nothing here can run."""
        return tuple(one.entry.id for one in self.graded if one.entry.source is not Source.BUILTIN)

    @property
    def has_errors(self) -> bool:
        """Whether any grader ended without a result."""
        return any(one.status is Status.ERROR for one in self.graded)


def replay(
    lookups: "Lookups", projection: "Projection | None", configuration: Configuration, context: Context
) -> Replayed:
    """Return every enabled grader's row: built-ins graded, custom ones as errors."""
    graded = grade(lookups, projection, configuration)
    custom = [entry for entry in configuration.enabled if entry.source is not Source.BUILTIN]
    return Replayed((*graded, *(failed(entry, _NO_RUNTIME) for entry in custom)), context)
