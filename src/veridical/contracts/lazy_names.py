"""Public names that are loaded when they are first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from veridical.contracts.extras import named_when_missing, require


def lazy_names(
    package: str, homes: Mapping[str, str], extras: Mapping[str, tuple[str, ...]] | None = None
) -> Callable[[str], Any]:
    """A package's ``__getattr__``: each module with the names that it has, the module below the
    package unless its whole name is given.

    A name whose packages are not installed raises ``MissingExtraError``, which names the extra to
    install; ``extras`` are those of names that need several, or need one only when they are used.
    """
    needed = extras or {}
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        require(*needed.get(name, ()))
        with named_when_missing():
            home = home_of[name]
            whole = home if home.startswith("veridical.") else f"{package}.{home}"
            found = getattr(import_module(whole), name)
        setattr(sys.modules[package], name, found)  # from now on it is there at once
        return found

    return get
