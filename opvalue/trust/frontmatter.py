"""The grader settings in a workflow's frontmatter, read from the trusted commit (DESIGN 4.7).

YAML is read with the scalars of YAML 1.2's core schema, as gh-aw reads it: ``on`` and ``yes`` are text, a date is
text, and ``012`` is twelve. Bounded: depth, aliases and size, before any recursion. Duplicate keys are refused.

Not read here: files. Not known here: how gh-aw merges anything but the grader's own entry from an import.
"""

import math
import re
from functools import cache
from typing import Any, Final, NamedTuple

from opvalue.identity import RepoPath
from opvalue.strictjson import JsonObject, is_number
from opvalue.trust import errors

_FENCE = re.compile(rb"\A---[ \t]*\r?\n(?P<yaml>.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)
_MAX_DEPTH: Final = 64
_MAX_ALIASES: Final = 64
_MAX_NODES: Final = 100_000
_SCALARS: Final = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("merge", r"<<", "<"),
)


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
    return GraderSettings(
        run=RepoPath.declared(run.strip(), beside=path.folder),
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
        document = yaml.load(text, Loader=_loader())  # noqa: S506 - built on the safe loader
    except UnicodeDecodeError:
        raise _malformed(path, "it is not UTF-8") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        where = str(error).replace("\n", " ")
        raise _malformed(path, where) from None
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise _malformed(path, "it is not a mapping")
    _check_plain(path, document)
    return document


def _check_bounds(path: RepoPath, text: str) -> None:
    # Events come one by one, so depth is known before the recursive loader meets it.
    import yaml  # noqa: PLC0415

    depth = aliases = 0
    for event in yaml.parse(text, Loader=_base_loader()):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > _MAX_DEPTH or aliases > _MAX_ALIASES:
            raise _malformed(path, f"it nests deeper than {_MAX_DEPTH} or uses more than {_MAX_ALIASES} aliases")


def _check_plain(path: RepoPath, document: JsonObject) -> None:
    """Refuse what JSON has no word for, a value that holds itself, and aliases that multiply without end."""
    nodes = 0
    level: list[object] = [document]
    for _ in range(_MAX_DEPTH + 1):
        nodes += len(level)
        if nodes > _MAX_NODES:
            break
        if not all(value is None or isinstance(value, str | int | dict | list) or _finite(value) for value in level):
            raise _malformed(path, "it holds a value that JSON cannot carry")
        level = [child for value in level for child in _children(value)]
        if not level:
            return
    raise _malformed(path, f"it unfolds to more than {_MAX_NODES} values or {_MAX_DEPTH} levels")


def _finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _base_loader() -> Any:
    import yaml  # noqa: PLC0415

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def _loader() -> Any:
    """Return the safe loader with YAML 1.2 scalars that refuses duplicate keys."""
    base = _base_loader()

    class CoreLoader(base):  # type: ignore[misc, valid-type]  # one of two loaders, known only at run time
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the name and form PyYAML asks for

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.value != "<<"]
            if any(not isinstance(key, str) for key in keys):
                msg = "a key is not text"
                raise ValueError(msg)
            if len(set(keys)) != len(keys):
                msg = "a key stands twice in one mapping"
                raise ValueError(msg)
            return super().construct_mapping(node, deep)

    for tag, pattern, first in _SCALARS:
        expression = re.compile(f"(?:{pattern})")
        first_letters = ["" if letter == "\0" else letter for letter in first]
        CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", _Whole(expression), first_letters)
    CoreLoader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(loader.construct_scalar(node)))
    CoreLoader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(loader.construct_scalar(node)))
    return CoreLoader


class _Whole(NamedTuple):
    """A resolver's pattern that must match the whole scalar; PyYAML calls ``match``."""

    expression: re.Pattern[str]

    def match(self, text: str) -> bool:
        return self.expression.fullmatch(text) is not None


def _malformed(path: RepoPath, why: str) -> errors.WorkflowMalformed:
    return errors.WorkflowMalformed(
        f"the frontmatter of {path} cannot be read: {why}", expected="YAML without surprises", found=why[:200]
    )
