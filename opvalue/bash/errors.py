"""Why a script's closure cannot be told: one class a cause (DESIGN 4.6, 9; WC-03)."""

from opvalue.errors import Kind, OpvalueError


class NotAnalysable(OpvalueError):
    """Neither parser reads the script, or it is nested or entangled beyond what is followed."""

    code = "bash.not-analysable"
    kind = Kind.REFUSED
    advice = "Check the file with `bash -n`, and write the named construct in a plainer way."


class SourceUnresolvable(OpvalueError):
    """The script sources, or runs as its own helper, a file whose path cannot be told without running it."""

    code = "bash.source-unresolvable"
    kind = Kind.REFUSED
    advice = 'Write the path out, such as source "$(dirname "${BASH_SOURCE[0]}")/name.sh".'


class SourceOutside(OpvalueError):
    """The script sources a file outside the repository, or one relative to the empty directory it runs in."""

    code = "bash.source-outside"
    kind = Kind.REFUSED
    advice = 'Keep sourced files in the repository and start their path with $(dirname "${BASH_SOURCE[0]}").'


class SourceAbsent(OpvalueError):
    """The script sources, or runs as its own helper, a file that is not at the recorded commit."""

    code = "bash.source-absent"
    kind = Kind.REFUSED
    advice = "The evaluator cannot have run like this; look at the named file in the recorded commit."


class ClosureTooLarge(OpvalueError):
    """The files a script sources are more, or together longer, than the limits allow."""

    code = "bash.closure-too-large"
    kind = Kind.REFUSED
    advice = "Source fewer or smaller files."
