"""Runs checked queries: read-only, scoped to the tenant, within limits, with a receipt.

Each name is loaded when first used: reading a schema file must not need a database driver.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

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
    from veridical.engines.schema_source import load_schema
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
    "load_schema",
    "mapped",
    "open_duckdb",
    "open_files",
]

_HOMES = {
    "veridical.statement.errors": "Actor EngineError Problem",
    "database": "Database",
    "duckdb": "DuckDb open_duckdb open_files",
    "engine": "Engine Outcome",
    "kind": "EngineKind Label lazy_connect",
    "limits": "Fetched Limits collect",
    "gap": "Finding Gap",
    "receipt": "Freshness",
    "postgres": "Postgres",
    "sqlite": "Sqlite",
    "rls": "install_row_level_security",
    "error_mapping": "mapped",
    "schema_source": "load_schema",
}

if not TYPE_CHECKING:  # a type checker has to report unknown names
    __getattr__ = lazy_names(__name__, _HOMES)
