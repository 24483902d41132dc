"""The ways to corrupt a right call, each by name."""

from collections.abc import Callable, Iterator

from benchmarks.mutants.amounts import fan_out, mixed_currency, rates_summed, turnover_for_balance
from benchmarks.mutants.comparing import contradiction, unknown_value, wrong_operator, wrong_type
from benchmarks.mutants.grouping import misplaced_aggregate, missing_join, ungrouped_column
from benchmarks.mutants.legal import Case
from benchmarks.mutants.naming import ambiguous_field, foreign_function, invented_field, wrong_table
from benchmarks.mutants.periods import iso_date, missing_period, mixed_levels, summed_balance
from benchmarks.mutants.tenants import foreign_tenant, missing_tenant

Mutation = Callable[[Case], Iterator[Case]]

MUTATIONS: tuple[Mutation, ...] = (
    invented_field,
    wrong_table,
    summed_balance,
    mixed_levels,
    iso_date,
    missing_period,
    missing_tenant,
    fan_out,
    mixed_currency,
    wrong_operator,
    turnover_for_balance,
    unknown_value,
    foreign_tenant,
    rates_summed,
    ungrouped_column,
    misplaced_aggregate,
    wrong_type,
    foreign_function,
    ambiguous_field,
    missing_join,
    contradiction,
)
PER_CASE = 2
"""How many mutants of one class are made of one call; which ones differs from call to call."""
STRIDE = 2
"""A call is corrupted in every second way, its neighbour in the others."""


def mutants_of(case: Case, number: int) -> Iterator[tuple[str, Case]]:
    """Some mutants of half of the classes, by the number of the call."""
    for mutation in MUTATIONS[number % STRIDE :: STRIDE]:
        made = list(mutation(case))
        count = min(PER_CASE, len(made))
        for offset in range(count):
            position = (number // STRIDE + offset * max(1, len(made) // PER_CASE)) % len(made)
            yield mutation.__name__, made[position]
