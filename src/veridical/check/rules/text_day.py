"""As text, 01.12.2025 comes before 31.01.2024: days that begin with the day have no order."""

import re
from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import ORDERS, Filter, Kind, Problem, distinct
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code

_DAY_FIRST = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{4}.*")


def find(context: Context) -> Iterable[Problem]:
    """Texts that must be more or less than such a day."""
    return distinct(
        [
            Problem(Code.TEXT_AS_DAY, each.origin.column.name, None, "", (("value", day),))
            for each in context.facts.comparisons
            if (day := _day_of(each))
        ]
    )


def _day_of(each: Filter) -> str:
    if each.op not in ORDERS or each.origin.column.type is not ValueType.TEXT:
        return ""
    texts = (str(value.value) for value in each.values if value.kind is Kind.TEXT)
    return next((text for text in texts if _DAY_FIRST.fullmatch(text)), "")
