"""An evaluator with everything of the commit that it sources or runs as its own helper (DESIGN 4.6).

1. Each file is parsed; what neither parser reads is refused.
2. Sources and helpers are resolved from the text alone, in the state an evaluator starts in: its own file by absolute
   path, an empty current directory, an environment of the eleven variables in ``state.ENVIRONMENT``.
3. Each is read from the commit and followed in turn. A path that cannot be told is refused with file, line and text.
4. Over all files: whether an argument is compared with ``--definition``.

What this cannot see: code put together at run time that does not speak of sourcing (``eval "$x"``, a command word that
is not known, a script piped to ``bash`` or inherited as its input, ``env -S``, ``hash -p``, what ``find -exec`` and
``xargs`` fill in); programs that a list names without a suffix; what a trap changes before the script ends; text that
Bash evaluates as code on its own (subscripts in arithmetic on a variable's value, ``PS4``, ``${x@P}``); jq modules
found by ``-L``; data files. The closure is what an honest evaluator consists of, not a proof that nothing else runs:
that is the sandbox's business. The private tree must be laid at a path without links, blanks and pattern characters.
"""

from collections.abc import Callable
from typing import NamedTuple

from opvalue.bash.errors import NotAnalysable
from opvalue.bash.loader import Loader
from opvalue.bash.modes import handles_definition
from opvalue.bash.parse import ShellParser
from opvalue.bash.state import State
from opvalue.bash.tree import Body
from opvalue.bash.values import ROOT
from opvalue.bash.walk import Walker
from opvalue.identity import Digest, RepoPath
from opvalue.limits import Limits


class Closure(NamedTuple):
    """The files an evaluator consists of."""

    files: tuple[tuple[RepoPath, bytes], ...]
    """The evaluator first, then what it sources or runs, in order of discovery."""
    handles_definition: bool
    """Whether it speaks the schema-4 contract; otherwise it is a script for a session file (DESIGN 1)."""
    bodies: tuple[tuple[RepoPath, Body], ...] = ()
    """The commands of those of the files that were read as Bash."""

    @property
    def path(self) -> RepoPath:
        """Where the evaluator lies in the repository."""
        return self.files[0][0]


def read_closure(
    path: RepoPath,
    script: bytes,
    read: Callable[[RepoPath], bytes | None],
    *,
    parser: ShellParser | None = None,
    limits: Limits | None = None,
) -> Closure:
    """Return the closure of ``script``, which lies at ``path``.

    ``read`` returns a regular file of the commit, or ``None`` when there is nothing at that path; what else may be
    wrong there (a link, a submodule) it raises itself. ``parser`` reads what tree-sitter cannot. A source that a
    condition guards (``[ -f x ] && . x``, ``. x || true``) may be absent and is then left out; any other must exist.

    Raises ``NotAnalysable``, ``SourceUnresolvable``, ``SourceOutside``, ``SourceAbsent``, ``ClosureTooLarge``. Not
    checked: the script's own size and encoding, and whether Bash accepts it.
    """
    loader = Loader(path, script, read, parser, limits or Limits())
    walker = Walker(loader)
    try:
        walker.calls.start(path, State.fresh(f"{ROOT}/{path}"))
    except RecursionError:
        raise NotAnalysable(f"{path} is nested or calls itself too deeply to be analysed") from None
    return Closure(tuple(loader.files.items()), handles_definition(loader.all_bodies()), loader.bodies())


def closure_digest(closure: Closure) -> Digest:
    """Return the digest that tells two closures apart, whatever the order their files were discovered in.

    SHA-256 over the line ``opvalue closure 1`` and one line a file: the path's length in bytes, the path, the
    content's length, its SHA-256, separated by spaces. The evaluator comes first, the others by their path's bytes.
    """
    main, *others = ((str(path).encode("utf-8", "surrogateescape"), data) for path, data in closure.files)
    lines = [b"opvalue closure 1"]
    for path, data in (main, *sorted(others)):
        lines.append(b"%d %s %d %s" % (len(path), path, len(data), Digest.of(data).hex.encode()))
    return Digest.of(b"\n".join(lines) + b"\n")
