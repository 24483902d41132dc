"""The location of traces: a folder, or a PostgreSQL database."""

from collections.abc import Mapping
from pathlib import Path

from veridical.contracts.extras import require
from veridical.trace.jsonl import JsonLines
from veridical.trace.recorder import Skipped, StoreError, TraceStore, note_skipped

VARIABLE = "VERIDICAL_TRACES"
"""Names the place for a whole process."""


def traces_address(environment: Mapping[str, str]) -> str:
    """The location that the environment names, or the default."""
    state = environment.get("XDG_STATE_HOME") or "~/.local/state"
    return environment.get(VARIABLE) or f"{state}/veridical/traces"


def open_traces(address: str, on_skip: Skipped = note_skipped) -> TraceStore:
    """The store behind a folder's path or a ``postgresql://`` address. Raises ``StoreError``."""
    scheme, has_scheme, _ = address.partition("://")
    if not has_scheme:
        return JsonLines(Path(address).expanduser(), on_skip)
    if scheme not in ("postgresql", "postgres"):
        raise StoreError(f"traces go to a folder or to postgresql://, not to {scheme}://")
    require("engine")
    from veridical.trace.postgres import PostgresTraces

    store = PostgresTraces(address, on_skip)
    store.prepare()
    return store
