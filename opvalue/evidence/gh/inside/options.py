"""The options of ``gh api``: what was asked for, and what gh forbids to ask for together."""

from .failure import Failed, Unsupported
from .flags import SWITCH, TEXT, TEXTS, Flag, parse
from .quoting import quoted

FLAGS = (
    Flag("cache", kind=TEXT),
    Flag("field", "F", TEXTS),
    Flag("header", "H", TEXTS),
    Flag("help", "h", SWITCH),
    Flag("hostname", kind=TEXT),
    Flag("include", "i", SWITCH),
    Flag("input", kind=TEXT),
    Flag("jq", "q", TEXT),
    Flag("method", "X", TEXT),
    Flag("paginate", kind=SWITCH),
    Flag("preview", "p", TEXTS),
    Flag("raw-field", "f", TEXTS),
    Flag("silent", kind=SWITCH),
    Flag("slurp", kind=SWITCH),
    Flag("template", "t", TEXT),
    Flag("verbose", kind=SWITCH),
)
_UNITS = ("ns", "us", "µs", "μs", "ms", "s", "m", "h")


class Options:
    """One ``gh api`` command."""

    __slots__ = (
        *("endpoint", "fields", "headers", "help", "hostname", "include", "input", "jq", "method"),
        *("paginate", "previews", "raw_fields", "silent", "slurp"),
    )

    def __init__(self, words: list[str]) -> None:
        """Read the words after ``gh api``. Raises ``Failed`` and ``Unsupported``."""
        given = parse(words, FLAGS)
        self.help = given.switch("help")
        self.method = given.text("method") if "method" in given.values else None
        """``None`` when it was left to gh."""
        self.fields = given.texts("field")
        self.raw_fields = given.texts("raw-field")
        self.headers = given.texts("header")
        self.previews = [name for names in given.texts("preview") for name in names.split(",")]
        self.hostname = given.text("hostname")
        self.include = given.switch("include")
        self.input = given.text("input")
        self.jq = given.text("jq")
        self.paginate = given.switch("paginate")
        self.silent = given.switch("silent")
        self.slurp = given.switch("slurp")
        self.endpoint = ""
        if self.help:
            return
        if "cache" in given.values:
            _check_duration(given.text("cache"))
        if len(given.arguments) != 1:
            raise Failed(f"accepts 1 arg(s), received {len(given.arguments)}")
        self.endpoint = given.arguments[0]
        if "hostname" in given.values:
            _check_hostname(self.hostname)
        self._check_combination(given.switch("verbose"), given.text("template"))

    @property
    def is_graphql(self) -> bool:
        """Whether the GraphQL endpoint is meant."""
        return self.endpoint == "graphql"

    def _check_combination(self, verbose: bool, template: str) -> None:
        if self.paginate and (self.method or "GET").upper() != "GET" and not self.is_graphql:
            raise Failed("the `--paginate` option is not supported for non-GET requests", usage=True)
        if self.paginate and self.input:
            raise Failed("the `--paginate` option is not supported with `--input`", usage=True)
        if self.slurp and (self.jq or template):
            raise Failed("the `--slurp` option is not supported with `--jq` or `--template`", usage=True)
        if self.slurp and not self.paginate:
            raise Failed("`--paginate` required when passing `--slurp`", usage=True)
        if verbose + self.silent + bool(self.jq) + bool(template) > 1:
            raise Failed("only one of `--template`, `--jq`, `--silent`, or `--verbose` may be used", usage=True)
        if template or verbose:
            name = "--template" if template else "--verbose"
            raise Unsupported(f"{name} of gh api is not supported by this stand-in for gh")


def _check_hostname(name: str) -> None:
    if not name.strip():
        raise Failed("error parsing `--hostname`: a value is required", usage=True)
    if "/" in name or ":" in name:
        raise Failed("error parsing `--hostname`: invalid hostname", usage=True)


def _check_duration(text: str) -> None:
    """Accept what Go's ``time.ParseDuration`` accepts; nothing is cached, so the value does not matter."""
    rest = text.lstrip("+-") if text[:1] in {"+", "-"} else text
    sound = bool(rest)
    while rest and rest != "0":
        number = len(rest) - len(rest.lstrip("0123456789."))
        unit = len(rest) - number - len(rest[number:].lstrip("nuµμmsh"))
        sound = sound and rest[:number].strip(".") != "" and rest[:number].count(".") < 2
        if not sound or rest[number : number + unit] not in _UNITS:
            sound = False
            break
        rest = rest[number + unit :]
    if not sound:
        why = f"time: invalid duration {quoted(text)}"
        raise Failed(f'invalid argument {quoted(text)} for "--cache" flag: {why}', usage=True)
