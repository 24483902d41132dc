"""The rules, in the order in which their findings are reported. A rule never raises."""

from collections.abc import Callable, Iterable
from functools import partial

from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.rules import (
    aggregate_target,
    by_name,
    column_use,
    compared_values,
    conversions,
    declared_join,
    empty_values,
    figures,
    joins,
    local_days,
    parts,
    per_thing,
    permitted,
    purpose_fits,
    repeated_rows,
    required_filter,
    rows_that_count,
    same_unit,
    scales,
    spellings,
    stored_texts,
    type_fits,
)

Rule = Callable[[Context], Iterable[Problem]]


def _each_once(rule: Rule, context: Context) -> Iterable[Problem]:
    """The problems that the rule finds, each once, however many places show it."""
    found = list(rule(context))
    if len(found) < 2:
        return found
    return {(each.code, each.field, each.message, each.values): each for each in found}.values()


_MEANING: tuple[Rule, ...] = (
    type_fits.type_fits,
    compared_values.operator_fits,
    aggregate_target.aggregate_target,
    by_name.total_name,
    aggregate_target.one_level,
    same_unit.same_unit,
    conversions.converted,
    empty_values.empty_counts,
    empty_values.stands_in,
    empty_values.empty_kept,
    parts.included,
    repeated_rows.fan_out,
    required_filter.required_filter,
    rows_that_count.rows_that_count,
    column_use.not_kept,
    column_use.not_unique,
    column_use.signed,
    column_use.period_by,
    per_thing.first_or_last,
    per_thing.merged_into,
    per_thing.last_known,
    local_days.local_days,
    scales.shares_fit,
    scales.one_scale,
    purpose_fits.purpose_fits,
    figures.grouped_field,
    compared_values.consistent,
    joins.joined,
    compared_values.known_value,
    spellings.spellings,
    declared_join.declared_join,
    by_name.named_measure,
    by_name.named_rows,
    repeated_rows.repeated_count,
    figures.means,
    figures.distinct_sum,
    joins.outer_join,
    compared_values.excluded_null,
    figures.whole_division,
    stored_texts.whole_day,
    figures.union_rows,
    compared_values.letter_case,
    stored_texts.text_number,
    stored_texts.text_day,
    figures.unordered_limit,
)
RULES: tuple[Rule, ...] = (
    permitted.readable,
    permitted.known_functions,
    permitted.permitted,
    *(partial(_each_once, rule) for rule in _MEANING),
)
