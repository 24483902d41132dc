"""Makes a gold question of a run, over the rows that the reviewer may see."""

from typing import Any

from veridical.contracts.caller import scope_of
from veridical.evals.gold.from_run import NoCaseError, begin_and_end, held_back_gold
from veridical.server.identity import Identity
from veridical.server.services import Services


def gold_case(
    services: Services, identity: Identity, trace_id: str, name: str, corrected: str = ""
) -> dict[str, Any]:
    """The gold set of one question: its truth is the query that was run, or the corrected one.

    Raises ``NoCaseError``.
    """
    trace = services.traces.load(trace_id, identity.tenant) if trace_id else None
    runtime = services.runtime
    if trace is None:
        raise NoCaseError("no_run")
    feature = begin_and_end(trace)[0].question.feature
    if feature not in runtime.features or feature not in identity.scope:
        raise NoCaseError("no_run")
    pack = runtime.packs.get(feature)
    columns = next(iter(pack.tenant_columns.values()), ()) if pack else ()
    scope = scope_of(identity.scope[feature], runtime.shared_tables.get(feature, frozenset()))
    schema = runtime.feature(feature).schema
    gold = held_back_gold(trace, name, schema, scope, columns, corrected)
    return gold.model_dump(mode="json", by_alias=True, exclude_defaults=True)
