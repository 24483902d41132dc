"""Numbers that are codes: account numbers, postal codes, article numbers. They don't add up."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import counts_things, hints_at, words_hint_at
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_LONG = 8
"""Digits that a count or an amount in whole units seldom has in every row."""


_FLAGS = 2
_AMOUNTS = ("quantity", "money", "rate", "price", "stock", "flow")


def find(findings: Findings) -> Iterable[Proposal]:
    """Whole numbers that identify something."""
    for table in findings.tables.values():
        used = set(findings.key(table.name))
        for kind in (ProposalKind.FOREIGN_KEY, ProposalKind.TIME_COLUMN):
            used |= findings.columns(kind, table.name)
        for column in table.columns:
            if column.name not in used and column.is_whole and column.filled:
                found = _code(table, column)
                if found is not None:
                    yield found


def _code(table: TableProfile, column: ColumnProfile) -> Proposal | None:
    named = _named(words_of(column.name)) or _is_class(column)
    long = _is_long(table, column)
    if column.negatives or not (named or long) or (column.distinct < 2 and not named):
        return None
    return Proposal(
        kind=ProposalKind.CODE,
        table=table.name,
        columns=(column.name,),
        reason="counted",
        evidence={"low": column.low, "high": column.high, "distinct": column.distinct},
        confidence=0.95 if named and _same_length(column) else 0.85 if named else 0.7,
        proven=named and _same_length(column) and len(str(column.high)) > 3,
    )


def _named(words: tuple[str, ...]) -> bool:
    """True for ``number``, which is a code; ``number of items`` and ``no show`` are not."""
    counts = words_hint_at(words, "quantity") or words_hint_at(words, "ordinal")
    if words_hint_at(words, "money") or counts or words_hint_at(words, "calendar"):
        return False
    if counts_things(words):
        return False
    return any(
        words_hint_at((word,), "code") and words[place + 1 : place + 2] != ("of",)
        for place, word in enumerate(words)
    )


def _is_class(column: ColumnProfile) -> bool:
    """True for codes of kinds: a reason 1 to 4, a status 10, 20 or 90."""
    others = (*_AMOUNTS, "parameter", "calendar")
    classed = hints_at(column.name, "closed") and not any(
        hints_at(column.name, other) for other in others
    )
    return classed and len(column.values) > _FLAGS


def _same_length(column: ColumnProfile) -> bool:
    return len(str(column.low)) == len(str(column.high))


def _is_long(table: TableProfile, column: ColumnProfile) -> bool:
    if any(hints_at(column.name, each) for each in _AMOUNTS) or counts_things(
        words_of(column.name)
    ):
        return False
    return (
        _same_length(column)
        and len(str(column.high)) >= _LONG
        and column.distinct >= 0.9 * column.filled
        and table.seen >= 10
    )
