"""Rows by a column: which comes first, which stands where, which are equal."""

import heapq
from collections.abc import Sequence
from typing import Any

from veridical.evidence.column import TIMES, CellKind
from veridical.facts.kernel.frame import order_of, spelt
from veridical.facts.kernel.value import FactError, Reason, Vector

_DUST = 1e-9
_Keys = Sequence[Any]
"""Figures, times or texts, which can be compared; none where a cell is empty."""


def sorted_places(vector: Vector, *, descending: bool) -> list[int]:
    """All places, those without a value last; equal ones keep their order."""
    keys = _keys(vector, of_texts=True)
    known = [at for at, key in enumerate(keys) if key is not None]
    known.sort(key=keys.__getitem__, reverse=descending)
    if len(known) == len(keys):
        return known
    return known + [at for at, key in enumerate(keys) if key is None]


def leading_places(vector: Vector, n: int, *, descending: bool) -> list[int]:
    """The first places, and those that share the last one's value. Raises ``FactError``."""
    keys = _keys(vector)
    known = [key for key in keys if key is not None]
    if not known:
        return []
    last = (heapq.nlargest if descending else heapq.nsmallest)(n, known)[-1]
    low, high = _near(last)
    if descending:
        found = [at for at, key in enumerate(keys) if key is not None and key >= low]
    else:
        found = [at for at, key in enumerate(keys) if key is not None and key <= high]
    found.sort(key=keys.__getitem__, reverse=descending)
    return found


def end_places(vector: Vector) -> tuple[int, int] | None:
    """The places of the lowest and the highest, the first of each. Raises ``FactError``."""
    low = leading_places(vector, 1, descending=False)
    high = leading_places(vector, 1, descending=True)
    return (low[0], high[0]) if low else None


def standing(vector: Vector, at: int, *, ascending: bool) -> tuple[int, int]:
    """The number of rows before a row, and of those with its value, itself included. Raises
    ``FactError``."""
    keys = _keys(vector)
    if keys[at] is None:
        raise FactError(Reason.NO_VALUE)
    known = [key for key in keys if key is not None]
    low, high = _near(keys[at])
    below = len([each for each in known if each < low])
    above = len([each for each in known if each > high])
    return below if ascending else above, len(known) - below - above


def known_count(vector: Vector) -> int:
    """The number of rows with a value."""
    return len(vector.values) - vector.values.count(None)


def _keys(vector: Vector, *, of_texts: bool = False) -> _Keys:
    if vector.kind is CellKind.FIGURE:
        vector.ensure_one_unit()
        return vector.values
    if vector.kind not in TIMES and not of_texts and not vector.is_empty:
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    key_of = order_of if vector.kind in TIMES or not of_texts else spelt
    known = {cell: key_of(cell) if cell is not None else None for cell in set(vector.values)}
    return list(map(known.__getitem__, vector.values))


def _near(key: Any) -> tuple[Any, Any]:
    """Between which others are the same, but for what arithmetic leaves behind."""
    dust = abs(key) * _DUST if isinstance(key, float) else None
    return (key, key) if dust is None else (key - dust, key + dust)
