"""Writes the parts of the documents that the code knows best.

A document marks such a part with ``<!-- generated: NAME -->`` and ``<!-- end -->``; what stands
between is replaced. With ``--check`` nothing is written, and a stale page fails.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import GenericAlias, ModuleType
from typing import Any

from interfaces import http_paths, problem_codes, python_api
from settings import front_settings, presets, rare_settings

import veridical
import veridical.check
import veridical.client
import veridical.engines
import veridical.tools
from veridical import gate, ontology, skills, testing
from veridical.check.checker import DEFAULT_MODES
from veridical.check.from_call import AGGREGATES, OPERATORS
from veridical.contracts.proof import GateCode
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code, Mode
from veridical.engines.kind import Lock, Orphan
from veridical.engines.registry import SHIPPED
from veridical.gate.policy import DEFAULT
from veridical.ontology import model
from veridical.ontology.catalog import Catalog
from veridical.ontology.enums import compile_enums
from veridical.ontology.json_schema import file_models, ontology_schema
from veridical.ontology.model import ConstraintRule
from veridical.requirements.policy.issue import PAIR_WEIGHTS
from veridical.requirements.policy.review_policy import PAIR_RULES
from veridical.requirements.relations.relation import RelationKind
from veridical.requirements.report.sarif import standard_ids
from veridical.requirements.rules import RULES
from veridical.tools.known_question import KNOWN_QUESTION
from veridical.tools.registry import TOOL_NAMES
from veridical.tools.toolbox import tool_schemas

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "veridical"
SKILL = "SKILL.md"
_KEY_TITLES = {"OntologyDescriptor": "The file", "CanonicalQueryPattern": "Canonical pattern"}
MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def layout() -> str:
    """The tree of the package: one line per folder with its purpose."""
    lines = [("src/veridical/", _purpose(SOURCE / "__init__.py")), *_tree(SOURCE, 1)]
    width = max(len(name) for name, _ in lines) + 2
    listed = "\n".join(f"{name:<{width}}{purpose}" for name, purpose in lines)
    return f"```text tree\n{listed}\n```"


def _tree(folder: Path, depth: int) -> Iterable[tuple[str, str]]:
    for init in sorted(folder.glob("*/__init__.py")):
        yield f"{'  ' * depth}{init.parent.name}/", _purpose(init)
        yield from _tree(init.parent, depth + 1)


def _purpose(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    if not text:
        raise SystemExit(f"{path.relative_to(ROOT)} has no docstring that says its purpose")
    return _paragraph(text).split(". ")[0].rstrip(".")


def layers() -> str:
    """The layers, from those that may import everything to those that import nothing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    return f"    {' → '.join(contract['layers'])}"


def public_names() -> str:
    """What ``veridical`` exports."""
    return _table(
        ("name", "what it is"),
        ((f"`{name}`", _paragraph(getattr(veridical, name).__doc__)) for name in veridical.__all__),
    )


def _paragraph(text: str) -> str:
    return " ".join(text.replace("``", "`").strip().split("\n\n")[0].split())


def codes() -> str:
    """Every code with the mode it starts in and the hints it is given with."""
    rows = (
        (f"`{code}`", DEFAULT_MODES.get(code, Mode.BLOCK).value, "<br>".join(_hints(code)))
        for code in Code
    )
    return _table(("code", "mode at first", "hints"), rows)


def gate_codes() -> str:
    """Every code of the answer gate with its hints and what a user reads instead of the answer."""
    texts = tomllib.loads((SOURCE / "messages/gate.toml").read_text("utf-8"))
    rows = (
        (
            f"`{code}`",
            DEFAULT.mode_of(code).value,
            "<br>".join(_hints(code, ("gate",))),
            _inline(texts[f"friendly_{code}"]["en"]),
        )
        for code in GateCode
    )
    return _table(("code", "mode at first", "hints", "what a user reads"), rows)


def requirement_rules() -> str:
    """Every rule for requirements with its weight, its criteria and its names in the standards."""
    texts = tomllib.loads((SOURCE / "messages/review.toml").read_text("utf-8"))
    rows = [
        (rule.id, rule.weight.value, ", ".join(each.value for each in rule.criteria))
        for rule in RULES
    ]
    rows += [
        (rule, PAIR_WEIGHTS[kind].value, "consistency" if kind is RelationKind.CONFLICT else "–")
        for rule, kind in PAIR_RULES.items()
    ]
    return _table(
        ("rule", "what it finds", "weight", "criteria", "standards"),
        (
            (
                f"`{rule}`",
                _inline(texts[f"rule_{rule}"]["en"]),
                weight,
                criteria,
                ", ".join(standard_ids(rule)),
            )
            for rule, weight, criteria in rows
        ),
    )


def _exported(module: ModuleType, prefix: str = "") -> str:
    """What a module offers."""
    named = ((name, getattr(module, name)) for name in module.__all__)
    rows = (
        (f"`{prefix}{name}`", _inline(_paragraph(value.__doc__)))
        for name, value in named
        if value.__doc__ and not isinstance(value, GenericAlias)
    )
    return _table(("name", "what it is"), rows)


