"""Commands that other packages bring by the entry point ``opvalue.commands``.

Those of our own distribution are read from the one file that lists them, since asking for all that is installed loads
readers of mail and of zip files, a fifth of the time in which a quick command ends. Elsewhere everything is asked.
"""

from importlib import import_module
from pathlib import Path
from typing import Final

import opvalue
from opvalue.cli.errors import CommandNotInstalled

GROUP: Final = "opvalue.commands"
_INSTALLED: Final = Path(opvalue.__file__).parent.parent


def brought(name: str, installed: Path = _INSTALLED) -> object:
    """Return the command of that name. ``installed`` is where packages lie. Raises ``CommandNotInstalled``."""
    place = _of_our_distribution(name, installed)
    if place is not None:
        module, _, attribute = place.partition(":")
        return getattr(import_module(module), attribute)
    from importlib.metadata import entry_points  # noqa: PLC0415 - see above

    for found in entry_points(group=GROUP, name=name):
        return found.load()
    raise CommandNotInstalled(f"the command {name} is not installed", expected="the package that brings it")


def _of_our_distribution(name: str, installed: Path) -> str | None:
    """Return ``module:attribute``; ``None`` where our distribution is not listed there, or brings no such command."""
    listed = installed / f"opvalue-{opvalue.__version__}.dist-info" / "entry_points.txt"
    try:
        text = listed.read_text(encoding="utf-8")
    except OSError:
        return None
    section = text.partition(f"[{GROUP}]\n")[2].partition("\n[")[0]
    rows = (row.partition("=") for row in section.splitlines())
    return next((place.strip() for key, _, place in rows if key.strip() == name), None)
