"""Packages whose public names are loaded when first asked for: whoever uses one module loads no other.

A name must not be that of a module of its package, which Python sets as soon as that module is loaded.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def names_of(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of ``package``: ``homes`` has the public names of each of its modules."""
    home_of = {name: module for module, names in homes.items() for name in names}

    def find(name: str) -> object:
        module = home_of.get(name)
        if module is None:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg)
        return getattr(import_module(f"{package}.{module}"), name)

    return find
