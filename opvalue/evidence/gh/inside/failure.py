"""How a command ends badly. The broker is told where the fault is not the evaluator's own."""


class Failed(Exception):
    """The command cannot go on; ``message`` is for standard error. gh itself would fail as well."""

    def __init__(self, message: str, *, usage: bool = False, status: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.usage = usage
        """Whether gh adds how it is used."""
        self.status = status


class Unsupported(Exception):
    """gh would have done it, the stand-in does not: evidence is missing, whatever the script makes of it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BrokenPages(Exception):
    """The chain of pages leads back to where it has been."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.message = f"the pages of {place} lead in a circle"


class ReaderGone(Exception):
    """Whoever read standard output does so no more."""


class Ended(Exception):
    """All was said on standard error already."""

    def __init__(self, status: int = 1) -> None:
        super().__init__(status)
        self.status = status
