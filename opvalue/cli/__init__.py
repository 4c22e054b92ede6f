"""The command line: one file per command, loaded when used; the only room that prints or decides an exit status.

``run`` is all that is public. Everything else is imported inside it, so that an interrupt during start-up is answered
like any other.
"""

__all__ = ["run"]


def run(program: str, argv: list[str]) -> int:
    """Run ``program`` (``opvalue`` or ``gh-aw``) with ``argv`` and return its exit status.

    Prints to standard output and standard error. Never raises and never shows a traceback unless ``OPVALUE_DEBUG`` is
    set. The statuses are listed by ``opvalue help exit-codes``.
    """
    try:
        from opvalue.cli.main import run_program  # noqa: PLC0415 - click is imported after the interrupt is guarded

        return run_program(program, argv)
    except KeyboardInterrupt:
        return 130
