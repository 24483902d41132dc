"""A sheet: the common form of every kind of exhibit, with one way to look things up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical.gate.evidence.exhibit import Exhibit


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns and rows. A table is its own sheet; a record or a text becomes one or several.

    ``row_labels`` are the words that name a row where no cell of it does: the line of a text, the
    path of a record. An empty tuple where the cells themselves are the key.
    """

    exhibit: int
    """The index of its exhibit."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    source: Exhibit
    row_labels: tuple[str, ...] = ()
    title: str = ""
    """Its subject: the path to a record's list, the heading above a text."""
    scale: float = 1.0
    """The scale of its figures: 1000000 below ``(in millions)``."""
    units: Mapping[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    """The units that stand in cells themselves, by row and column: ``4.2 %``, ``$ 5``."""
    report: bool = False
    """Read from a page or from cells of text, where brackets stand for a minus and
    nothing declares the meaning of a row."""
