"""Tables that a column points to by its values alone, under any name.

Keys counted from one contain every small number, and prove nothing. Where a key leaves most
numbers out, or is a text, dozens of values that are all among its own are no chance.
"""

from collections.abc import Iterator

from veridical.onboarding.hints import hints_at
from veridical.onboarding.kinds.parents import Parent
from veridical.onboarding.profile import ColumnProfile, TableProfile

_FEWEST = 20
"""Values that must be included."""
_SPARSE = 0.5
"""Share of the numbers between a key's ends that it has: each value is there by chance that often.
Share of the numbers between a key's ends that it has: each value is there by chance that often."""
_MOST_TRIED = 3
_NO_POINTERS = (
    "quantity",
    "money",
    "rate",
    "price",
    "stock",
    "flow",
    "time",
    "calendar",
    "ordinal",
    "open",
    "person_name",
    "currency",
    "unit",
)
"""Names of columns with amounts or words; words repeat those of other tables."""


def holders_of(
    table: TableProfile, column: ColumnProfile, parents: list[Parent]
) -> Iterator[Parent]:
    """The few tables whose key may contain a column's values, by their ends; smallest first."""
    if table.is_unique(column) or column.distinct < _FEWEST or column.negatives:
        return
    if any(hints_at(column.name, each) for each in _NO_POINTERS):
        return
    fitting = [
        each for each in parents if each.table.name != table.name and _may_contain(each, column)
    ]
    yield from sorted(fitting, key=lambda each: each.table.rows)[:_MOST_TRIED]


def _may_contain(parent: Parent, column: ColumnProfile) -> bool:
    key = parent.table.by_name[parent.key[0]]
    if key.is_text != column.is_text or key.distinct < column.distinct:
        return False
    if not (column.is_whole or column.is_text) or not _is_telling(key):
        return False
    try:
        return key.low <= column.low and column.high <= key.high  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]
    except TypeError:
        return False


def _is_telling(key: ColumnProfile) -> bool:
    if key.is_text:
        return not hints_at(key.name, "open") and not hints_at(key.name, "person_name")
    low, high = key.low, key.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return key.distinct <= _SPARSE * (high - low + 1)
