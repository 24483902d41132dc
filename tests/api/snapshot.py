"""The public interface as text: every name with its signature, one line each.

``python -m tests.api.snapshot`` writes ``public_api.txt`` anew. What changes there changes for
users: it belongs into the change log.
"""

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import GenericAlias, ModuleType
from typing import Any, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from veridical.contracts.wire import Wire

PUBLIC_MODULES = (
    "veridical",
    "veridical.check",
    "veridical.client",
    "veridical.engines",
    "veridical.gate",
    "veridical.ontology",
    "veridical.ontology.model",
    "veridical.requirements",
    "veridical.search",
    "veridical.skills",
    "veridical.testing",
    "veridical.tools",
)
"""The modules whose ``__all__`` is public; every other module may change without notice."""
RELEASED = Path(__file__).with_name("public_api.txt")

_PLAIN = (str, int, float, type(None))
_NOT_BY_USERS = "Made by "
"""How the docstring of a constructor begins that nobody else is to call."""
_SPOKEN = frozenset({"__aenter__", "__bool__", "__call__", "__enter__"})
"""Special methods that users call, by writing ``with`` or ``if``."""
_OF_PYDANTIC = frozenset({"model_config", "model_post_init"})


def public_api() -> str:
    """What the public modules offer, as this checkout has it."""
    lines = (line for name in PUBLIC_MODULES for line in _module(name, import_module(name)))
    return "".join(f"{line}\n" for line in lines)


def write_snapshot() -> None:
    """Makes this checkout's interface the released one."""
    RELEASED.write_text(public_api(), "utf-8")


def _module(path: str, module: ModuleType) -> Iterator[str]:
    versions = ["__version__"] if hasattr(module, "__version__") else []
    for name in versions + sorted(module.__all__):
        yield from _named(f"{path}.{name}", getattr(module, name))


def _named(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, ModuleType):
        assert value.__name__ in PUBLIC_MODULES, value.__name__
        yield f"{path}: module"
    elif isinstance(value, GenericAlias):
        yield f"{path} = {_plain(str(value))}"
    elif isinstance(value, type):
        yield from _class(path, value)
    elif callable(value):
        yield f"{path}{_signature(value)}"
    else:
        yield f"{path}: {type(value).__name__}"


def _class(path: str, kind: type) -> Iterator[str]:
    if issubclass(kind, Enum):
        yield f"{path}: {', '.join(f'{each.name} = {each.value!r}' for each in kind)}"
        return
    if issubclass(kind, BaseException):
        yield f"{path}: {kind.__bases__[0].__name__}"
    elif issubclass(kind, BaseModel):
        yield f"{path}: model"
        hints = _hints(kind)
        for name, field in kind.model_fields.items():
            annotation = _plain(inspect.formatannotation(hints.get(name, field.annotation)))
            yield f"{path}.{name}: {annotation}{_default(field)}"
    elif (made := inspect.getdoc(kind.__init__) or "").startswith(_NOT_BY_USERS):
        yield f"{path}: {made.splitlines()[0]}"
    else:
        yield f"{path}{_signature(kind)}"
    yield from _members(path, kind)


def _members(path: str, kind: type) -> Iterator[str]:
    """Methods and properties, also those of our own base classes."""
    own = [each for each in kind.__mro__ if each is kind or _is_ours(each)]
    found = {name: member for each in reversed(own) for name, member in vars(each).items()}
    for name, member in sorted(found.items()):
        if (name.startswith("_") and name not in _SPOKEN) or name in _OF_PYDANTIC:
            continue
        if isinstance(member, property):
            yield f"{path}.{name} -> {_returned(member.fget)}"
        elif isinstance(member, cached_property):
            yield f"{path}.{name} -> {_returned(member.func)}"
        elif isinstance(member, classmethod | staticmethod) or inspect.isfunction(member):
            yield f"{path}.{name}{_signature(getattr(kind, name))}"


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "veridical" and kind is not Wire


class _Default:
    """Stands for a value whose text differs from one run or Python to the next."""

    def __repr__(self) -> str:
        return "…"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    return f" = {field.default!r}" if isinstance(field.default, _PLAIN) else " = …"


def _signature(value: Any) -> str:
    found = inspect.signature(value)
    hints = _hints(value.__init__ if isinstance(value, type) else value)
    parameters = [
        each.replace(
            annotation=hints.get(each.name, each.annotation),
            default=each.default if _is_told(each.default) else _Default(),
        )
        for each in found.parameters.values()
    ]
    shown = found.replace(
        parameters=parameters, return_annotation=hints.get("return", found.return_annotation)
    )
    awaited = " (async)" if inspect.iscoroutinefunction(value) else ""
    return _plain(str(shown)) + awaited


def _is_told(default: Any) -> bool:
    return default is inspect.Parameter.empty or isinstance(default, _PLAIN)


def _returned(getter: Any) -> str:
    returned = _hints(getter).get("return", inspect.signature(getter).return_annotation)
    return _plain(inspect.formatannotation(returned))


def _hints(annotated: Any) -> dict[str, Any]:
    """The annotations without what other packages attach to them, which changes with theirs."""
    try:
        return get_type_hints(annotated)
    except NameError:  # a name that only a type checker imports
        return {}


def _plain(annotated: str) -> str:
    """Without the modules that types live in, and without addresses in memory."""
    shorter = re.sub(r"(?<![\w.])(?:[a-z_]\w*\.)+|<function | at 0x[0-9a-f]+>", "", annotated)
    return shorter.replace("NoneType", "None")


if __name__ == "__main__":
    write_snapshot()
