"""Bindings and cells in one line, as a person writes them."""

from decimal import Decimal
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.proof import Binding
from veridical.reading import shown


def shown_binding(binding: Binding, language: Language) -> str:
    """The binding in one line: ``sales[2025-03] = 1'234.50``."""
    if binding.derivation:
        return binding.derivation
    value = shown_value(binding.value, language)
    if not binding.column and not binding.row_key:
        return value
    key = f"[{binding.row_key}]" if binding.row_key else ""
    unit = f" {binding.unit}" if binding.unit else ""
    return f"{binding.column}{key} = {value}{unit}"


def shown_value(value: Any, language: Language) -> str:
    """A cell as a person writes it: figures with separated thousands."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "–" if value is None else str(value)
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return str(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    small = abs(value) < 10_000 and isinstance(value, int)
    return str(value) if small else shown.count(value, language)


def shown_figure(value: float | Decimal, decimals: int, language: Language) -> str:
    """A figure with this number of decimals and separated thousands."""
    return f"{value:,.{decimals}f}".replace(",", shown.THOUSANDS[language])
