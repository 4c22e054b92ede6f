"""From ``graders`` maps to a configuration, or to everything that is wrong with them (Graders Specification 3).

1. Each map is checked by itself: ids, fields, types, forms, what a built-in or custom grader may carry. Disabled
   entries are checked like the others, and so is what a later map overrides.
2. The maps are merged in order, field by field, ``config`` key by key; a later one wins.
3. What fields owe each other is judged on what came out: a script or a file, bounds, a threshold within them.

No files here; where something stands in one, the caller's ``Place`` says.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from opvalue.graders.configuration import errors
from opvalue.graders.configuration.entry import (
    OPERATIONAL_VALUE,
    Configuration,
    Entry,
    Source,
    declared,
    in_manifest_order,
)
from opvalue.graders.configuration.errors import (
    MOST_FINDINGS,
    ConfigurationFault,
    ConfigurationRefused,
    Position,
)
from opvalue.graders.configuration.fields import CHECKS, resolved
from opvalue.graders.metadata import BUILTIN, DEFAULTS
from opvalue.identity import Digest
from opvalue.identity.objects import WORKFLOWS
from opvalue.records.outcome import HIGHER_IS_BETTER
from opvalue.strictjson import JsonObject, JsonValue, kind_of

Place: TypeAlias = Callable[[tuple[str, ...], bool], Position | None]
"""Where the value at a path below ``graders`` stands; with true, where its key does."""

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")


def _nowhere(_path: tuple[str, ...], _key: bool, /) -> Position | None:
    return None


class Layer(NamedTuple):
    """One ``graders`` map as it was read: an import's, or the workflow's own."""

    value: JsonValue
    folder: str = WORKFLOWS
    """The folder of the file that declares it, from the repository root: ``./`` in ``run`` is beside it."""
    place: Place = _nowhere


class _Field(NamedTuple):
    """A declared value, the path it was declared at, and whether it passed its own check."""

    value: Any
    path: tuple[str, ...]
    place: Place
    sound: bool


class _Declared(NamedTuple):
    """What all maps together say of one grader."""

    path: tuple[str, ...]
    place: Place
    fields: dict[str, _Field]


def configure(value: JsonValue) -> Configuration:
    """Return the configuration that one ``graders`` map asks for; absent is ``None``.

    ``./`` in ``run`` is beside the workflows. Raises ``ConfigurationRefused`` with every fault found.
    """
    return configured((Layer(value),))


def configured(layers: Sequence[Layer]) -> Configuration:
    """Return the configuration of several maps, later ones winning. Raises ``ConfigurationRefused``."""
    graders: dict[str, _Declared] = {}
    findings = list(islice(_faults(layers, graders), MOST_FINDINGS))
    if findings:
        raise ConfigurationRefused(findings)
    entries = [_entry(identifier, grader) for identifier, grader in graders.items()]
    silent = [declared(row) for row in DEFAULTS if row.id not in graders]
    return in_manifest_order((*entries, *silent))


def _faults(layers: Sequence[Layer], graders: dict[str, _Declared]) -> Iterator[ConfigurationFault]:
    """Merge the maps into ``graders``, and yield what is wrong."""
    for layer in layers:
        yield from _add(layer, graders)
    for identifier, grader in graders.items():
        yield from _between_fields(identifier, grader)


def _add(layer: Layer, graders: dict[str, _Declared]) -> Iterator[ConfigurationFault]:
    """Check one map, add its entries to ``graders``, and yield what is wrong."""
    if layer.value is None:
        return
    if not isinstance(layer.value, dict):
        expected, found = "a map of grader ids to settings, or nothing", kind_of(layer.value)
        yield _placed(errors.GradersNotAMap("graders is no map", expected=expected, found=found), layer, ())
        return
    spellings: dict[str, str] = {}
    for key, entry in layer.value.items():
        identifier = key.strip()
        if _ID.fullmatch(identifier) is None:
            fault: ConfigurationFault = errors.IdRefused(
                f"the id {key[:80]!r} is malformed", expected="a-z, then at most 63 of a-z, 0-9 and hyphen"
            )
            yield _placed(fault, layer, (key,), key=True)
            continue
        if identifier in spellings:
            both = f"{spellings[identifier]!r} and {key!r}"
            fault = errors.IdTwice(f"{both} are one id", expected="each id once", found=both)
            yield _placed(fault, layer, (key,), key=True)
            continue
        spellings[identifier] = key
        grader = graders.setdefault(identifier, _Declared((key,), layer.place, {}))
        yield from _read(layer, identifier, key, entry, grader)


def _read(layer: Layer, identifier: str, key: str, entry: JsonValue, grader: _Declared) -> Iterator[ConfigurationFault]:
    """Check one entry, add its fields to ``grader``, and yield what is wrong."""
    if entry is None:
        return
    if not isinstance(entry, dict):
        found = kind_of(entry)
        fault: ConfigurationFault = errors.EntryNotAMap(
            f"{identifier} is no map", expected="a map or nothing", found=found
        )
        yield _placed(fault, layer, (key,))
        # Nothing is known of what it was to carry.
        grader.fields.update({field: _Field(None, (key,), layer.place, sound=False) for field in ("script", "run")})
        return
    for field, value in entry.items():
        path = (key, field)
        if field not in CHECKS:
            known = (name for name in CHECKS if _misplaced(identifier, name) is None)
            fault = errors.FieldUnknown(f"{identifier} has no field {field[:80]!r}", expected=" | ".join(known))
            yield _placed(fault, layer, path, key=True)
            continue
        misplaced = _misplaced(identifier, field)
        if misplaced is not None:
            yield _placed(misplaced, layer, path, key=True)
        wrong = CHECKS[field](f"{field} of {identifier}", value)
        if wrong is not None:
            yield _placed(wrong, layer, path)
        sound = wrong is None and misplaced is None
        kept = resolved(str(value), layer.folder) if field == "run" and sound else value
        grader.fields[field] = _over(grader.fields.get(field), _Field(kept, path, layer.place, sound))


def _misplaced(identifier: str, field: str) -> ConfigurationFault | None:
    if field not in {"script", "run"}:
        return None
    if identifier in BUILTIN:
        return errors.BuiltinOverridden(f"{identifier} is a built-in and takes no {field}")
    if identifier == OPERATIONAL_VALUE:
        return None if field == "run" else errors.ScriptOnEvaluator(f"{identifier} takes no script")
    return None if field == "script" else errors.RunMisplaced(f"{identifier} takes no run")


def _over(earlier: _Field | None, later: _Field) -> _Field:
    if earlier is None or not (earlier.sound and later.sound and isinstance(later.value, dict)):
        return later
    return later._replace(value=_merged(earlier.value, later.value))


def _merged(earlier: JsonObject, later: JsonObject) -> JsonObject:
    merged = dict(earlier)
    for key, value in later.items():
        before = merged.get(key)
        merged[key] = _merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def _between_fields(identifier: str, grader: _Declared) -> Iterator[ConfigurationFault]:
    """Yield what is wrong between the fields of one grader, leaving out fields already found wrong."""
    needed = None if identifier in BUILTIN else "run" if identifier == OPERATIONAL_VALUE else "script"
    if needed is not None and needed not in grader.fields and "script" not in grader.fields:
        yield _missing(identifier, grader)
    low, high = (_number(identifier, grader, field) for field in ("min", "max"))
    if low is not None and high is not None and low > high:
        fault: ConfigurationFault = errors.BoundsReversed(
            f"min of {identifier} is greater than its max", expected=f"at most {high}", found=str(low)
        )
        yield _at(fault, _first_place(grader, "min", "max"))
        return
    threshold = _number(identifier, grader, "threshold")
    if threshold is None:
        return
    if (low is not None and threshold < low) or (high is not None and threshold > high):
        bounds = ((f"at least {low}", low), (f"at most {high}", high))
        expected = " and ".join(text for text, bound in bounds if bound is not None)
        fault = errors.ThresholdOutOfBounds(
            f"threshold of {identifier} lies outside its bounds", expected=expected, found=str(threshold)
        )
        yield _at(fault, _first_place(grader, "threshold", "min", "max"))


def _missing(identifier: str, grader: _Declared) -> ConfigurationFault:
    where = grader.place(grader.path, True)
    if identifier == OPERATIONAL_VALUE:
        return _at(errors.RunMissing(f"{identifier} names no file to run"), where)
    near = _similar(identifier)
    expected = f"a script, or a built-in such as {near}" if near else f"a script, or one of {', '.join(BUILTIN)}"
    return _at(errors.ScriptMissing(f"{identifier} is no built-in and has no script", expected=expected), where)


def _similar(identifier: str) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - only for whoever mistyped an id

    return next(iter(get_close_matches(identifier, BUILTIN, n=1, cutoff=0.75)), None)


def _number(identifier: str, grader: _Declared, field: str) -> float | None:
    """Return what a field comes to, the registry's where none is declared; ``None`` also where it was found wrong."""
    found = grader.fields.get(field)
    if found is not None:
        return found.value if found.sound else None
    row = BUILTIN.get(identifier)
    return None if row is None else {"min": row.minimum, "max": row.maximum, "threshold": row.threshold}[field]


