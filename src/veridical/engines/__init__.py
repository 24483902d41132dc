"""Runs checked queries: read-only, scoped to the tenant, within limits, with a receipt.

Each name is loaded when first used: reading a schema file must not need a database driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.engines.database import Database
    from veridical.engines.duckdb import DuckDb, open_duckdb, open_files
    from veridical.engines.engine import Engine, Outcome
    from veridical.engines.error_mapping import mapped
    from veridical.engines.gap import Finding, Gap
    from veridical.engines.kind import EngineKind, Label, lazy_connect
    from veridical.engines.limits import Fetched, Limits, collect
    from veridical.engines.postgres import Postgres
    from veridical.engines.receipt import Freshness
    from veridical.engines.rls import install_row_level_security
    from veridical.engines.sqlite import Sqlite
    from veridical.statement.errors import Actor, EngineError, Problem

__all__ = [
    "Actor",
    "Database",
    "DuckDb",
    "Engine",
    "EngineError",
    "EngineKind",
    "Fetched",
    "Finding",
    "Freshness",
    "Gap",
    "Label",
    "Limits",
    "Outcome",
    "Postgres",
    "Problem",
    "Sqlite",
    "collect",
    "install_row_level_security",
    "lazy_connect",
    "mapped",
    "open_duckdb",
    "open_files",
]

_HOMES = {
    "Actor": "statement.errors",
    "Database": "engines.database",
    "DuckDb": "engines.duckdb",
    "Engine": "engines.engine",
    "EngineError": "statement.errors",
    "EngineKind": "engines.kind",
    "Fetched": "engines.limits",
    "Finding": "engines.gap",
    "Freshness": "engines.receipt",
    "Gap": "engines.gap",
    "Label": "engines.kind",
    "Limits": "engines.limits",
    "Outcome": "engines.engine",
    "Postgres": "engines.postgres",
    "Problem": "statement.errors",
    "Sqlite": "engines.sqlite",
    "collect": "engines.limits",
    "install_row_level_security": "engines.rls",
    "lazy_connect": "engines.kind",
    "mapped": "engines.error_mapping",
    "open_duckdb": "engines.duckdb",
    "open_files": "engines.duckdb",
}

if not TYPE_CHECKING:  # a type checker is to report a name that there is not

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"veridical.{_HOMES[name]}"), name)
