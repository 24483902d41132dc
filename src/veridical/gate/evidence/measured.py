"""Which columns of a sheet a figure in a text speaks of: by the words around it and its unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from veridical.gate.evidence.quantity import quantity
from veridical.gate.evidence.sheet import Sheet
from veridical.ontology.terms import terms

_SHORTEST_PREFIX = 4
_KEYS = frozenset({"id", "icon", "code", "index"})


@dataclass(frozen=True, slots=True)
class Measured:
    """A column of figures, the words of its name and what it is counted in."""

    column: int
    words: tuple[str, ...]
    unit: str


def measured_columns(sheet: Sheet, but: int) -> tuple[Measured, ...]:
    """The columns that hold figures, without keys and without the column ``but``."""
    found: list[Measured] = []
    for column, name in enumerate(sheet.columns):
        words = terms(name)
        if column == but or (words and words[-1] in _KEYS):
            continue
        if any(is_figure(row[column]) for row in sheet.rows):
            measure = sheet.source.measures.get(name)
            labels = (
                tuple(word for label in measure.labels for word in terms(label)) if measure else ()
            )
            found.append(Measured(column, words + labels, measure.unit if measure else ""))
    return tuple(found)


def is_figure(cell: Any) -> bool:
    """True for a number that is no truth value."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def fits_unit(column: Measured, unit: str) -> bool:
    """True unless both units are known and measure different things."""
    told, own = quantity(unit), quantity(column.unit)
    return told is None or own is None or told.kind == own.kind


def named_columns(columns: Sequence[Measured], text: str, unit: str) -> tuple[Measured, ...]:
    """The columns that the text names best, the last named first; none where it names none."""
    spoken = terms(text)
    best: list[Measured] = []
    best_score = (0, -1)
    for column in columns:
        if not fits_unit(column, unit):
            continue
        places = [_last_place(word, spoken) for word in dict.fromkeys(column.words)]
        score = (sum(place >= 0 for place in places), max(places, default=-1))
        if score[0] and score > best_score:
            best, best_score = [column], score
        elif score[0] and score == best_score:
            best.append(column)
    return tuple(best)


def columns_in(columns: Sequence[Measured], unit: str) -> tuple[Measured, ...]:
    """The columns that are known to be counted in what this unit measures."""
    told = quantity(unit)
    if told is None:
        return ()
    return tuple(
        column
        for column in columns
        if (own := quantity(column.unit)) is not None and own.kind == told.kind
    )


def _last_place(word: str, spoken: Sequence[str]) -> int:
    for place in range(len(spoken) - 1, -1, -1):
        if _same(word, spoken[place]):
            return place
    return -1


def _same(word: str, spoken: str) -> bool:
    """The same stem, or a stem that the other begins with: temp, temperature; snow, snowfall."""
    if word == spoken:
        return True
    short, long = sorted((word, spoken), key=len)
    return len(short) >= _SHORTEST_PREFIX and long.startswith(short)
