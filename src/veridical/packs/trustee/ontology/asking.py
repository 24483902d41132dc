"""How a canonical question is written down: slots, calls, questions."""

from typing import Any

from veridical.contracts.language import Text
from veridical.contracts.schema import ValueType
from veridical.ontology.model import CanonicalQueryPattern, Purpose, Slot
from veridical.packs.trustee.ontology.words import told

YEAR = Slot(name="year", type=ValueType.INTEGER, examples=(2025, 2024))
MONTH = Slot(name="month", type=ValueType.INTEGER, examples=(3, 12))
ACCOUNT = Slot(name="account", examples=("1020", "3400"))
ACCOUNT_DIGITS = Slot(name="account", type=ValueType.INTEGER, examples=(1020, 6000))
CLASS = Slot(name="accountClass", type=ValueType.INTEGER, examples=(4, 6))
DAY = Slot(
    name="day",
    type=ValueType.INTEGER,
    description=told("Stichtag in Unix-Sekunden", "day in Unix seconds", "日期（Unix秒）"),
    examples=(1767139200,),
)
NAME = Slot(name="name", examples=("Brunner Getränke AG",))


def where(**conditions: Any) -> list[dict[str, Any]]:
    """Filters: each field equals its value."""
    return [{"field": name, "op": "=", "value": value} for name, value in conditions.items()]


def account_like(pattern: str) -> dict[str, Any]:
    """A filter on a range of account numbers."""
    return {"field": "accountNumber", "op": "like", "value": pattern}


def rows(
    table: str, fields: list[str], filters: list[dict[str, Any]], *order: str
) -> dict[str, Any]:
    """A call for rows of one table."""
    call: dict[str, Any] = {
        "tool": "queryTable",
        "tableName": table,
        "fields": fields,
        "filters": filters,
    }
    if order:
        call["orderBy"] = [{"field": name} for name in order]
    return call


def total(table: str, field: str, filters: list[dict[str, Any]], *groups: str) -> dict[str, Any]:
    """A call for one sum."""
    return {
        "tool": "aggregateTable",
        "tableName": table,
        "aggregate": "SUM",
        "field": field,
        "filters": filters,
        "groupBy": list(groups),
    }


def sql(text: str) -> dict[str, Any]:
    """A call with a statement."""
    return {"tool": "executeSqlSafe", "sql": text}


def pattern(
    intent: str,
    call: dict[str, Any],
    questions: dict[str, tuple[str, ...]],
    slots: tuple[Slot, ...],
    purpose: Purpose | None = None,
    description: Text = "",
) -> CanonicalQueryPattern:
    """One canonical question."""
    return CanonicalQueryPattern(
        intent=intent,
        pattern=call,
        description=description,
        slots=slots,
        questions=questions,
        purpose=purpose.name if purpose else None,
    )


def asked(de: str, en: str, zh: str) -> dict[str, tuple[str, ...]]:
    """One question in German, English and Chinese."""
    return {"de": (de,), "en": (en,), "zh": (zh,)}
