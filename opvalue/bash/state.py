"""What a shell knows at one point of a script: variables, arguments, functions, and which file it is in."""

from typing import Final, NamedTuple, Self

from opvalue.bash.errors import NotAnalysable
from opvalue.bash.tree import Command
from opvalue.bash.values import ROOT, SCRATCH, SYSTEM_PATH, Unknown, Value

ENVIRONMENT: Final = frozenset(
    {
        "PATH",
        "HOME",
        "TMPDIR",
        "LC_ALL",
        "TZ",
        "GH_HOST",
        "GH_TOKEN",
        "GITHUB_SERVER_URL",
        "GITHUB_API_URL",
        "GITHUB_GRAPHQL_URL",
        "GITHUB_WORKSPACE",
    }
)
"""Every variable an evaluator finds in its environment (DESIGN 5). The rest is unset until it sets it."""

_BY_THE_SHELL: Final = frozenset(
    [
        "_",
        "COLUMNS",
        "COMP_WORDBREAKS",
        "COPROC",
        "DIRSTACK",
        "EPOCHREALTIME",
        "EPOCHSECONDS",
        "EUID",
        "FUNCNAME",
        "GROUPS",
        "HOSTNAME",
        "HOSTTYPE",
        "IFS",
        "LINENO",
        "LINES",
        "MACHTYPE",
        "MAPFILE",
        "OLDPWD",
        "OPTARG",
        "OPTERR",
        "OPTIND",
        "OSTYPE",
        "PIPESTATUS",
        "PPID",
        "PS4",
        "RANDOM",
        "READLINE_LINE",
        "REPLY",
        "SECONDS",
        "SHELL",
        "SHELLOPTS",
        "SHLVL",
        "SRANDOM",
        "TERM",
        "UID",
    ]
)


_MOST_OUTPUTS: Final = 100_000
_ALWAYS: Final = ("BASH", "PATH", "PWD")


class Origin(NamedTuple):
    """The file some commands stand in: its name and bytes for messages, and the line they start at."""

    name: str
    source: bytes
    line: int = 1


class Defined(NamedTuple):
    """A function: its body, and the file it was defined in, as ``BASH_SOURCE`` names it there."""

    name: str
    body: Command
    file: str
    origin: Origin


class Effort:
    """How many more substitutions may be evaluated; common to every shell of one evaluator."""

    def __init__(self) -> None:
        self.left = _MOST_OUTPUTS

    def spend(self) -> None:
        """Count one. Raises ``NotAnalysable`` where functions that print call each other without end in sight."""
        self.left -= 1
        if self.left < 0:
            raise NotAnalysable(
                "the script is too entangled to be analysed",
                expected=f"at most {_MOST_OUTPUTS} substitutions to evaluate",
            )


class State:
    """One shell's knowledge. Variables not listed are unset, but for those the environment or the shell sets."""

    def __init__(self, file: str, variables: dict[str, Value], positional: tuple[Value, ...] | None) -> None:
        self.variables = variables
        self.exported = set(variables) & ENVIRONMENT
        self.all_exported = False
        self.positional = positional
        self.functions: dict[str, tuple[Defined, ...]] = {}
        self.exported_functions: set[str] = set()
        self.files: tuple[str, ...] = (file,)
        self.zero = file
        self.blurred: str | None = None
        self.locals: dict[str, Value | None] | None = None
        self.effort = Effort()
        self.last_pipe = False
        """Whether the last command of a pipeline may run in this shell."""

    @classmethod
    def fresh(cls, file: str) -> Self:
        """Return the state an evaluator starts in; its arguments are not known."""
        variables: dict[str, Value] = {
            "BASH": "bash",
            "GITHUB_WORKSPACE": ROOT,
            "PATH": SYSTEM_PATH,
            "PWD": SCRATCH,
        }
        state = cls(file, variables, None)
        state.exported.add("PWD")
        return state

    def child(self, file: str, positional: tuple[Value, ...] | None) -> "State":
        """Return the state of another Bash started from this one: what is exported, functions included."""
        kept = {name: value for name, value in self.variables.items() if self.all_exported or name in self.exported}
        kept.update({name: self.variables[name] for name in _ALWAYS if name in self.variables})
        state = State(file, kept, positional)
        state.exported = set(kept)
        state.blurred = self.blurred
        state.effort = self.effort
        state.exported_functions = set(self.exported_functions)
        state.functions = {name: found for name, found in self.functions.items() if name in state.exported_functions}
        return state

    def fork(self) -> "State":
        """Return a copy, for a subshell or one of several ways on. Functions and what is local stay common."""
        copy = object.__new__(State)
        copy.__dict__.update(self.__dict__)
        copy.variables = dict(self.variables)
        copy.exported = set(self.exported)
        return copy

    def same_as(self, other: "State") -> bool:
        """Tell whether both know the same of variables and arguments."""
        return (
            self.variables == other.variables
            and self.positional == other.positional
            and self.exported == other.exported
            and self.blurred == other.blurred
        )

    def join(self, other: "State") -> None:
        """Take in what holds after another way here. What only one way sets counts as set by it."""
        for name, value in other.variables.items():
            if self.variables.setdefault(name, value) != value:
                self.variables[name] = Unknown(f"{name} has more than one possible value")
        self.exported |= other.exported
        self.all_exported = self.all_exported or other.all_exported
        self.last_pipe = self.last_pipe or other.last_pipe
        self.blurred = self.blurred or other.blurred
        if self.positional != other.positional:
            self.positional = None

    def lookup(self, name: str) -> Value | None:
        """Return a variable's value, or ``None`` when it is unset."""
        found = self.variables.get(name)
        if found is not None:
            return found
        if name in ENVIRONMENT or name in _BY_THE_SHELL or name.startswith("BASH"):
            return Unknown(f"{name} is set from outside the script")
        return None if self.blurred is None else Unknown(self.blurred)

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value."""
        self.variables[name] = value

    def unset(self, name: str) -> None:
        """Take a variable away."""
        if name in _ALWAYS:
            self.variables[name] = Unknown(f"{name} is unset")
        else:
            self.variables.pop(name, None)

    def restore(self, name: str, value: Value | None) -> None:
        """Give a variable back the value it had, or take it away if it had none."""
        if value is None:
            self.unset(name)
        else:
            self.assign(name, value)

    def define(self, one: Defined) -> None:
        """Take in a function. An earlier one of its name stays: which is meant may depend on the way taken."""
        earlier = self.functions.get(one.name, ())
        if all(other.body is not one.body for other in earlier):
            self.functions[one.name] = (*earlier, one)

    def make_local(self, name: str) -> None:
        """Remember a variable of the caller; it comes back when the function ends. No effect outside functions."""
        if self.locals is not None:
            self.locals.setdefault(name, self.variables.get(name))

    def blur(self, why: str) -> None:
        """Forget every variable: something that cannot be followed may have set any of them."""
        self.blurred = why
        for name in self.variables:
            self.variables[name] = Unknown(why)
