"""Whether a call covers a code, a currency or a name: by its conditions or by its rows."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from veridical.answering.coverage.call import Coverage, Pick, ReadCall, describe_picks
from veridical.answering.coverage.code_mention import CodeMention
from veridical.answering.coverage.span import Span, spans_of
from veridical.ontology.model import Role
from veridical.ontology.terms import fold, terms


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of rows: a column, and the values that it has in them."""

    column: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class KindMention:
    """A word for a kind of thing; several kinds where it may mean any of them."""

    words: str
    kinds: tuple[RowKind, ...]
    is_known_question: bool = False
    """True when a canonical question has this condition."""


_SHORTEST_WORD = 4
_MOST_SHOWN = 3


def code_coverage(code: CodeMention, call: ReadCall) -> Coverage:
    """The coverage of a code by a call."""
    if not any(column.name == code.column for column in call.columns):
        return Coverage.ABSENT
    return Coverage.COVERED if _has_code(code, call) else Coverage.OTHER


def currency_coverage(currency: str, call: ReadCall, columns: frozenset[str]) -> Coverage:
    """The coverage of a currency by a call; ``columns`` are those with currencies."""
    wanted = Span(currency, currency)
    spans = spans_of(call.picks_on(columns), as_text)
    if spans is None or any(span.meets(wanted) for span in spans):
        return Coverage.COVERED
    if spans:
        return Coverage.OTHER
    shown = {str(cell) for cell in call.cells(columns) if cell}
    if not shown:
        return Coverage.ABSENT
    return Coverage.COVERED if currency in shown else Coverage.OTHER


def describe_subject(call: ReadCall, columns: Collection[str]) -> str:
    """The conditions of a call on these columns, or else the values in its rows."""
    picked = describe_picks(call.picks_on(columns))
    shown = sorted({str(cell) for cell in call.cells(columns) if cell})
    return picked or ", ".join(shown[:_MOST_SHOWN])


def name_coverage(name: str, call: ReadCall) -> Coverage:
    """The coverage of a name by a call."""
    words = {each for each in terms(name) if len(each) >= _SHORTEST_WORD} or {fold(name)}
    return Coverage.COVERED if _has_name(words, call) else Coverage.OTHER


def kind_coverage(kind: RowKind, call: ReadCall, *, by_absence: bool) -> Coverage:
    """The coverage of a kind by a call; with ``by_absence``, a sum without a filter covers none."""
    if not any(column.name == kind.column for column in call.columns):
        return Coverage.ABSENT
    shown = {str(cell) for cell in call.cells({kind.column})}
    if any(span.meets(Span(each, each)) for each in shown for span in kind.spans):
        return Coverage.COVERED
    spans = spans_of(call.picks_on({kind.column}), as_text)
    if spans is None or any(span.meets(wanted) for span in spans for wanted in kind.spans):
        return Coverage.COVERED
    if spans or shown:
        return Coverage.OTHER
    mixed = by_absence and call.aggregates and all(map(_ignores_kinds, call.picks))
    return Coverage.OTHER if mixed else Coverage.COVERED


def count_coverage(call: ReadCall) -> Coverage:
    """The coverage of "how many" by a call: a sum of money is no number of things."""
    columns = [term.origin.column for each in call.aggregates for term in each.terms]
    sums = {each.function for each in call.aggregates} <= {"sum", "avg"}
    money = bool(columns) and all(column.same_unit is not None for column in columns)
    alone = len(call.source.rows) <= 1
    return Coverage.OTHER if sums and money and alone else Coverage.COVERED


def _ignores_kinds(pick: Pick) -> bool:
    return pick.column.role in (Role.TIME, Role.UNIT, Role.TENANT) or bool(pick.column.encoding)


def as_text(value: Any, step: int) -> str:
    """A code as it is compared: digits without a fraction, whatever their type."""
    del step
    return str(value)


def _has_code(code: CodeMention, call: ReadCall) -> bool:
    picks = call.picks_on({code.column})
    shown = {str(cell) for cell in call.cells({code.column})}
    if any(code.span.meets(Span(each, each)) for each in (*shown, *call.texts())):
        return True
    if not picks:
        return not shown and not _has_unpicked(code.column, call)
    spans = spans_of(picks, as_text)
    if spans is None:
        return True
    if not any(code.span.meets(span) for span in spans):
        return False
    # a sum over more than this code, without the codes beside it, is not this code's
    mixed = code.is_exact and bool(call.aggregates) and code.column not in call.shown
    return not mixed or any(code.span.holds(span) for span in spans)


def _has_unpicked(column: str, call: ReadCall) -> bool:
    """True when the call reads a table with this column and has no filter that may pick it."""
    present = any(each.name == column for each in call.columns)
    telling = [
        pick
        for pick in call.picks
        if pick.column.role not in (Role.TIME, Role.UNIT, Role.TENANT)
        and not pick.column.encoding
        and pick.column.allowed_texts is None
    ]
    return present and not telling


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
