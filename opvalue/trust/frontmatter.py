"""The grader settings in a workflow's frontmatter, read from the trusted commit (DESIGN 4.7).

YAML is read with the scalars of YAML 1.2's core schema, as gh-aw reads it: ``on`` and ``yes`` are text, a date is
text, ``012`` is twelve and ``0x10`` sixteen. Bounded: depth, aliases and what they unfold to, before any value is made.
Duplicate keys are refused, and whatever JSON has no word for.

Not read here: files. Not known here: how gh-aw merges anything but the grader's own entry from an import.
"""

import math
import re
from functools import cache
from typing import Any, Final, NamedTuple

from opvalue.identity import PathRefused, RepoPath
from opvalue.strictjson import MAX_NUMBER_CHARACTERS, JsonObject, is_number
from opvalue.trust import errors

_FENCE = re.compile(rb"\A---[ \t]*\r?\n(?P<yaml>.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_DEPTH: Final = 64
_MAX_ALIASES: Final = 64
_MAX_NODES: Final = 100_000
_TAG: Final = "tag:yaml.org,2002"
_SCALARS: Final = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("merge", r"<<", "<"),
)


class _Form(NamedTuple):
    """What a node of one tag must be: its kind, and for most scalars a pattern."""

    id: str
    pattern: re.Pattern[str] | None


_FORMS: Final = {
    "str": _Form("scalar", None),
    "seq": _Form("sequence", None),
    "map": _Form("mapping", None),
    **{name: _Form("scalar", re.compile(pattern)) for name, pattern, _ in _SCALARS},
}


class GraderSettings(NamedTuple):
    """The operational-value entry as declared."""

    run: RepoPath
    enabled: bool
    config: JsonObject
    threshold: int | float | None
    direction: str | None


class Workflow(NamedTuple):
    """What binding needs of a workflow file."""

    path: RepoPath
    names: frozenset[str]
    """Display names it may run under: its ``name``, else its first heading, else its file name."""
    settings: GraderSettings | None
    imports: tuple[str, ...]


def read_workflow(path: RepoPath, data: bytes, *, grader: str, key: str) -> Workflow:
    """Read one Markdown file. ``grader`` and ``key`` are the generation's words (``operational-value``, ``run``).

    A file without frontmatter is a workflow without settings. Raises ``WorkflowMalformed``.
    """
    found = _FENCE.search(data)
    document = _load(path, found["yaml"]) if found else {}
    entry = _entry(document, grader)
    return Workflow(
        path,
        _names(path, document, data[found.end() :] if found else data),
        None if entry is None else _settings(path, entry, key),
        _imports(document),
    )


def _entry(document: JsonObject, grader: str) -> JsonObject | None:
    graders = document.get("graders")
    entry = graders.get(grader) if isinstance(graders, dict) else None
    return entry if isinstance(entry, dict) else None


def _settings(path: RepoPath, entry: JsonObject, key: str) -> GraderSettings | None:
    run = entry.get(key)
    if not isinstance(run, str):
        return None
    config, threshold, direction = entry.get("config"), entry.get("threshold"), entry.get("direction")
    if config is not None and not isinstance(config, dict):
        raise _malformed(path, "the grader's config is not a mapping")
    if threshold is not None and not is_number(threshold):
        raise _malformed(path, "the grader's threshold is not a number")
    try:
        evaluator = RepoPath.declared(run.strip(), beside=path.folder)
    except PathRefused as error:
        raise _malformed(path, error.message) from None
    return GraderSettings(
        run=evaluator,
        enabled=entry.get("enabled") is not False,
        config=config or {},
        threshold=threshold,
        direction=direction if isinstance(direction, str) else None,
    )


def _names(path: RepoPath, document: JsonObject, body: bytes) -> frozenset[str]:
    name = document.get("name")
    if isinstance(name, str) and name.strip():
        return frozenset({name.strip()})
    stem = path.parts[-1].removesuffix(".md")
    heading = _HEADING.search(body.decode("utf-8", "replace"))
    return frozenset({stem, heading["title"].strip()} if heading else {stem})


def _imports(document: JsonObject) -> tuple[str, ...]:
    declared = document.get("imports")
    if isinstance(declared, dict):
        declared = declared.get("aw")
    if not isinstance(declared, list):
        return ()
    paths = (item.get("path") if isinstance(item, dict) else item for item in declared)
    return tuple(path for path in paths if isinstance(path, str))


def _load(path: RepoPath, data: bytes) -> JsonObject:
    import yaml  # noqa: PLC0415 - costs more than all the rest of this room; loaded when a frontmatter is met

    try:
        text = data.decode("utf-8", "strict")
        _check_bounds(path, text)
        loader = _loader()(text)
        node = loader.get_single_node()
        if node is None:
            return {}
        _Graph(path).check(node)
        document = loader.construct_document(node)
    except UnicodeDecodeError:
        raise _malformed(path, "it is not UTF-8") from None
    except yaml.YAMLError as error:
        raise _malformed(path, " ".join(str(error).split())) from None
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise _malformed(path, "it is not a mapping")
    return document


