"""What a column's figures are counted in: what the ontology, its name or its row says."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from veridical.gate.evidence.exhibit import Additivity
from veridical.gate.evidence.sheet import Sheet
from veridical.ontology.terms import terms
from veridical.reading.units import CURRENCIES, CURRENCY_SIGNS, HAN_CURRENCIES, PERCENTS

_CURRENCY_WORDS = frozenset({"currency", "currenc", "wahrung", "curr", "币种", "货币", "fx"})
_PERCENT_WORDS = frozenset({"percent", "pct", "prozent", "percentage", "百分", "分比"})
_CODES = frozenset(CURRENCIES.values()) | frozenset(HAN_CURRENCIES.values())
_SPELLINGS = {**CURRENCIES, **CURRENCY_SIGNS, **HAN_CURRENCIES}


def plain_unit(text: str) -> str:
    """The ISO code of a currency, ``%``, or the unit as it is."""
    text = text.strip()
    if text in PERCENTS:
        return "%"
    return _SPELLINGS.get(text) or _SPELLINGS.get(text.upper()) or text


def is_currency(unit: str) -> bool:
    """True for the ISO code of a currency."""
    return unit in _CODES


def told_unit(sheet: Sheet, column: int) -> str:
    """The unit of a whole column; empty where nobody says."""
    name = sheet.columns[column]
    measure = sheet.source.measures.get(name)
    if measure is not None and (measure.unit or measure.unit_column):
        return plain_unit(measure.unit)
    return _named_unit(name)


@lru_cache(maxsize=4096)
def _named_unit(name: str) -> str:
    if "%" in name:
        return "%"
    words = terms(name)
    if not _PERCENT_WORDS.isdisjoint(words):
        return "%"
    return next((word.upper() for word in words if word.upper() in _CODES), "")


def unit_column(sheet: Sheet, column: int, currencies: tuple[int, ...]) -> int | None:
    """The column that names each row's unit, given those that name a currency."""
    measure = sheet.source.measures.get(sheet.columns[column])
    if measure is not None and measure.unit_column:
        return (
            sheet.columns.index(measure.unit_column) if _has(sheet, measure.unit_column) else None
        )
    if measure is not None and (
        measure.unit or measure.is_key or measure.additivity is Additivity.NEVER
    ):
        return None  # an account or a rate is counted in no row's currency
    return currencies[0] if len(currencies) == 1 else None


def currency_columns(names: tuple[str, ...]) -> tuple[int, ...]:
    """The columns that name a currency."""
    return tuple(at for at, name in enumerate(names) if _names_currency(name))


def is_rate(sheet: Sheet, column: int) -> bool:
    """True for what is declared never to add up: no row's and no filter's currency is its unit."""
    measure = sheet.source.measures.get(sheet.columns[column])
    return measure is not None and measure.additivity is Additivity.NEVER


def held_unit(sheet: Sheet) -> str:
    """The currency that the call filtered for."""
    for value in sheet.source.held.values():
        if isinstance(value, str) and plain_unit(value) in _CODES:
            return plain_unit(value)
    return ""


def unit_in(cell: Any) -> str:
    """The unit that a cell names."""
    return plain_unit(cell) if isinstance(cell, str) else ""


def named_currencies(sheets: Iterable[Sheet]) -> frozenset[str]:
    """Every currency that sheets name: of columns, of rows, of filters, in labels."""
    found: set[str] = set()
    for sheet in sheets:
        found.add(held_unit(sheet))
        for column, name in enumerate(sheet.columns):
            found.add(told_unit(sheet, column))
            measure = sheet.source.measures.get(name)
            for label in measure.labels if measure is not None else ():
                found.update(plain_unit(word) for word in label.split())
            if _names_currency(name) or _is_unit_column(sheet, name):
                found.update(unit_in(row[column]) for row in sheet.rows)
    return frozenset(found & _CODES)


def _is_unit_column(sheet: Sheet, name: str) -> bool:
    return any(measure.unit_column == name for measure in sheet.source.measures.values())


def _has(sheet: Sheet, column: str) -> bool:
    return column in sheet.columns


@lru_cache(maxsize=4096)
def _names_currency(name: str) -> bool:
    return not _CURRENCY_WORDS.isdisjoint(terms(name))
