"""Parts of a calendar kept as numbers: years, months, quarters. They don't add up."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_YEARS = (1800, 2200)
_ROUNDS: dict[str, tuple[int, int, int]] = {
    "month": (1, 12, 13),
    "quarter": (1, 4, 5),
    "weekday": (1, 6, 7),
}
"""By word, the numbers of every cycle, and the highest possible one. A zero may stand for the
whole, or for Sunday; a thirteenth month is for closing the books."""
_OTHERWISE = ("money", "quantity", "rate", "price")


def find(findings: Findings) -> Iterable[Proposal]:
    """Whole numbers with the name and the range of a part of the calendar."""
    for table in findings.tables.values():
        times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
        for column in table.columns:
            if column.name in times or not column.filled or not column.is_whole:
                continue
            if not any(hints_at(column.name, kind) for kind in _OTHERWISE):
                found = _period(table.name, column)
                if found is not None:
                    yield found


def _period(table: str, column: ColumnProfile) -> Proposal | None:
    low, high = column.low, column.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return None
    found = Proposal(
        kind=ProposalKind.PERIOD,
        table=table,
        columns=(column.name,),
        evidence={"low": low, "high": high, "rows": column.filled},
        confidence=0.9,
    )
    if hints_at(column.name, "year") and _YEARS[0] <= low <= high <= _YEARS[1]:
        return found.model_copy(update={"reason": "year", "proven": True})
    for word, (first, last, most) in _ROUNDS.items():
        if hints_at(column.name, word) and low >= 0 and high <= most:
            present = {value for value, _ in column.values}
            whole = present >= set(range(first, last + 1))
            values = tuple(sorted(int(each) for each in present if isinstance(each, int)))
            return found.model_copy(
                update={"reason": "round", "proven": whole, "values": values if whole else ()}
            )
    return None
