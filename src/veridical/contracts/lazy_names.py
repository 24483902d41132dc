"""Public names that are loaded when they are first used."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from veridical.contracts.extras import named_when_missing, require


def lazy_names(
    package: str, homes: Mapping[str, str], extras: Mapping[str, tuple[str, ...]] | None = None
) -> Callable[[str], Any]:
    """A package's ``__getattr__``: each name with the module that has it, below the package unless
    its whole name is given.

    A name whose packages are not installed raises ``MissingExtraError``, which names the extra to
    install; ``extras`` are those of names that need several, or need one only when they are used.
    """
    needed = extras or {}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        require(*needed.get(name, ()))
        with named_when_missing():
            home = homes[name]
            whole = home if home.startswith("veridical.") else f"{package}.{home}"
            return getattr(import_module(whole), name)

    return get
