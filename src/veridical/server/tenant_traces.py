"""Trace storage of the server: each tenant's traces are written and read under that tenant's row
policy."""

from collections import defaultdict
from collections.abc import Sequence

from veridical.contracts.trace import AgentTrace, RunStarted
from veridical.store.connection import Store
from veridical.trace.batch import Written, execute_together, written
from veridical.trace.postgres import load_trace, recent_traces
from veridical.trace.redact import all_stored_without_secrets


class TenantTraces:
    """Traces of all tenants; each call is for one of them, and blocks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, traces: Sequence[AgentTrace]) -> None:
        """Write whole runs, without secrets, in one transaction for each tenant."""
        of_tenants: dict[str, list[Written]] = defaultdict(list)
        for trace in traces:
            of_tenants[_tenant(trace)] += _entries(trace)
        for tenant, events in of_tenants.items():
            with self._store.tenant(tenant) as connection:
                execute_together(connection, written(events))

    def load(self, trace_id: str, tenant: str) -> AgentTrace | None:
        """The run, if this tenant has it."""
        with self._store.tenant(tenant) as connection:
            return load_trace(connection, trace_id, tenant)

    def recent(self, limit: int, tenant: str) -> tuple[AgentTrace, ...]:
        """The tenant's runs that started last, the newest first."""
        with self._store.tenant(tenant) as connection:
            return recent_traces(connection, limit, tenant)


def _tenant(trace: AgentTrace) -> str:
    return next(event.tenant for event in trace.events if isinstance(event, RunStarted))


def _entries(trace: AgentTrace) -> list[Written]:
    texts = all_stored_without_secrets(trace.events)
    return [
        Written(trace.trace_id, sequence, event, text)
        for sequence, (event, text) in enumerate(zip(trace.events, texts, strict=True))
    ]
