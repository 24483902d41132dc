"""The rows that known questions leave out: deleted ones, totals, and what was confirmed."""

from collections.abc import Iterator
from typing import Any

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.kinds.soft_deletes import kept_mark
from veridical.onboarding.profile import TableProfile, Value
from veridical.onboarding.proposal import ProposalKind, State

Filter = dict[str, Any]
_PLAIN: dict[str, Value] = {"true": True, "false": False}


def row_filters(known: Findings, table: TableProfile) -> Iterator[Filter]:
    """The filters of a table's rows, as a structured call has them."""
    yield from named_filters(known, table)
    for each in known.of(ProposalKind.TOTAL_ROWS, table.name):
        yield {"field": each.columns[0], "op": "!=", "value": each.values[0]}


def named_filters(known: Findings, table: TableProfile) -> Iterator[Filter]:
    """Those of them that an answer names, as a reader might count these rows."""
    for each in known.of(ProposalKind.SOFT_DELETE, table.name):
        if hints_at(each.columns[0], "inactive"):
            continue  # what is no longer sold is a product all the same
        column = table.by_name[each.columns[0]]
        kept = None if each.reason == "time" else kept_mark(table, column)
        if kept is None:
            yield {"field": column.name, "op": "is null"}
        else:
            value = _PLAIN.get(kept, kept) if isinstance(kept, str) else kept
            yield {"field": column.name, "op": "=", "value": value}
    for each in known.of(ProposalKind.UNCOUNTED, table.name):
        if each.state is State.ACCEPTED and each.target is None:
            for value in each.values:
                yield {"field": each.columns[0], "op": "!=", "value": value}
