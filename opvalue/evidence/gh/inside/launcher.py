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
IN_SANDBOX = "/tmp/opvalue/stand-in"  # noqa: S108 - in the sandbox's own /tmp
_MOST_LINKS = 8
_TEXT = b"gh: the stand-in's code was not found"
_NOTE = b"POST opvalue:unsupported HTTP/1.1\r\nHost: -\r\nContent-Length: %d\r\n\r\n%s" % (len(_TEXT), _TEXT)
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
    try:
        while part := posix.read(descriptor, 1 << 18):
            parts.append(part)
    finally:
        posix.close(descriptor)
    return b"".join(parts)


def folders(program: str) -> "list[str]":
    """Return where the code may lie: beside the program, beside what it links to, where the sandbox has it.

    A script may link to the program, or find it under the name of the gh that the machine has, which the sandbox
    replaces by this one.
    """
    found = [program.rpartition("/")[0] or "."]
    for _ in range(_MOST_LINKS):
        try:
            target = posix.readlink(program)
        except OSError:
            break
        program = target if target.startswith("/") else f"{found[-1]}/{target}"
        found.append(program.rpartition("/")[0] or "/")
    return [*found, IN_SANDBOX]


def load(folder: str) -> "tuple[dict[str, bytes], tuple[str, ...]] | None":
    """Return the modules and settings that lie in ``folder``, if they were made for this interpreter."""
    try:
        maker, _, code = contents(f"{folder}/{CODE}").partition(b"\n")
        return loads(code) if maker == MAKER else None  # noqa: S302 - made by the parent
    except (OSError, ValueError, EOFError, TypeError):
        return None


def give_up(places: "list[str]") -> None:
    """Say that nothing can be asked, to the broker first: it must not pass for an answer."""
    any(told(place) for place in places)
    posix.write(2, b"gh: the stand-in's code is not there, or was made for another Python\n")
    posix._exit(1)  # noqa: SLF001 - runs nothing more


def told(place: str) -> bool:
    """Tell the broker of the stand-in in ``place`` that its code was not found; say whether there is one."""
    import _socket  # noqa: PLC0415 - otherwise the modules' business

    try:
        peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    except OSError:
        return False
    try:
        peer.connect(f"{place}/../broker/socket")
        peer.sendall(_NOTE)
        peer.recv(64)
    except OSError:
        return False
    finally:
        peer.close()
    return True


def main(program: str) -> None:
    """Start the stand-in that lies where ``program`` does; end the process."""
    places = folders(program)
    folder, found = places[0], None
    for folder in places:
        found = load(folder)
        if found is not None:
            break
    if found is None:
        give_up(places)
        return
    modules, values = found
    sys.meta_path.insert(0, Modules(modules))
    sys.modules[PACKAGE + ".launcher"] = sys.modules["__main__"]
    __import__(PACKAGE + ".main")
    sys.modules[PACKAGE + ".main"].start(folder, values)


if __name__ == "__main__":
    main(sys.argv[0])
