"""The kinds of findings, in the order in which they build on each other. One file each."""

from collections.abc import Callable, Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.kinds import (
    closed_lists,
    codes,
    conversions,
    empty_flags,
    events,
    foreign_keys,
    judgements,
    local_days,
    measures,
    periods,
    personal,
    primary_keys,
    rates,
    row_names,
    snapshots,
    soft_deletes,
    tenants,
    time_columns,
    totals,
    uncounted,
    units,
    validity,
)
from veridical.onboarding.proposal import Proposal

KINDS: tuple[Callable[[Findings], Iterable[Proposal]], ...] = (
    time_columns.find,
    primary_keys.find,
    foreign_keys.find,
    row_names.find,
    periods.find,
    codes.find,
    soft_deletes.find,
    measures.find,
    rates.find,
    totals.find,
    snapshots.find,
    units.find,
    closed_lists.find,
    tenants.find,
    validity.find,
    uncounted.find,
    local_days.find,
    conversions.find,
    empty_flags.find,
    events.find,
    personal.find,
    judgements.find,
)
