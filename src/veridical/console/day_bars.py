"""Stacked bars, one for each day."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 600, 110


@dataclass(frozen=True, slots=True)
class BarPart:
    """One part of a bar."""

    number: int
    """The part, which gives the colour."""
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Stack:
    """The bar of one day."""

    x: float
    width: float
    counts: tuple[int, ...]
    parts: tuple[BarPart, ...]


def stacks_of(counts: Sequence[Sequence[int]]) -> tuple[Stack, ...]:
    """A bar for each day, its parts from the bottom up; the largest is as high as there is room."""
    most = max((sum(each) for each in counts), default=0) or 1
    step = WIDTH / max(len(counts), 1)
    return tuple(
        Stack(
            x=round(place * step + 1, 1),
            width=round(step - 2, 1),
            counts=tuple(each),
            parts=tuple(_parts(each, HEIGHT / most)),
        )
        for place, each in enumerate(counts)
    )


def _parts(counts: Sequence[int], scale: float) -> list[BarPart]:
    found: list[BarPart] = []
    below = 0
    for number, count in enumerate(counts, 1):
        if count:
            top = HEIGHT - (below + count) * scale
            found.append(BarPart(number, round(top, 1), round(count * scale, 1)))
        below += count
    return found
