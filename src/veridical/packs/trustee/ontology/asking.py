"""Builders of canonical questions: slots, calls, questions."""

import json
from typing import Any

from veridical.contracts.language import Text
from veridical.contracts.schema import ValueType
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Encoding,
    Purpose,
    Slot,
    SlotKind,
)
from veridical.packs.trustee.ontology.pattern_words import CURRENCIES
from veridical.packs.trustee.ontology.words import texts

YEAR = Slot(name="year", type=ValueType.INTEGER, examples=(2025, 2024), kind=SlotKind.YEAR)
MONTH = Slot(name="month", type=ValueType.INTEGER, examples=(3, 12), kind=SlotKind.MONTH)
_ACCOUNT: dict[str, Any] = {
    "name": "account",
    "description": texts("Kontonummer", "account number", "科目编号"),
    "kind": SlotKind.CODE,
    "format": r"[1-9]\d{3}",
    "cues": {
        "de": ("Konto", "Kontos", "Kontonummer"),
        "en": ("account", "account number", "a/c"),
        "zh": ("科目", "账户", "科目编号"),
    },
}
ACCOUNT = Slot(**_ACCOUNT, examples=("1020", "3400"))
ACCOUNT_DIGITS = Slot(**_ACCOUNT, type=ValueType.INTEGER, examples=(1020, 6000))
CLASS = Slot(
    name="accountClass",
    type=ValueType.INTEGER,
    description=texts("Kontenklasse", "account class", "科目类别"),
    examples=(4, 6),
    kind=SlotKind.CODE,
    format="[4-8]",
    cues={
        "de": ("Klasse", "Kontenklasse", "Kontoklasse"),
        "en": ("class", "account class"),
        "zh": ("类", "类别"),
    },
)
DAY = Slot(
    name="day",
    type=ValueType.INTEGER,
    description=texts("Stichtag in Unix-Sekunden", "day in Unix seconds", "日期（Unix秒）"),
    examples=(1767139200,),
    kind=SlotKind.DAY,
    encoding=Encoding.UNIX_SECONDS,
)
NAME = Slot(name="name", examples=("Brunner Getränke AG",), kind=SlotKind.QUOTED)
LIMIT = Slot(name="limit", type=ValueType.INTEGER, examples=(10, 5), kind=SlotKind.COUNT)
CURRENCY = Slot(
    name="currency",
    description=texts("Währung", "currency", "币种"),
    examples=("EUR", "USD"),
    kind=SlotKind.VALUE,
    values=tuple(CURRENCIES),
    words=CURRENCIES,
)


def subclass(
    name: str, entity: str, words: dict[str, tuple[str, ...]], description: Text, *examples: str
) -> Slot:
    """A slot for one of these sub-classes of an entity, filled with its condition."""
    return Slot(
        name=name,
        description=description,
        examples=examples,
        kind=SlotKind.SUBCLASS,
        entity=entity,
        values=tuple(words),
        words=words,
    )


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
        "aggregate": "sum",
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
    **recognised: Any,
) -> CanonicalQueryPattern:
    """One canonical question; ``recognised`` has its words and the title of its answer."""
    return CanonicalQueryPattern(
        intent=intent,
        pattern=call,
        description=description,
        slots=slots,
        questions=questions,
        purpose=purpose.name if purpose else None,
        labels={name: label for name, label in LABELS.items() if f'"{name}"' in _quoted(call)},
        **recognised,
    )


def _quoted(call: dict[str, Any]) -> str:
    return json.dumps(call).replace('\\"', '"')


LABELS: dict[str, Text] = {
    "accountNumber": texts("Konto", "account", "科目"),
    "closingBalance": texts("Saldo", "balance", "余额"),
    "debitTotal": texts("Soll", "debit", "借方"),
    "creditTotal": texts("Haben", "credit", "贷方"),
    "periodMonth": texts("Monat", "month", "月份"),
    "periodYear": texts("Jahr", "year", "年度"),
    "bookingDate": texts("Datum", "date", "日期"),
    "text": texts("Text", "text", "摘要"),
    "debitAmount": texts("Soll", "debit", "借方"),
    "creditAmount": texts("Haben", "credit", "贷方"),
    "entryNumber": texts("Nr.", "no.", "凭证号"),
    "totalAmount": texts("Betrag", "amount", "金额"),
    "costCenter": texts("Kostenstelle", "cost center", "成本中心"),
    "expense": texts("Aufwand", "expense", "费用"),
    "invoiceNumber": texts("Rechnung", "invoice", "发票"),
    "contactId": texts("Kontakt", "contact", "联系人"),
    "dueDate": texts("fällig", "due", "到期日"),
    "invoiceAmount": texts("Betrag", "amount", "金额"),
    "name": texts("Name", "name", "名称"),
    "contactType": texts("Art", "kind", "类型"),
    "city": texts("Ort", "city", "城市"),
    "paymentTermDays": texts("Zahlungsfrist (Tage)", "payment term (days)", "付款天数"),
    "rate": texts("CHF je Einheit", "CHF per unit", "每单位瑞郎"),
}
"""The display name of each column."""


def questions(de: str, en: str, zh: str) -> dict[str, tuple[str, ...]]:
    """One question in German, English and Chinese."""
    return {"de": (de,), "en": (en,), "zh": (zh,)}
