"""The answer to a known question in words, written from its rows alone."""

from calendar import monthrange
from datetime import date
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, SlotKind
from veridical.reading.periods import At, Period
from veridical.route.patterns import PatternIndex, PatternMatch
from veridical.route.render import render_answer

_AT = {
    PeriodKind.YEAR_END: At.END,
    PeriodKind.MONTH_END: At.END,
    PeriodKind.DAY: At.END,
    PeriodKind.SINCE_YEAR: At.SINCE,
}


def known_answer(
    pattern: CanonicalQueryPattern,
    values: dict[str, Any],
    result: ToolResult,
    index: PatternIndex,
    language: Language,
) -> str:
    """The rows of this result as the answer; empty when there was none."""
    if result.receipt is None or not isinstance(result.data, dict):
        return ""
    period = _period(pattern, values)
    match = PatternMatch(pattern.intent, {}, values, period, False, pattern, index)
    data = result.data
    return render_answer(match, data["columns"], data["rows"], result.receipt, language)


def _period(pattern: CanonicalQueryPattern, values: dict[str, Any]) -> Period | None:
    by_kind = {slot.kind: values[slot.name] for slot in pattern.slots}
    at = _AT.get(pattern.period, At.DURING) if pattern.period else At.DURING
    if SlotKind.DAY in by_kind:
        day = date.fromisoformat(by_kind[SlotKind.DAY])
        return Period("day", day, day, at)
    if SlotKind.YEAR not in by_kind:
        return None
    year = int(by_kind[SlotKind.YEAR])
    if SlotKind.MONTH not in by_kind:
        return Period("year", date(year, 1, 1), date(year, 12, 31), at)
    month = int(by_kind[SlotKind.MONTH])
    last = monthrange(year, month)[1]
    return Period("month", date(year, month, 1), date(year, month, last), at)