def _first_place(grader: _Declared, *fields: str) -> Position | None:
    found = next(grader.fields[field] for field in fields if field in grader.fields)
    return found.place(found.path, False)


def _entry(identifier: str, grader: _Declared) -> Entry:
    given = {field: found.value for field, found in grader.fields.items()}
    base = declared(BUILTIN[identifier]) if identifier in BUILTIN else _custom(identifier)
    script = given.get("script")
    return base._replace(
        enabled=given.get("enabled", True),
        name=given.get("name", "").strip() or base.name,
        description=given.get("description") or base.description,
        unit=given.get("unit") or base.unit,
        direction=given.get("direction", base.direction),
        threshold=given.get("threshold", base.threshold),
        minimum=given.get("min", base.minimum),
        maximum=given.get("max", base.maximum),
        config=given.get("config", {}),
        script=script,
        run=given.get("run"),
        digest=None if script is None else Digest.of(script.encode()).hex,
    )


def _custom(identifier: str) -> Entry:
    evaluator = identifier == OPERATIONAL_VALUE
    return Entry(
        id=identifier,
        name=identifier,
        description=None,
        source=Source.OPERATIONAL_VALUE if evaluator else Source.INLINE,
        enabled=True,
        unit=None,
        direction=HIGHER_IS_BETTER if evaluator else None,
        threshold=None,
        minimum=None,
        maximum=None,
        config={},
        script=None,
        run=None,
    )


def _placed(fault: ConfigurationFault, layer: Layer, path: tuple[str, ...], *, key: bool = False) -> ConfigurationFault:
    return _at(fault, layer.place(path, key))


def _at(fault: ConfigurationFault, position: Position | None) -> ConfigurationFault:
    fault.position = position
    return fault
