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
from types import ModuleType
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from veridical.contracts.wire import Wire

PUBLIC_MODULES = ("veridical", "veridical.gate")
"""The modules whose ``__all__`` is public; every other module may change without notice."""
RELEASED = Path(__file__).with_name("public_api.txt")

_PLAIN = (str, int, float, type(None))
_OF_PYDANTIC = frozenset({"model_config", "model_post_init"})


def public_api() -> str:
    """What the public modules offer, as this checkout has it."""
    lines = (line for name in PUBLIC_MODULES for line in _module(name, import_module(name)))
    return "".join(f"{line}\n" for line in lines)


def write_snapshot() -> None:
    """Makes this checkout's interface the released one."""
    RELEASED.write_text(public_api(), "utf-8")


def _module(path: str, module: ModuleType) -> Iterator[str]:
    for name in sorted(module.__all__):
        yield from _named(f"{path}.{name}", getattr(module, name))


def _named(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, ModuleType):
        assert value.__name__ in PUBLIC_MODULES, value.__name__
        yield f"{path}: module"
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
        for name, field in kind.model_fields.items():
            annotation = _plain(inspect.formatannotation(field.annotation))
            yield f"{path}.{name}: {annotation}{_default(field)}"
    else:
        yield f"{path}{_signature(kind)}"
    yield from _members(path, kind)


def _members(path: str, kind: type) -> Iterator[str]:
    """Methods and properties, also those of our own base classes."""
    own = [each for each in kind.__mro__ if each is kind or _is_ours(each)]
    found = {name: member for each in reversed(own) for name, member in vars(each).items()}
    for name, member in sorted(found.items()):
        if name.startswith("_") or name in _OF_PYDANTIC:
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
    parameters = [
        each
        if each.default is each.empty or isinstance(each.default, _PLAIN)
        else each.replace(default=_Default())
        for each in found.parameters.values()
    ]
    awaited = " (async)" if inspect.iscoroutinefunction(value) else ""
    return _plain(str(found.replace(parameters=parameters))) + awaited


def _returned(getter: Any) -> str:
    return _plain(inspect.formatannotation(inspect.signature(getter).return_annotation))


def _plain(annotated: str) -> str:
    """Without the modules that types live in, and without addresses in memory."""
    return re.sub(r"(?<![\w.])(?:[a-z_]\w*\.)+|<function | at 0x[0-9a-f]+>", "", annotated)


if __name__ == "__main__":
    write_snapshot()
