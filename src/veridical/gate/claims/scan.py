"""One pass over the text: every place where digits begin a figure, a date, a period or a code."""

from collections.abc import Iterable

from veridical.contracts.input_budget import keep_time
from veridical.gate.claims.codes import glued_code
from veridical.gate.claims.dates import date_at
from veridical.gate.claims.draft import Draft
from veridical.gate.claims.figures import figure
from veridical.late_pattern import late_pattern
from veridical.reading.figure import DIGITS

_DIGIT = late_pattern("[0-9]")
_NUMBER = late_pattern(DIGITS)


def scan(text: str, names: Iterable[Draft] = ()) -> list[Draft]:
    """All places in order; digits inside another place or a name are none of their own."""
    found: list[Draft] = []
    taken = _with_digits(text, names)
    nth = 0
    search = _NUMBER.search
    at = 0
    while (number := search(text, at)) is not None:
        keep_time()
        start, end = number.span()
        while nth < len(taken) and taken[nth][1] <= start:
            nth += 1
        if nth < len(taken) and taken[nth][0] <= start:
            at = taken[nth][1]
            continue
        draft = None
        if start and text[start - 1] != " ":
            draft = glued_code(text, start)
        if draft is None:
            draft = date_at(text, start, end)
        if draft is not None:
            while found and draft.start < found[-1].end:
                found.pop()  # what looked like a figure is the beginning of a code
            found.append(draft)
            at = max(draft.end, start + 1)
        else:
            figures = figure(text, start, end)
            if found and figures[0].start < found[-1].end:
                figures[0].start = start
            found.extend(figures)
            at = max(figures[-1].end, end)
    return found


def _with_digits(text: str, names: Iterable[Draft]) -> list[tuple[int, int]]:
    return sorted(
        (name.start, name.end)
        for name in names
        if _DIGIT.search(text, name.start, name.end) is not None
    )
