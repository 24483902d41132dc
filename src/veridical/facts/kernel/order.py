"""Rows by a column: which comes first, which stands where, which are equal."""

import heapq
from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from veridical.evidence.column import TIMES, CellKind
from veridical.facts.kernel.frame import order_of, spelt
from veridical.facts.kernel.value import FactError, Reason, Scalar, Vector

_Key = TypeVar("_Key", float, tuple[float, ...], str)
_DUST = 1e-9


def sorted_places(vector: Vector, *, descending: bool) -> list[int]:
    """All places, those without a value last; equal ones keep their order."""
    if vector.kind is CellKind.FIGURE:
        return _sorted(_figures(vector), descending=descending)
    if vector.kind in TIMES:
        return _sorted(_times(vector), descending=descending)
    texts = [None if cell is None else spelt(cell) for cell in vector.values]
    return _sorted(texts, descending=descending)


def leading_places(vector: Vector, n: int, *, descending: bool) -> list[int]:
    """The first places, and those that share the last one's value. Raises ``FactError``."""
    if vector.kind is CellKind.FIGURE:
        return _leading(_figures(vector), n, descending=descending)
    return _leading(_ordered(vector), n, descending=descending)


def end_places(vector: Vector) -> tuple[int, int] | None:
    """The places of the lowest and the highest, the first of each. Raises ``FactError``."""
    low = leading_places(vector, 1, descending=False)
    high = leading_places(vector, 1, descending=True)
    return (low[0], high[0]) if low else None


def standing(vector: Vector, at: int, *, ascending: bool) -> tuple[int, int]:
    """The number of rows before a row, and of those with its value, itself included. Raises
    ``FactError``."""
    if vector.kind is CellKind.FIGURE:
        return _standing(_figures(vector), at, ascending=ascending)
    return _standing(_ordered(vector), at, ascending=ascending)


def known_count(vector: Vector) -> int:
    """The number of rows with a value."""
    return len(vector.values) - vector.values.count(None)


def _figures(vector: Vector) -> Sequence[float | None]:
    return cast("Sequence[float | None]", vector.values)


def _ordered(vector: Vector) -> list[tuple[float, ...] | None]:
    if vector.kind not in TIMES and vector.known:
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    return _times(vector)


def _times(vector: Vector) -> list[tuple[float, ...] | None]:
    known: dict[Scalar | None, tuple[float, ...] | None] = {
        cell: order_of(cell) for cell in set(vector.values)
    }
    return [known[cell] for cell in vector.values]


def _sorted(keys: Sequence[_Key | None], *, descending: bool) -> list[int]:
    known = [at for at, key in enumerate(keys) if key is not None]
    known.sort(key=_getter(keys), reverse=descending)
    if len(known) == len(keys):
        return known
    return known + [at for at, key in enumerate(keys) if key is None]


def _getter(keys: Sequence[_Key | None]) -> Callable[[int], _Key]:
    """The key of a place that has one."""
    return cast("Callable[[int], _Key]", keys.__getitem__)


def _leading(keys: Sequence[_Key | None], n: int, *, descending: bool) -> list[int]:
    known = [key for key in keys if key is not None]
    if not known:
        return []
    if descending:
        last = max(known) if n == 1 else heapq.nlargest(n, known)[-1]
        limit = _near(last)[0]
        found = [at for at, key in enumerate(keys) if key is not None and key >= limit]
    else:
        last = min(known) if n == 1 else heapq.nsmallest(n, known)[-1]
        limit = _near(last)[1]
        found = [at for at, key in enumerate(keys) if key is not None and key <= limit]
    found.sort(key=_getter(keys), reverse=descending)
    return found


def _standing(keys: Sequence[_Key | None], at: int, *, ascending: bool) -> tuple[int, int]:
    mine = keys[at]
    if mine is None:
        raise FactError(Reason.NO_VALUE)
    known = [each for each in keys if each is not None]
    low, high = _near(mine)
    below = len([each for each in known if each < low])
    above = len([each for each in known if each > high])
    return below if ascending else above, len(known) - below - above


def _near(key: _Key) -> tuple[_Key, _Key]:
    """Between which others are the same, but for what arithmetic leaves behind."""
    if isinstance(key, float):
        dust = abs(key) * _DUST
        return key - dust, key + dust
    return key, key
