"""The rules, in the order in which their findings are reported. A rule never raises."""

from collections.abc import Callable, Iterable
from functools import partial

from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.rules import (
    aggregate_target,
    by_name,
    compared_values,
    declared_join,
    figures,
    joins,
    permitted,
    purpose_fits,
    repeated_rows,
    required_filter,
    same_unit,
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
    repeated_rows.fan_out,
    required_filter.required_filter,
    purpose_fits.purpose_fits,
    figures.grouped_field,
    compared_values.consistent,
    joins.joined,
    compared_values.known_value,
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
