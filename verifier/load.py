"""The edge that reads: a script, what it sources, its settings and cases, from the caller's files (DG-05).

Regular files only, below the repository's root, opened without following links. Nothing is imported from there.
"""

import os
import stat
from pathlib import Path
from typing import Final

from opvalue.evaluator import parse_with_shfmt
from opvalue.identity import PathRefused, RepoPath
from opvalue.limits import Limits
from opvalue.strictjson import JsonRefused, loads_object
from verifier.errors import CaseRefused, ScriptUnreadable, SettingsRefused
from verifier.registry import ids
from verifier.settings import FILE, Settings, parse_settings
from verifier.subject import Asked, Case, Subject

_SETTINGS_BYTES: Final = 64 * 1024


def load_subject(script: Path, *, root: Path | None, asked: Asked, limits: Limits | None = None) -> Subject:
    """Return the script as a subject. ``root`` is its repository's root; without it, looked for upwards.

    Raises ``ScriptUnreadable``.
    """
    limits = limits or Limits()
    real = Path(os.path.abspath(script))  # noqa: PTH100 - no link is to be followed
    base = Path(os.path.abspath(root)) if root is not None else repository_root(real)  # noqa: PTH100
    try:
        path = RepoPath.parse(real.relative_to(base).as_posix())
    except PathRefused as refused:
        raise ScriptUnreadable(
            f"{script} cannot be an evaluator: {refused.message}", expected=refused.expected
        ) from None
    except ValueError:
        raise ScriptUnreadable(
            f"{script} is not a file below {base}", hint="Name the repository with --checkout."
        ) from None
    data = _read(base, path, limits.evaluator_bytes + 1)
    if data is None:
        raise ScriptUnreadable(f"{script} is missing or is no regular file", expected="an evaluator's .sh file")

    def sibling(other: RepoPath) -> bytes | None:
        return _read(base, other, limits.sibling_bytes + 1)

    return Subject(str(script), path, data, read=sibling, parser=parse_with_shfmt, asked=asked)


def repository_root(script: Path) -> Path:
    """Return the nearest folder upwards with a ``.git``, or the script's own folder."""
    for folder in script.parents:
        if (folder / ".git").exists():
            return folder
    return script.parent


def load_settings(root: Path) -> Settings:
    """Return the settings of a repository; none is no settings. Raises ``SettingsRefused``."""
    data = _read(root, RepoPath.parse(FILE), _SETTINGS_BYTES + 1)
    if data is None:
        if os.path.lexists(root / FILE):
            raise SettingsRefused(f"{FILE} is no regular file", expected="the settings themselves, not a link")
        return Settings()
    if len(data) > _SETTINGS_BYTES:
        raise SettingsRefused(f"{FILE} is too large", expected=f"at most {_SETTINGS_BYTES:,} bytes")
    return parse_settings(data, ids())


def load_cases(folder: Path | None, limits: Limits | None = None) -> tuple[Case, ...]:
    """Return the cases below ``folder``, one a folder, in order of their names. Raises ``CaseRefused``."""
    if folder is None:
        return ()
    limits = limits or Limits()
    if not folder.is_dir():
        raise CaseRefused(f"{folder} is no folder of cases", expected="a folder that holds one folder a case")
    return tuple(_case(entry, limits) for entry in sorted(folder.iterdir()) if entry.is_dir())


def _case(folder: Path, limits: Limits) -> Case:
    request, expected = folder / "request.json", folder / "expected.json"
    try:
        document = loads_object(request.read_bytes(), what=request.name)
        answer = loads_object(expected.read_bytes(), what=expected.name)
    except (OSError, JsonRefused) as error:
        raise CaseRefused(f"the case {folder.name} cannot be read: {error}") from None
    value = answer.get("value")
    if "value" not in answer or isinstance(value, bool) or not (value is None or isinstance(value, int | float)):
        raise CaseRefused(f"the case {folder.name} expects no value", expected='{"value": a number or null}')
    bundle = folder / "evidence.bundle"
    kept = _read(folder, RepoPath.parse(bundle.name), limits.archive_bytes) if bundle.exists() else None
    return Case(folder.name, document, kept, value)


def _read(base: Path, path: RepoPath, most: int) -> bytes | None:
    """Return at most ``most`` bytes of a regular file below ``base``; no part of the path may be a link."""
    try:
        folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        *parents, name = str(path).split("/")
        for parent in parents:
            inner = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = inner
        found = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        return None
    with os.fdopen(found, "rb") as file:
        return file.read(most)
