"""Names and values of the evidence that stand typed in the prose of an answer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.evidence.column import Kind
from veridical.evidence.table import Table
from veridical.gate.references.leaves import RowSet
from veridical.gate.references.shown import Part, Shown
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, split_name

_HAN = late_pattern(f"[{HAN}]")
_SHORTEST, _SHORTEST_HAN = 3, 2
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class TypedName:
    """A value of the evidence, typed."""

    start: int
    end: int
    text: str
    rows: tuple[RowSet, ...]
    item: int | None


class TypedNames:
    """Finds the values of text columns."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._values = _values(tables)
        longest = sorted(self._values, key=len, reverse=True)
        han = "|".join(re.escape(each) for each in longest if _HAN.search(each))
        latin = "|".join(re.escape(each) for each in longest if not _HAN.search(each))
        forms = [han, rf"(?<![\w-])(?:{latin})(?![\w-])" if latin else ""]
        self._pattern = re.compile("|".join(filter(None, forms)) or r"(?!)")

    def find(self, shown: Shown) -> Iterator[TypedName]:
        """All that stand in prose."""
        for piece in shown.pieces:
            if piece.part not in (Part.PROSE, Part.QUOTE):
                continue
            for match in self._pattern.finditer(piece.text.casefold()):
                start = piece.start + match.start()
                rows = self._values[match[0]]
                yield TypedName(start, start + len(match[0]), match[0], rows, piece.item)


def _values(tables: Sequence[Table]) -> dict[str, tuple[RowSet, ...]]:
    """The values by their text; words of a column's name are no values."""
    known = {
        word
        for table in tables
        for column in table.columns
        for word in re.findall(r"[^\W_]+", split_name(column.name).casefold())
    }
    found: dict[str, dict[str, set[int]]] = {}
    for table in tables:
        for at, column in enumerate(table.columns):
            if column.kind not in (Kind.NAME, Kind.CODE):
                continue
            for number, row in enumerate(table.rows):
                text = str(row[at] or "").casefold().strip()
                shortest = _SHORTEST_HAN if _HAN.search(text) else _SHORTEST
                if shortest <= len(text) <= _LONGEST and text not in known and not text.isdecimal():
                    found.setdefault(text, {}).setdefault(table.name, set()).add(number)
    return {
        text: tuple((name, frozenset(rows)) for name, rows in places.items())
        for text, places in found.items()
    }
