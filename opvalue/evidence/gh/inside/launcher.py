"""The program itself: read the modules laid beside it, and start. Assembled below a ``#!`` line."""

import posix
import sys
from _frozen_importlib import ModuleSpec
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

PACKAGE = "gh_stand_in"
CODE = "gh.code"
MAKER = sys.version.encode("unicode_escape")
"""The interpreter, as the first line of the code's file names it: compiled code is for the one that made it."""


class Modules:
    """The import hook: modules by name, as compiled code, that were made by this very interpreter."""

    def __init__(self, modules: "dict[str, bytes]") -> None:
        self._modules = modules

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """Return the specification of a module of ours, or ``None``."""
        del path, target
        if name not in self._modules:
            return None
        return ModuleSpec(name, self, is_package=name == PACKAGE)  # type: ignore[arg-type]  # has what is called

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run a module's code."""
        exec(loads(self._modules[module.__name__]), vars(module))  # noqa: S102, S302 - made by the parent


def contents(file: str) -> bytes:
    """Return what a file holds."""
    descriptor = posix.open(file, posix.O_RDONLY | posix.O_CLOEXEC)
    parts = []
    while part := posix.read(descriptor, 1 << 18):
        parts.append(part)
    posix.close(descriptor)
    return b"".join(parts)


def main(program: str) -> None:
    """Start the stand-in that lies where ``program`` does; end the process."""
    folder = program.rpartition("/")[0] or "."
    try:
        maker, _, code = contents(f"{folder}/{CODE}").partition(b"\n")
        modules, values = loads(code) if maker == MAKER else ({}, ())  # noqa: S302 - made by the parent
    except (OSError, ValueError, EOFError, TypeError):
        modules, values = {}, ()
    if not modules:
        posix.write(2, b"gh: the stand-in's code is not there, or was made for another Python\n")
        posix._exit(1)  # noqa: SLF001 - runs nothing more
    sys.meta_path.insert(0, Modules(modules))
    sys.modules[PACKAGE + ".launcher"] = sys.modules["__main__"]
    __import__(PACKAGE + ".main")
    sys.modules[PACKAGE + ".main"].start(folder, values)


if __name__ == "__main__":
    main(sys.argv[0])
