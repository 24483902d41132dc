"""Whether a call speaks of a code, a currency or a name: by its conditions or by its rows."""

from collections.abc import Collection
from typing import Any

from veridical.answering.coverage.asked_code import AskedCode
from veridical.answering.coverage.call import Pick, ReadCall, Speaks, told_picks
from veridical.answering.coverage.kind import Kind
from veridical.answering.coverage.span import Span, spans_of
from veridical.ontology.model import Role
from veridical.ontology.terms import fold, terms

_SHORTEST_WORD = 4
_MOST_SHOWN = 3


def speaks_of_code(asked: AskedCode, call: ReadCall) -> Speaks:
    """How a call stands to a code."""
    if not any(column.name == asked.column for column in call.columns):
        return Speaks.NOT_AT_ALL
    return Speaks.OF_IT if _has_code(asked, call) else Speaks.OF_ANOTHER


def speaks_of_currency(asked: str, call: ReadCall, columns: frozenset[str]) -> Speaks:
    """How a call stands to a currency; ``columns`` are those that hold one."""
    wanted = Span(asked, asked)
    spans = spans_of(call.picks_on(columns), as_text)
    if spans is None or any(span.meets(wanted) for span in spans):
        return Speaks.OF_IT
    if spans:
        return Speaks.OF_ANOTHER
    shown = {str(cell) for cell in call.cells(columns) if cell}
    if not shown:
        return Speaks.NOT_AT_ALL
    return Speaks.OF_IT if asked in shown else Speaks.OF_ANOTHER


def told_subject(call: ReadCall, columns: Collection[str]) -> str:
    """What a call has in these columns: its conditions, or else what its rows show."""
    picked = told_picks(call.picks_on(columns))
    shown = sorted({str(cell) for cell in call.cells(columns) if cell})
    return picked or ", ".join(shown[:_MOST_SHOWN])


def speaks_of_name(asked: str, call: ReadCall) -> Speaks:
    """How a call stands to a name."""
    words = {each for each in terms(asked) if len(each) >= _SHORTEST_WORD} or {fold(asked)}
    return Speaks.OF_IT if _has_name(words, call) else Speaks.OF_ANOTHER


def speaks_of_kind(asked: Kind, call: ReadCall, *, by_absence: bool) -> Speaks:
    """How a call stands to a kind; by absence when it must pick what it sums up."""
    if not any(column.name == asked.column for column in call.columns):
        return Speaks.NOT_AT_ALL
    shown = {str(cell) for cell in call.cells({asked.column})}
    if any(span.meets(Span(each, each)) for each in shown for span in asked.spans):
        return Speaks.OF_IT
    spans = spans_of(call.picks_on({asked.column}), as_text)
    if spans is None or any(span.meets(wanted) for span in spans for wanted in asked.spans):
        return Speaks.OF_IT
    if spans or shown:
        return Speaks.OF_ANOTHER
    mixed = by_absence and call.aggregates and all(map(_says_nothing_of_kinds, call.picks))
    return Speaks.OF_ANOTHER if mixed else Speaks.OF_IT


def speaks_of_count(call: ReadCall) -> Speaks:
    """How a call stands to "how many": a sum of money is no number of things."""
    columns = [term.origin.column for each in call.aggregates for term in each.terms]
    sums = {each.function for each in call.aggregates} <= {"sum", "avg"}
    money = bool(columns) and all(column.same_unit is not None for column in columns)
    alone = len(call.source.rows) <= 1
    return Speaks.OF_ANOTHER if sums and money and alone else Speaks.OF_IT


def _says_nothing_of_kinds(pick: Pick) -> bool:
    return pick.column.role in (Role.TIME, Role.UNIT, Role.TENANT) or bool(pick.column.encoding)


def as_text(value: Any, step: int) -> str:
    """A code as it is compared: digits without a fraction, whatever their type."""
    del step
    return str(value)


def _has_code(asked: AskedCode, call: ReadCall) -> bool:
    picks = call.picks_on({asked.column})
    shown = {str(cell) for cell in call.cells({asked.column})}
    if any(asked.span.meets(Span(each, each)) for each in (*shown, *call.texts())):
        return True
    if not picks:
        return not shown and not _has_unpicked(asked.column, call)
    spans = spans_of(picks, as_text)
    if spans is None:
        return True
    if not any(asked.span.meets(span) for span in spans):
        return False
    # a sum over more than this code, without the codes beside it, is not this code's
    mixed = asked.is_exact and bool(call.aggregates) and asked.column not in call.shown
    return not mixed or any(asked.span.holds(span) for span in spans)


def _has_unpicked(column: str, call: ReadCall) -> bool:
    """True when the call reads a table with this column and narrows by nothing that may tell."""
    held = any(each.name == column for each in call.columns)
    telling = [
        pick
        for pick in call.picks
        if pick.column.role not in (Role.TIME, Role.UNIT, Role.TENANT)
        and not pick.column.encoding
        and pick.column.allowed_texts is None
    ]
    return held and not telling


def _has_name(words: set[str], call: ReadCall) -> bool:
    if any(pick.column.role is Role.KEY or not pick.values for pick in call.picks):
        return True  # a row picked by its key, which an earlier result may have given
    values = (value for pick in call.picks for value in pick.values if isinstance(value, str))
    return any(words.intersection(terms(text)) or _within(words, text) for text in values) or any(
        words.intersection(terms(text)) for text in call.texts()
    )


def _within(words: set[str], text: str) -> bool:
    folded = fold(text)
    return any(word in folded for word in words)
