"""Values of a claim beside those of the database: which differ, which rows belong together."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.facts.database import is_called, moment
from benchmarks.facts.records import Claim, Measured, Record
from benchmarks.facts.sql_value import UnknownError

Parts = Mapping[str, Any]
Differences = list[str]
_NEAR = 1e-9


def same(one: Any, other: Any, size: float = 0.0) -> bool:
    """Whether two values are equal, figures but for their last digits."""
    if (
        isinstance(one, float | int)
        and isinstance(other, float | int)
        and not isinstance(one, bool)
    ):
        return abs(one - other) <= _NEAR * max(abs(one), abs(other), size, 1e-6)
    return bool(one == other)


def says_nothing(claim: Claim) -> bool:
    """Whether a claim has no figure."""
    figures = {name: value for name, value in claim.values.items() if name not in _COUNTS}
    figures |= figures.pop("measures", {})
    return all(each is None for value in figures.values()
               for each in (value if isinstance(value, list) else [value]))  # fmt: skip


_COUNTS = frozenset({"n", "of", "rows", "up", "down", "same", "row"})


def matched_records(
    names: Sequence[str], columns: Sequence[Sequence[Any]], records: Sequence[Record],
    rows: Sequence[Sequence[Any]], order: Sequence[int] = (),
) -> list[int | None]:  # fmt: skip
    """The record behind each row of a claim, each once; none where there is no such. Of records
    that look the same, the first in this order."""
    free = list(order or range(len(records)))
    found: list[int | None] = []
    for place, name in enumerate(names):
        wanted = [column[place] for column in columns]
        at = next((each for each in free if is_called(records[each].cells, name,
                  records[each].rids[0]) and all(map(same, wanted, rows[each]))), None)  # fmt: skip
        if at is not None:
            free.remove(at)
        found.append(at)
    return found


def different(said: Mapping[str, Any], values: Mapping[str, Any]) -> Differences:
    """What a claim says and the database does not."""
    return [f"{name} {said[name]} is {value}" for name, value in values.items()
            if not same(said[name], value)]  # fmt: skip


def different_parts(parts: Parts, values: Mapping[str, Any], size: float = 0.0) -> Differences:
    """Figures that slots print, in base units."""
    found: Differences = []
    for name, value in values.items():
        part = parts.get(name)
        shown = part.value.value if part is not None and part.value is not None else None
        if not same(stated_cell(shown), value, size):
            found.append(f"part {name} {shown} is {value}")
    return found


def different_pair(parts: Parts, one: Measured, other: Measured, size: float = 0.0) -> Differences:
    """What is said of two figures: the first against the second."""
    a, b = one.value, other.value
    if not isinstance(a, float) or not isinstance(b, float):
        return []
    values = {"diff": a - b, "pct": a / b - 1 if b > 0 else None, "ratio": a / b if b else None}
    found = different_parts(parts, values, max(abs(a), abs(b), size))
    if "other" in parts:  # two rows, of which one may have more
        higher = parts.get("higher")
        if (higher is None) is not close(a, b):
            found.append("higher")
        elif higher is not None and key_of(parts["row"]) != key_of(parts["other"]):
            wanted = parts["row" if a > b else "other"]
            found += [] if key_of(higher) == key_of(wanted) else ["higher is lower"]
    return found


def key_of(part: Any) -> str:
    """A name as text."""
    if part.items:
        return " ".join(key_of(each) for item in part.items for each in item)
    return str(part.value.value) if part.value is not None else ""


def between(
    course: list[tuple[Record, Measured]], start: str, end: str
) -> list[tuple[Record, Measured]]:
    """The rows of a course from one of its times to another."""
    first = place_of(course, start, 0) if start else 0
    last = place_of(course, end, -1) if end else len(course) - 1
    return course[min(first, last) : max(first, last) + 1]


def place_of(course: list[tuple[Record, Measured]], text: str, which: int) -> int:
    """Where a time or a name stands in a course."""
    wanted = moment(text)
    found = [at for at, (record, _) in enumerate(course) for cell in record.cells
             if str(cell).casefold() == text.casefold() or (wanted and (its := moment(cell))
             and (wanted.covers(its) or its.covers(wanted)))]  # fmt: skip
    if not found:
        raise UnknownError("noRow")
    return found[which]


def sorting(text: str) -> str:
    """By what rows are sorted."""
    head, _, tail = text.strip().rpartition(" ")
    if head and tail.casefold() in ("asc", "desc"):
        return head.strip()
    return text.strip().removeprefix("-").strip()


def is_descending(text: str) -> bool:
    """Whether the largest comes first."""
    head, _, tail = text.strip().rpartition(" ")
    if head and tail.casefold() in ("asc", "desc"):
        return tail.casefold() == "desc"
    return text.strip().startswith("-")


def reaches(key: Any, last: Any, descending: bool) -> bool:
    """Whether a row is among the first ones."""
    return close(key, last) or (key > last if descending else key < last)


def close(one: Any, other: Any) -> bool:
    """Whether two are the same but for their last digits."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_NEAR)
    return bool(one == other)


def close_times(said: Any, value: Measured) -> bool:
    """Whether two texts are the same time."""
    return isinstance(value.value, str) and moment(said) == moment(value.value)


def stated_cell(cell: Any) -> Any:
    """A cell as a claim states it."""
    return cell.isoformat() if hasattr(cell, "isoformat") else cell


def in_quotes(name: str) -> str:
    """A column as SQL takes it."""
    return '"' + name.strip('"') + '"'
