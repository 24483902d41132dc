"""Bound claims as the wire shows them: where each is found, and what comes closest."""

from datetime import date
from decimal import Decimal
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.proof import Binding, ClaimKind, Ground, ProvenClaim, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Role
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Sheet
from veridical.reading import shown

# looking a member up in its enumeration, or its hash in a set, costs more than comparing it
_EXEMPT = Standing.EXEMPT
_STANDS = (Standing.GROUNDED, _EXEMPT)
_SAID = (Role.STATED, Role.QUOTED)
_NAMING = (str, date)
_PLAIN = (str, float, int, type(None))
_MOST_KEYS = 3
_LONGEST_KEY = 60


def proven(bound: Bound, evidence: Evidence) -> ProvenClaim:
    """The claim with its binding, or with the evidence that speaks against it."""
    claim, standing = bound.claim, bound.standing
    found = _binding(bound, evidence)
    stands = standing in _STANDS or (standing is Standing.ILLEGAL and bound.derivation)
    return ProvenClaim.trusted(
        {
            "kind": claim.kind,
            "text": claim.text,
            "start": claim.start,
            "end": claim.end,
            "standing": _EXEMPT if bound.ground is Ground.QUESTION else standing,
            "binding": found if stands else None,
            "nearest": None if stands else found,
        }
    )


def is_shown(bound: Bound) -> bool:
    """False for what is no claim: list markers, ordinals, headings."""
    return bound.standing is not _EXEMPT and bound.claim.role in _SAID


def _binding(bound: Bound, evidence: Evidence) -> Binding | None:
    ground = bound.ground
    if ground is None:
        if bound.place is None and not bound.reason:
            return None
        ground = Ground.RECORD if bound.claim.kind is ClaimKind.FACT else Ground.CELL
    found: dict[str, Any] = {
        "ground": ground,
        "source": None,
        "row": None,
        "row_key": "",
        "column": "",
        "value": bound.reason or bound.value,
        "unit": "",
        "period": "",
        "derivation": bound.derivation,
        "coincidence": bound.coincidence,
        "words": "",
        "cells": (),
        "cells_left_out": 0,
        "passages": (),
    }
    place = bound.place
    if place is not None:
        sheet = evidence.sheets[place.sheet]
        row, column = place.row, place.column
        found["source"], found["row"] = sheet.exhibit, row
        found["row_key"] = row_key(sheet, row, column)
        found["column"] = sheet.columns[column]
        found["value"] = _plain(sheet.rows[row][column])
        found["unit"] = evidence.unit(place)
        found["period"] = _period(sheet, row, column)
    return Binding.trusted(found)


def row_key(sheet: Sheet, row: int, column: int) -> str:
    """What names a row: its label, or those of its cells that are no figures."""
    if sheet.row_labels:
        return sheet.row_labels[row][:_LONGEST_KEY]
    words = [
        str(cell)
        for at, cell in enumerate(sheet.rows[row])
        if at != column and isinstance(cell, _NAMING) and str(cell).strip()
    ]
    return " / ".join(words[:_MOST_KEYS])[:_LONGEST_KEY]


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
    """A cell as a person writes it: figures with their thousands set off."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "–" if value is None else str(value)
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return str(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    small = abs(value) < 10_000 and isinstance(value, int)
    return str(value) if small else shown.count(value, language)


def shown_figure(value: float | Decimal, decimals: int, language: Language) -> str:
    """A figure with so many decimals, its thousands set off."""
    return f"{value:,.{decimals}f}".replace(",", shown.THOUSANDS[language])


def _plain(value: Any) -> Any:
    """The cell as JSON can carry it."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, date):
        return value.isoformat()
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)


def _period(sheet: Sheet, row: int, column: int) -> str:
    for at, cell in enumerate(sheet.rows[row]):
        if at != column and isinstance(cell, date):
            return cell.isoformat()
    ranges = sheet.source.time_range
    if len(ranges) != 1:
        return ""
    return "/".join(part for part in (ranges[0].start, ranges[0].end) if part)
