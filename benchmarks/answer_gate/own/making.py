"""What the makers of stories share."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from benchmarks.answer_gate.own.asked_books import Tenant
from benchmarks.answer_gate.own.story import Row, Story
from benchmarks.answer_gate.own.values import (
    Day,
    Money,
    Percent,
)
from veridical.gate.evidence.exhibit import Exhibit

YEARS = (2020, 2021, 2022, 2023, 2024, 2025)
REVENUE = {"m-001-a": "3400", "m-001-b": "3200", "m-002-a": "3200", "m-003-a": "3410"}
"""Where each set of books has its income."""
CHF = "CHF"
MOST_ITEMS = 7
Maker = Callable[[Tenant, int, Random], Story | None]
"""A story about one year of one set of books, or none where the year has nothing to tell."""


def month_end(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def seconds(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


def money(amount: Any, currency: str = CHF) -> Money:
    return Money(Decimal(str(amount)), currency)


def total_of(amounts: Sequence[Money]) -> Money:
    return Money(sum((each.value for each in amounts), Decimal()), amounts[0].currency)


def percent(part: Decimal, whole: Decimal) -> Percent:
    return Percent(100 * part / whole)


def amount_of(row: Row, name: str = "amount") -> Money:
    value = row[name]
    assert isinstance(value, Money)
    return value


def largest(rows: Sequence[Row]) -> Row:
    return max(rows, key=lambda row: amount_of(row).value)


def records(exhibit: Exhibit) -> list[dict[str, Any]]:
    return [dict(zip(exhibit.columns, row, strict=True)) for row in exhibit.rows]


def day_of(value: Any) -> Day:
    return Day(date.fromisoformat(str(value)))


def distinct(rows: Sequence[Row], name: str = "amount") -> bool:
    """No two rows look the same: else a swap would change nothing."""
    return len({row[name] for row in rows}) == len(rows)
