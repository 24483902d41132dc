"""The public Python interface and the HTTP interface, as parts of the reference."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from veridical.server.app import ROUTERS
from veridical.server.openapi import describe
from veridical.server.problem import ProblemCode

ROOT = Path(__file__).parents[1]
_RELEASED = ROOT / "tests/api/public_api.txt"
_TITLES = ROOT / "src/veridical/messages/problem.toml"
_NAMED = re.compile(r"(veridical(?:\.[a-z_]+)*)\.([A-Za-z_]+)(.*)")


def python_api() -> str:
    """Every public name with its docstring, its signature and its members, by module."""
    lines = (_NAMED.fullmatch(line) for line in _RELEASED.read_text("utf-8").splitlines())
    found = [(line[1], line[2], f"{line[2]}{line[3]}") for line in lines if line]
    parts: list[str] = []
    for module, named in groupby(found, key=lambda each: each[0]):
        parts.append(f"## `{module}`")
        for name, told in groupby(named, key=lambda each: each[1]):
            parts += _name(module, name, [line for _, _, line in told])
    return "\n\n".join(parts)


def _name(module: str, name: str, told: list[str]) -> Iterator[str]:
    yield f"### `{name}`"
    text = getattr(getattr(import_module(module), name), "__doc__", None)
    if text and not name.startswith("__"):
        paragraph = " ".join(text.strip().split("\n\n")[0].split())
        yield paragraph.replace("``", "`").replace("<", "&lt;")
    lines = "\n".join(line.removeprefix(f"{name}.") if "." in line else line for line in told)
    yield f"```text signature\n{lines}\n```"


def http_paths() -> str:
    """Every path with its methods, parameters, body and answers, by what it is for."""
    app = FastAPI()
    for router in ROUTERS:
        app.include_router(router)
    operations = [
        (path, method.upper(), each)
        for path, methods in describe(app)["paths"].items()
        for method, each in methods.items()
    ]
    return "\n\n".join(part for each in operations for part in _operation(*each))


def _operation(path: str, method: str, told: dict[str, Any]) -> Iterator[str]:
    yield f"## `{method} {path}`"
    yield _sentence(told.get("description") or told.get("summary", ""))
    rows = [*_parameters(told), *_body(told)]
    if rows:
        yield _table(("given", "where", "needed", "type"), rows)
    answers = told["responses"].items()
    good = [(f"`{status}`", _answer(each)) for status, each in answers if status < "4"]
    yield _table(("status", "answer"), good)
    failed = ", ".join(f"`{status}`" for status, _ in answers if status >= "4")
    if failed:
        yield f"[Fails](#problems) with {failed}."


def _parameters(told: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for each in told.get("parameters", ()):
        needed = "yes" if each.get("required") else ""
        yield f"`{each['name']}`", each["in"], needed, _type(each["schema"])


def _body(told: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for kind, content in told.get("requestBody", {}).get("content", {}).items():
        yield f"`{kind}`", "body", "yes", _type(content["schema"])


def _answer(told: dict[str, Any]) -> str:
    schemas = (each.get("schema", {}) for each in told.get("content", {}).values())
    types = ", ".join(dict.fromkeys(filter(None, map(_type, schemas))))
    return _sentence(told.get("description", "")) + (f" ({types})" if types else "")


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"$ref": str(address)}:
            return f"`{address.rpartition('/')[2]}`"
        case {"anyOf": kinds} | {"oneOf": kinds}:
            return " or ".join(
                dict.fromkeys(_type(each) for each in kinds if each != {"type": "null"})
            )
        case {"type": "array", "items": item}:
            return f"list of {_type(item)}"
        case {"type": str(kind)}:
            return kind
        case _:
            return ""


def problem_codes() -> str:
    """Every code of a failed request with its status, who must act and how it is told."""
    texts = tomllib.loads(_TITLES.read_text("utf-8"))
    rows = (
        (
            f"`{code}`",
            str(code.status),
            code.actor.value,
            texts[f"{code.value.lower()}_title"]["en"],
        )
        for code in ProblemCode
    )
    return _table(("code", "status", "who must act", "title"), rows)


def _sentence(text: str) -> str:
    return " ".join(text.replace("``", "`").replace("|", "\\|").split())


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