def _check_bounds(path: RepoPath, text: str) -> None:
    # Events come one by one, so depth is known before the recursive loader meets it.
    import yaml  # noqa: PLC0415

    depth = aliases = 0
    for number, event in enumerate(yaml.parse(text, Loader=_base_loader())):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > _MAX_DEPTH or aliases > _MAX_ALIASES:
            raise _malformed(path, f"it nests deeper than {_MAX_DEPTH} or uses more than {_MAX_ALIASES} aliases")
        if number > 2 * _MAX_NODES:
            raise _malformed(path, f"it holds more than {_MAX_NODES} values")


class _Graph:
    """Checks the nodes of a document before any value is made of them: aliases make a graph of what looks a tree."""

    def __init__(self, path: RepoPath) -> None:
        self._path = path
        self._seen: dict[int, tuple[int, int]] = {}
        self._open: set[int] = set()

    def check(self, node: Any) -> tuple[int, int]:
        """Return how many values ``node`` unfolds to and how deep they nest.

        Refused: what JSON has no word for, a key that is not text or stands twice, a value that holds itself, and
        aliases that multiply without end. An alias stands after its anchor, so recursion goes no deeper than the text.
        """
        known = self._seen.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            raise _malformed(self._path, "it holds a value that holds itself")
        self._open.add(id(node))
        self._check_tag(node)
        sizes = [self.check(child) for child in self._children(node)]
        count, depth = 1 + sum(size for size, _ in sizes), 1 + max((deep for _, deep in sizes), default=0)
        if count > _MAX_NODES or depth > _MAX_DEPTH + 1:
            raise _malformed(self._path, f"it unfolds to more than {_MAX_NODES} values or {_MAX_DEPTH} levels")
        self._open.remove(id(node))
        self._seen[id(node)] = count, depth
        return count, depth

    def _check_tag(self, node: Any) -> None:
        kind, _, name = node.tag.rpartition(":")
        form = _FORMS.get(name) if kind == _TAG else None
        if form is None or form.id != node.id:
            raise _malformed(self._path, f"it holds a value that JSON cannot carry: {node.tag}")
        if name == "str" and _LONE_SURROGATE.search(node.value):
            # One of the two loaders refuses the escape by itself.
            raise _malformed(self._path, "a text holds half a surrogate pair")
        # A tag can be written out; the value must still be one that would have got it.
        if form.pattern is not None and form.pattern.fullmatch(node.value) is None:
            raise _malformed(self._path, f"{node.value[:40]!r} is no {name}")
        if name in {"int", "float"} and not _fits(node.value, name):
            raise _malformed(self._path, f"the number {node.value[:40]} is too long or too large")

    def _children(self, node: Any) -> list[Any]:
        if node.id == "scalar":
            return []
        if node.id == "sequence":
            return list(node.value)
        keys = [key for key, _ in node.value if key.tag != f"{_TAG}:merge"]
        for key in keys:
            self._check_tag(key)
        if any(key.tag != f"{_TAG}:str" for key in keys):
            raise _malformed(self._path, "a key is not text")
        if len({key.value for key in keys}) != len(keys):
            raise _malformed(self._path, "a key stands twice in one mapping")
        return [value for _, value in node.value]


def _base_loader() -> Any:
    import yaml  # noqa: PLC0415

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def _loader() -> Any:
    """Return the safe loader with YAML 1.2 scalars."""
    base = _base_loader()

    class CoreLoader(base):  # type: ignore[misc, valid-type]  # one of two loaders, known only at run time
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the name and form PyYAML asks for

    for name, pattern, first in _SCALARS:
        first_letters = ["" if letter == "\0" else letter for letter in first]
        CoreLoader.add_implicit_resolver(f"{_TAG}:{name}", _Whole(re.compile(pattern)), first_letters)
    CoreLoader.add_constructor(f"{_TAG}:int", lambda _, node: _integer(node.value))
    CoreLoader.add_constructor(f"{_TAG}:float", lambda _, node: float(node.value))
    return CoreLoader


def _fits(number: str, kind: str) -> bool:
    return len(number) <= MAX_NUMBER_CHARACTERS and (kind == "int" or math.isfinite(float(number)))


def _integer(text: str) -> int:
    return int(text, {"0x": 16, "0o": 8}.get(text[:2], 10))


class _Whole(NamedTuple):
    """A resolver's pattern that must match the whole scalar; PyYAML calls ``match``."""

    expression: re.Pattern[str]

    def match(self, text: str) -> bool:
        return self.expression.fullmatch(text) is not None


def _malformed(path: RepoPath, why: str) -> errors.WorkflowMalformed:
    return errors.WorkflowMalformed(
        f"the frontmatter of {path} cannot be read: {why}", expected="YAML without surprises", found=why[:200]
    )
