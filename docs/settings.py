"""The settings as parts of the reference: presets, the few that people change, and the others."""

import ast
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

ROOT = Path(__file__).parents[1]
_SOURCE = ROOT / "src" / "veridical"

_MODELS = (
    ("", "agent/settings", "AgentSettings"),
    ("budget", "agent/budget", "Budget"),
    ("prices.NAME", "agent/budget", "Price"),
    ("features", "host/settings", "FeatureSettings"),
    ("features.approvals", "contracts/person", "Approvals"),
    ("features.cost", "contracts/cost", "CostBudget"),
    ("features.cost", "contracts/cost", "CostSettings"),
    ("features.keep", "contracts/keep", "KeepSettings"),
    ("features.gate", "host/settings", "FeatureGate"),
    ("features.search", "host/settings", "FeatureSearch"),
    ("gate", "gate/policy", "Policy"),
    ("requirements", "requirements/policy/review_policy", "ReviewPolicy"),
    ("requirements.types.NAME", "requirements/policy/review_policy", "TypePolicy"),
    ("runs", "store/settings", "OwnDatabase"),
    ("runs", "runs/settings", "RunsSettings"),
    ("runs.deadlines", "runs/inbox_item", "InboxDeadlines"),
    ("search", "search/score/settings", "ScoreSettings"),
    ("search.embedder", "search/embeddings/settings", "EmbedderSettings"),
    ("server", "server/settings", "ServerSettings"),
    ("oidc", "server/oidc_settings", "OidcSettings"),
)
"""The tables of ``veridical.toml``, each with the class that reads it."""
FRONT = (
    "model",
    "base_url",
    "api_key",
    "budget.rounds",
    "budget.cost",
    "features.name",
    "features.database",
    "features.ontology",
    "features.schemas",
    "features.role",
    "gate.show",
    "gate.reviewer",
    "runs.database_url",
    "runs.worker_concurrency",
    "runs.keep_runs_days",
    "search.embedder",
    "server.host",
    "server.port",
    "server.maintainers",
    "server.metrics_token",
)
"""The settings that people change."""


@dataclass(frozen=True)
class Setting:
    """One name of the file, with its default and what it means."""

    table: str
    name: str
    default: str
    meaning: str

    @property
    def path(self) -> str:
        """With the table before it."""
        return f"{self.table}.{self.name}" if self.table else self.name


def presets() -> str:
    """Every preset with what it sets."""
    written = tomllib.loads((_SOURCE / "contracts" / "presets.toml").read_text("utf-8"))
    rows = (
        (f"`{name}`", each["purpose"], "<br>".join(_set(each["sets"])))
        for name, each in written.items()
    )
    return _table(("preset", "for", "sets"), rows)


def front_settings() -> str:
    """The settings that people change."""
    known = {each.path: each for each in settings()}
    rows = ((f"`{path}`", known[path].default, known[path].meaning) for path in FRONT)
    return _table(("setting", "default", "meaning"), rows)


def rare_settings() -> str:
    """All others, by table."""
    parts: list[str] = []
    for table in dict.fromkeys(table for table, _, _ in _MODELS):
        rows = [
            (f"`{each.name}`", each.default, each.meaning)
            for each in settings()
            if each.table == table and each.path not in FRONT
        ]
        title = f"`[{table}]`" if table else "Outside of any table"
        title = title.replace("[features]", "[[features]]")
        parts += [f"### {title}", _table(("setting", "default", "meaning"), rows)]
    return "\n\n".join(parts)


@cache
def settings() -> tuple[Setting, ...]:
    """Every setting of the file; one that holds a table of its own is listed by its parts."""
    listed = [each for table, path, name in _MODELS for each in _fields(table, path, name)]
    tables = {f"{table}." for table, _, _ in _MODELS if table}
    apart = {each.path for each in listed if f"{each.path}." in tables} - {*FRONT}
    return tuple(each for each in listed if each.path not in apart)


def _fields(table: str, path: str, name: str) -> Iterator[Setting]:
    model: type[BaseModel] = getattr(import_module(f"veridical.{path.replace('/', '.')}"), name)
    tree = ast.parse((_SOURCE / f"{path}.py").read_text("utf-8"))
    found = next(each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == name)
    for place, node in enumerate(found.body):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        after = found.body[place + 1] if place + 1 < len(found.body) else None
        meaning = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            meaning = " ".join(str(after.value.value).replace("``", "`").split())
        default = _default(model.model_fields[node.target.id])
        yield Setting(table, node.target.id, default, meaning.replace("|", "\\|"))


def _default(field: FieldInfo) -> str:
    """As the file would write it; nothing where there is none, or where it is a table or a list
    without anything in it."""
    found = None if field.is_required() else field.default
    return f"`{_toml(found)}`" if isinstance(found, bool | int | float) or found else ""


def _toml(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str() | Path():
            return f'"{value}"'
        case list() | tuple() | frozenset():
            return f"[{', '.join(map(_toml, value))}]"
        case BaseModel():
            return ""
        case _:
            return str(value)


def _set(values: Mapping[str, Any], table: str = "") -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _set(value, f"{table}{name}.")
        else:
            yield f"`{table}{name} = {_toml(value)}`"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
