"""The secrets that the environment names for redaction (reference 1.6). Their values are never printed."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

_NAMES: Final = "GH_AW_SECRET_NAMES"
_SECRETS: Final = "SECRET_*"


def named_secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of every ``SECRET_*`` variable, and of those that ``GH_AW_SECRET_NAMES`` lists."""
    listed = frozenset(re.split(r"[,\s]+", environ.get(_NAMES, "")))
    return tuple(environ[name] for name in sorted(environ) if name in listed or fnmatchcase(name, _SECRETS))
