"""Why an evaluator could not be laid out or run, or failed. Time-out, output and leftovers are ``process``'s own."""

from opvalue.errors import Kind, OpvalueError


class NotBash(OpvalueError):
    """The program called bash is something else, such as a stub that asks to install it."""

    code = "evaluator.not-bash"
    kind = Kind.USAGE
    advice = "Install GNU Bash; `opvalue doctor` says which one is found."


class BadLayout(OpvalueError):
    """The files to lay out contradict each other: no script among them, a path twice, a file where a folder must be."""

    code = "evaluator.bad-layout"
    kind = Kind.EVALUATOR
    advice = "Give the script and its sourced files once each, at paths that differ by more than letter case."


class CannotLay(OpvalueError):
    """The private copy of the script cannot be written: disk full, or no permission."""

    code = "evaluator.cannot-lay"
    kind = Kind.USAGE
    advice = "Point TMPDIR at a folder that can be written and has room."


class Changed(OpvalueError):
    """The private copy of the script, or of what it sources, was changed after it was laid out."""

    code = "evaluator.changed"
    kind = Kind.REFUSED
    advice = "Look for an evaluator that rewrites itself, or for another process of this user that writes into TMPDIR."


class SyntaxInvalid(OpvalueError):
    """``bash -n`` refuses the script; the message is Bash's."""

    code = "evaluator.syntax"
    kind = Kind.EVALUATOR
    advice = "Check the script with `bash -n` and the Bash version named by `opvalue doctor`."


class ExitStatus(OpvalueError):
    """The evaluator ended with a status other than 0. Whatever it printed does not count."""

    code = "evaluator.exit-status"
    kind = Kind.EVALUATOR
    advice = "Read its message; an evaluator exits 0 also when its answer is null."


class Killed(OpvalueError):
    """A signal ended the evaluator, or it reports that one ended a command of its (status 128 plus the signal)."""

    code = "evaluator.killed"
    kind = Kind.EVALUATOR
    advice = "Look for a lack of memory, or a command that stops itself."
