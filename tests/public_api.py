"""The public interface as text: every name with its signature, one line each.

``python -m tests.public_api`` writes ``tests/public_api.txt`` anew. What changes there changes for
users: it belongs into the change log.
"""

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel

import veridical

_PLAIN = (str, int, float, type(None))
RELEASED = Path(__file__).with_suffix(".txt")


def public_api() -> str:
    """What ``veridical`` offers, as this checkout has it."""
    return "".join(f"{line}\n" for line in _module("veridical", veridical))


def _plain(annotated: str) -> str:
    """Without the modules that types live in, and without addresses in memory."""
    return re.sub(r"(?<![\w.])(?:[a-z_]\w*\.)+|<function | at 0x[0-9a-f]+>", "", annotated)


def _module(path: str, module: ModuleType) -> Iterator[str]:
    for name in sorted(module.__all__):
        yield from _named(f"{path}.{name}", getattr(module, name))


def _named(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, ModuleType):
        yield from _module(path, value)
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
            needed = "" if field.is_required() else " = …"
            yield f"{path}.{name}: {_plain(inspect.formatannotation(field.annotation))}{needed}"
    else:
        yield f"{path}{_signature(kind)}"
    for name, member in sorted(vars(kind).items()):
        if name.startswith("_") or name in {"model_config", "model_post_init"}:
            continue
        if isinstance(member, property):
            yield f"{path}.{name} -> {_returned(member.fget)}"
        elif isinstance(member, classmethod | staticmethod):
            yield f"{path}.{name}{_signature(getattr(kind, name))}"
        elif inspect.isfunction(member):
            yield f"{path}.{name}{_signature(member)}"


class _Default:
    """Stands for a value whose text differs from one run or Python to the next."""

    def __repr__(self) -> str:
        return "…"


def _signature(value: Any) -> str:
    found = inspect.signature(value)
    parameters = [
        each
        if each.default is each.empty or isinstance(each.default, _PLAIN)
        else each.replace(default=_Default())
        for each in found.parameters.values()
    ]
    return _plain(str(found.replace(parameters=parameters)))


def _returned(getter: Any) -> str:
    return _plain(inspect.formatannotation(inspect.signature(getter).return_annotation))


if __name__ == "__main__":
    RELEASED.write_text(public_api(), "utf-8")