def client() -> str:
    """The front door: each function as it is called, with what it does."""
    opened, shared, awaited = (
        _functions(SOURCE / "client" / f"{name}.py")
        for name in ("opened", "access", "async_client")
    )
    calls = {
        "veridical.open": opened["open"],
        "await client.ask": awaited["AsyncClient.ask"],
        "client.conversation": awaited["AsyncClient.conversation"],
        "await conversation.ask": awaited["AsyncConversation.ask"],
        "client.check": shared["Access.check"],
        "await client.run": awaited["AsyncClient.run"],
        "client.gate": shared["Access.gate"],
        "client.context": shared["Access.context"],
        "client.toolbox": shared["Access.toolbox"],
    }
    return "\n\n".join(_called(name, function) for name, function in calls.items())


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(path: Path) -> dict[str, Function]:
    """Functions by name, methods by ``Class.name``."""
    body = ast.parse(path.read_text("utf-8")).body
    methods = {
        f"{each.name}.{method.name}": method
        for each in body
        if isinstance(each, ast.ClassDef)
        for method in each.body
        if isinstance(method, Function)
    }
    return methods | {each.name: each for each in body if isinstance(each, Function)}


def _parameters(arguments: ast.arguments) -> Iterable[str]:
    required: list[ast.expr | None] = [None] * (len(arguments.args) - len(arguments.defaults))
    for each, default in zip(arguments.args, required + arguments.defaults, strict=True):
        yield _parameter(each, default)
    if arguments.kwonlyargs:
        yield "*"
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(each, default)


def _parameter(each: ast.arg, default: ast.expr | None) -> str:
    value = f" = {ast.unparse(default)}".replace("'", '"') if default else ""
    return f"{ast.unparse(each)}{value}"


def _called(name: str, function: Function) -> str:
    parts = [part for part in _parameters(function.args) if part != "self"]
    returned = ast.unparse(function.returns).strip("'") if function.returns else ""
    one_line = f"{name}({', '.join(parts)}) -> {returned}"
    spread = "".join(f"    {part},\n" for part in parts)
    call = one_line if len(one_line) < 100 else f"{name}(\n{spread}) -> {returned}"
    text = " ".join((ast.get_docstring(function) or "").split()).replace("``", "`")
    return f"```text signature\n{call}\n```\n\n{text}"


def _hints(code: str, stages: tuple[str, ...] = ("check", "metric", "flow")) -> Iterable[str]:
    for stage in stages:
        texts = tomllib.loads((SOURCE / f"messages/{stage}.toml").read_text("utf-8"))
        for name, text in texts.items():
            if name == code or name.startswith(f"{code}_"):
                yield _inline(text["en"]).replace("{did_you_mean}", "")


def constraints() -> str:
    """Every rule that a constraint may demand."""
    tree = ast.parse((SOURCE / "ontology/constraint_rule.py").read_text("utf-8"))
    body = next(
        node.body
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == ConstraintRule.__name__
    )
    texts = {
        name.targets[0].id: ast.literal_eval(text.value)
        for name, text in pairwise(body)
        if isinstance(name, ast.Assign)
        and isinstance(name.targets[0], ast.Name)
        and isinstance(text, ast.Expr)
    }
    return _table(
        ("rule", "what it demands"),
        ((f"`{rule}`", _inline(texts[rule])) for rule in ConstraintRule),
    )


def ontology_keys() -> str:
    """Every key of an ontology file, by the thing that it belongs to."""
    schema = ontology_schema()
    models = {model.OntologyDescriptor.__name__: schema, **schema["$defs"]}
    return "\n\n".join(_keys_of(name, models[name]) for name in file_models())


def _keys_of(name: str, described: dict[str, Any]) -> str:
    title = _KEY_TITLES.get(name, name)
    needed = described.get("required", ())
    rows = (
        (f"`{key}`", _key_type(value), "yes" if key in needed else "", value["description"])
        for key, value in described["properties"].items()
    )
    return f"## {title}\n\n" + _table(("key", "value", "needed", "meaning"), rows)


def _key_type(value: dict[str, Any]) -> str:
    """The kind of value, with the closed list where there is one."""
    kinds = value.get("anyOf") or [value]
    told = [_one_type(each) for each in kinds if each.get("type") != "null"]
    return " or ".join(dict.fromkeys(told))


def _one_type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[-1]
        choices = getattr(model, name, None) or {ValueType.__name__: ValueType}.get(name)
        if isinstance(choices, type) and issubclass(choices, StrEnum):
            return ", ".join(f"`{each.value}`" for each in choices)
        return name
    if value.get("type") == "array":
        inner = _key_type(value.get("items", {}))
        return f"list of {inner}" if inner else "list"
    names = {"string": "text", "object": "mapping", "integer": "number", "boolean": "true or false"}
    kind = str(value.get("type", ""))
    return names.get(kind, kind)


