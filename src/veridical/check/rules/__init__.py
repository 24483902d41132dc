"""The rules, in the order in which their findings are told. One file each; a rule never raises."""

from collections.abc import Callable, Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.rules import (
    aggregate_target,
    allowed_functions,
    consistent,
    declared_join,
    fan_out,
    grouped_field,
    joined,
    known_value,
    one_level,
    operator_fits,
    permitted,
    purpose_fits,
    readable,
    required_filter,
    same_unit,
    total_name,
    type_fits,
)

Rule = Callable[[Context], Iterable[Problem]]

RULES: tuple[Rule, ...] = (
    readable.find,
    allowed_functions.find,
    permitted.find,
    type_fits.find,
    operator_fits.find,
    aggregate_target.find,
    total_name.find,
    one_level.find,
    same_unit.find,
    fan_out.find,
    required_filter.find,
    purpose_fits.find,
    grouped_field.find,
    consistent.find,
    joined.find,
    known_value.find,
    declared_join.find,
)
