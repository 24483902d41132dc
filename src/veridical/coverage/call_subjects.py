"""Whether a call speaks of a code, a currency or a name: by its conditions or by its rows."""

from collections.abc import Iterable
from typing import Any

from veridical.coverage.asked_code import AskedCode
from veridical.coverage.call import ReadCall, told_picks
from veridical.coverage.lexicon import Lexicon
from veridical.coverage.span import Span, spans_of
from veridical.ontology.model import Role
from veridical.ontology.terms import fold, terms

_SHORTEST_WORD = 4


def code_gap(asked: AskedCode, calls: Iterable[ReadCall]) -> str | None:
    """What the calls have instead of this code; none when one of them may speak of it."""
    found: list[str] = []
    for call in calls:
        if _has_code(asked, call):
            return None
        found.append(told_picks(call.picks_on({asked.column})))
    return "; ".join(each for each in dict.fromkeys(found) if each)


def currency_gap(asked: str, calls: Iterable[ReadCall], lexicon: Lexicon) -> str | None:
    """What the calls have instead of this currency; none when one of them may speak of it."""
    found: list[str] = []
    for call in calls:
        instead = _other_currencies(asked, call, lexicon.currencies)
        if instead is None:
            return None
        found.append(instead)
    return "; ".join(dict.fromkeys(found))


def name_gap(asked: str, calls: Iterable[ReadCall]) -> str | None:
    """None when one of the calls may speak of this name; what else they have nobody can say."""
    words = {each for each in terms(asked) if len(each) >= _SHORTEST_WORD} or {fold(asked)}
    return None if any(_has_name(words, call) for call in calls) else ""


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
    mixed = asked.is_exact and bool(call.aggregates) and not shown
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


def _other_currencies(asked: str, call: ReadCall, columns: frozenset[str]) -> str | None:
    """The currencies that the call has instead; none when it may have this one."""
    wanted = Span(asked, asked)
    picks = call.picks_on(columns)
    spans = spans_of(picks, as_text)
    if spans is None or any(span.meets(wanted) for span in spans):
        return None
    if spans:
        return told_picks(picks)
    shown = {str(cell) for cell in call.cells(columns) if cell}
    return None if asked in shown or not shown else ", ".join(sorted(shown))


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
