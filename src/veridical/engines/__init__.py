"""Runs checked queries: read-only, scoped to the tenant, within limits, with a receipt."""

from veridical.engines.duckdb import Duck, open_duckdb, open_files
from veridical.engines.engine import Engine, Outcome
from veridical.engines.limits import Limits
from veridical.engines.postgres import Postgres
from veridical.engines.receipt import Freshness
from veridical.engines.rls import install_row_level_security
from veridical.statement.errors import Actor, EngineError, Problem

__all__ = [
    "Actor",
    "Duck",
    "Engine",
    "EngineError",
    "Freshness",
    "Limits",
    "Outcome",
    "Postgres",
    "Problem",
    "install_row_level_security",
    "open_duckdb",
    "open_files",
]