_LOCKS = {
    Lock.ROW_POLICIES: "row policies",
    Lock.VIEWS: "views behind the authorizer",
    Lock.FILTERS: "filters of the connection",
    Lock.PARSER: "tables as its parser finds them",
    Lock.NONE: "none",
}


_ORPHANS = {
    Orphan.BY_NAME: "found by its name and ended",
    Orphan.BY_SERVER: "ended by the server",
    Orphan.IN_PROCESS: "dies with the worker",
    Orphan.RUNS_ON: "runs to its time limit",
}


def engines() -> str:
    """Every engine of the registry."""
    rows = (
        (
            kind.title,
            ", ".join(f"`{each}`" for each in kind.addresses),
            f"`{kind.dialect}`",
            str(kind.label),
            _LOCKS[kind.lock],
            kind.limits,
            _ORPHANS[kind.orphan],
            f"`{kind.extra}`" if kind.extra else "none",
        )
        for kind in SHIPPED
    )
    return _table(
        ("engine", "addresses", "dialect", "label", "tenants", "limits by", "orphans", "extra"),
        rows,
    )


def cli() -> str:
    """The help of every command."""
    command = (sys.executable, "-m", "typer", "veridical.cli.main", "utils", "docs")
    done = subprocess.run(  # noqa: S603
        [*command, "--name", "veridical"], capture_output=True, text=True, check=True
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines()[2:])


def tools() -> str:
    """Every tool with its arguments, as a model is told of them; known questions come with an
    ontology."""
    enums = compile_enums(Catalog(), AGGREGATES, OPERATORS)
    names = (name for name in TOOL_NAMES if name != KNOWN_QUESTION)
    return "\n\n".join(_tool(each["function"]) for each in tool_schemas(enums, names))


def _tool(function: dict[str, Any]) -> str:
    parameters = function["parameters"]
    rows = (
        (
            f"`{name}`",
            _type(schema),
            "yes" if name in parameters["required"] else "",
            _inline(schema["description"]),
        )
        for name, schema in parameters["properties"].items()
    )
    arguments = _table(("argument", "type", "required", "meaning"), rows)
    return f"## `{function['name']}`\n\n{_inline(function['description'])}\n\n{arguments}"


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"enum": values}:
            return "one of " + ", ".join(f"`{value}`" for value in values)
        case {"anyOf": kinds}:
            return " or ".join(map(_type, kinds))
        case {"type": "array", "items": item}:
            return f"list of {_type(item)}"
        case {"type": "object", "properties": parts}:
            return "{" + "; ".join(f"`{name}`: {_type(part)}" for name, part in parts.items()) + "}"
        case {"type": str(kind)}:
            return kind
        case _:
            return " or ".join(schema["type"])


def adapter(name: str) -> str:
    """One of the programs of ``examples/adapters``."""
    path = ROOT / "examples" / "adapters" / f"{name}.py"
    code = path.read_text("utf-8").partition('"""\n\n')[2]
    return f"```python not-run: tests/release runs it with its framework\n{code}```"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _inline(text: str) -> str:
    return text.replace("``", "`").replace("|", "\\|").replace("\n", " ")


PARTS: dict[str, Callable[[], str]] = {
    "adapter": partial(adapter, "pydantic_ai_agent"),
    "adapter-shared": partial(adapter, "checked_question"),
    "layers": layers,
    "layout": layout,
    "public-names": public_names,
    "codes": codes,
    "gate-codes": gate_codes,
    "requirement-rules": requirement_rules,
    "client": client,
    "check-names": partial(_exported, veridical.check),
    "client-names": partial(_exported, veridical.client),
    "engine-names": partial(_exported, veridical.engines),
    "gate-names": partial(_exported, gate, "gate."),
    "ontology-names": partial(_exported, model),
    "ontology-package-names": partial(_exported, ontology),
    "skill-names": partial(_exported, skills),
    "testing-names": partial(_exported, testing),
    "tool-names": partial(_exported, veridical.tools),
    "constraints": constraints,
    "ontology-keys": ontology_keys,
    "cli": cli,
    "engines": engines,
    "tools": tools,
    "python-api": python_api,
    "http-paths": http_paths,
    "problem-codes": problem_codes,
    "presets": presets,
    "front-settings": front_settings,
    "rare-settings": rare_settings,
}


def main(check: bool) -> int:
    """Fill the marked parts; the number of pages that were stale."""
    stale = 0
    for page in sorted(ROOT.glob("docs/**/*.md")):
        old = page.read_text("utf-8")
        new = MARKED.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n\n{found[3]}", old)
        if new != old:
            stale += 1
            print(
                f"{page.relative_to(ROOT)}: {'stale, run `make reference`' if check else 'written'}"
            )
            if not check:
                page.write_text(new, "utf-8")
    return stale if check else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
