"""Runs checked queries: read-only, scoped to the tenant, within limits, with a receipt."""

from veridical.engine.duckdb import Duck, open_duckdb, open_files
from veridical.engine.engine import Engine, Outcome
from veridical.engine.limits import Limits
from veridical.engine.postgres import Postgres
from veridical.engine.receipt import Freshness
from veridical.engine.rls import install_row_level_security
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
