"""What a known question may ask for: a sum, a state at a day, a number of rows, a mean."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from veridical.onboarding.display_names import day_kind, day_rank, listed_words
from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.kinds.measures import STOCK
from veridical.onboarding.names import nouns_of, singular, words_of
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.onboarding.questions.filters import named_filters
from veridical.ontology.model import Encoding

_MOST_MEASURES = 40
_MOST_COUNTS = 60
_UNDERSTOOD = 0.9
"""The least confidence in a measure, which only a name that says what it is gives: a number in a
column ``bin`` may be anything."""
_MEANS = frozenset({"price", "product", "rate"})
_DAY = re.compile(r"\d{4}-\d\d")
"""How a day or a month starts that sorts as it follows."""


class Figure(StrEnum):
    """How rows become one figure."""

    SUM = "SUM"
    COUNT = "COUNT"
    MEAN = "MEAN"


class Time(StrEnum):
    """What a row has to do with time."""

    MOVES = "MOVES"
    """it happened on a day: figures add up over days"""
    STANDS = "STANDS"
    """a state at a date: figures add up over things, never over dates"""
    HOLDS = "HOLDS"
    """a version that holds from its first day to its last"""
    NONE = "NONE"


@dataclass(frozen=True)
class Subject:
    """A figure of one table, with what its statements need."""

    table: TableProfile
    figure: Figure
    time: Time = Time.NONE
    measure: str = ""
    """Empty for a number of rows."""
    day: str = ""
    """The column with the day of a row, if there is one that can be compared."""
    end: str = ""
    """The column with the last day of a version."""
    is_text: bool = False
    """True if the day is stored as text."""
    unit: str = ""
    """The column of the unit, where there are several."""
    reports: tuple[str, ...] = ()
    """The columns of those that don't report at every date: the last report holds."""
    split: tuple[str, ...] = ()
    """Columns with rows that may not count. Nobody has decided, so that each is shown apart."""
    without: tuple[str, ...] = ()
    """Columns whose marked rows are left out, which answers say."""
    alone: bool = False
    """True if no other table has a measure of this name."""
    only: bool = False
    """True if the table has no other figure, so that its own name names it."""
    thing: str = ""
    """The table of what a version is of, where the rows of that table are counted elsewhere."""


def subjects(known: Findings) -> Iterator[Subject]:
    """The figures of the largest tables first, without those that are not understood."""
    tables = sorted(known.base_tables(), key=lambda table: (-table.rows, table.name))
    names = [name.casefold() for table in tables for name in known.measures(table.name)]
    measured = [each for table in tables for each in _measured(known, table, names)]
    measured.sort(key=lambda each: each.figure is Figure.MEAN)
    counted = [each for table in tables for each in _counted(known, table)]
    for each in (*measured[:_MOST_MEASURES], *counted[:_MOST_COUNTS]):
        left_out = (filter_["field"] for filter_ in named_filters(known, each.table))
        yield replace(each, without=tuple(dict.fromkeys(left_out)))


def _measured(known: Findings, table: TableProfile, names: list[str]) -> Iterator[Subject]:
    if _is_doubted_by_parent(known, table):
        return
    states = {each.columns[0]: each for each in known.of(ProposalKind.SNAPSHOT, table.name)}
    rates = {each.columns[0]: each for each in known.of(ProposalKind.NOT_ADDITIVE, table.name)}
    measures = [
        each
        for each in known.of(ProposalKind.MEASURE, table.name)
        if each.confidence >= _UNDERSTOOD
    ]
    figures = [each.columns[0] for each in measures if each.columns[0] not in rates]
    for proposal in measures:
        name = proposal.columns[0]
        unit = _unit(known, table, name)
        if unit is None:
            continue
        found = Subject(
            table,
            Figure.SUM,
            measure=name,
            unit=unit,
            split=tuple(_uncounted(known, table.name)),
            alone=names.count(name.casefold()) == 1,
            only=figures == [name],
        )
        if name in rates:
            yield from _mean(known, found, rates[name])
        elif name in states:
            yield from _state(table, found, states[name])
        elif states and not hints_at(name, "flow"):
            continue  # beside a state, what nothing shows to be a movement is not added up
        elif known.of(ProposalKind.VALIDITY, table.name):
            yield from _held(known, found)
        else:
            yield found if proposal.reason == STOCK else _dated(known, found)


def _state(table: TableProfile, found: Subject, proposal: Proposal) -> Iterator[Subject]:
    """The state at a day, if one column has its days."""
    column = table.by_name.get(proposal.target_columns[0])
    if len(proposal.target_columns) != 1 or column is None:
        return
    if column.type.is_temporal or _DAY.match(str(column.low)):
        reports = str(proposal.evidence.get("reports") or "")
        yield replace(
            found,
            time=Time.STANDS,
            day=column.name,
            is_text=column.is_text,
            reports=tuple(filter(None, reports.split(", "))),
        )


def _mean(known: Findings, found: Subject, proposal: Proposal) -> Iterator[Subject]:
    """The mean of a price or a rate that is no quotient of two columns."""
    held = known.of(ProposalKind.VALIDITY, found.table.name)
    if proposal.reason in _MEANS and "numerator" not in proposal.evidence and not held:
        yield replace(found, figure=Figure.MEAN)


def _held(known: Findings, found: Subject) -> Iterator[Subject]:
    """The figure of the versions that hold at a day; none without a last day."""
    proposal = known.of(ProposalKind.VALIDITY, found.table.name)[0]
    first, *last = proposal.columns
    column = found.table.by_name.get(first)
    if last and column is not None:
        thing = _parent(known, found.table.name, str(proposal.evidence.get("thing", "")))
        yield replace(
            found, time=Time.HOLDS, day=first, end=last[0], is_text=column.is_text, thing=thing
        )


def _counted(known: Findings, table: TableProfile) -> Iterator[Subject]:
    if _is_doubted_by_parent(known, table) or known.of(ProposalKind.SNAPSHOT, table.name):
        return
    found = Subject(table, Figure.COUNT, split=tuple(_uncounted(known, table.name)))
    if known.of(ProposalKind.VALIDITY, table.name):
        yield from _held(known, found)
    else:
        yield _dated(known, found)


def _parent(known: Findings, table: str, column: str) -> str:
    found = (each.target for each in known.links(table) if each.columns == (column,))
    return next((each for each in found if each and each != table), "")


def _unit(known: Findings, table: TableProfile, name: str) -> str | None:
    """The column of the unit; empty if there is one unit, None if it is not in the row itself."""
    found = [
        each
        for each in known.of(ProposalKind.UNIT, table.name)
        if name in each.columns and len(each.values) > 1
    ]
    if not found:
        return ""
    return found[0].target_columns[0] if found[0].target == table.name else None


def _uncounted(known: Findings, table: str) -> Iterator[str]:
    """The columns with states of rows that may not count, as long as nobody has decided."""
    for each in known.of(ProposalKind.UNCOUNTED, table):
        if each.state is State.OPEN and each.target is None:
            yield each.columns[0]


def _is_doubted_by_parent(known: Findings, table: TableProfile) -> bool:
    """True if rows belong to rows of a parent that may not count: invoices of test accounts."""
    return any(
        each.state is State.OPEN and each.target is not None
        for each in known.of(ProposalKind.UNCOUNTED, table.name)
    )


def _dated(known: Findings, found: Subject) -> Subject:
    """The subject with the day of its rows, if one column has it."""
    ranked = sorted(_days(known, found.table))
    if not ranked:
        return found
    column = found.table.by_name[ranked[0][1]]
    return replace(found, time=Time.MOVES, day=column.name, is_text=column.is_text)


def _days(known: Findings, table: TableProfile) -> Iterator[tuple[int, str]]:
    """The columns that may have the day of a row, with their ranks."""
    left_out = known.columns(ProposalKind.SOFT_DELETE, table.name)
    left_out |= known.columns(ProposalKind.PERSONAL, table.name)
    left_out |= known.columns(ProposalKind.LOCAL_DAYS, table.name)  # the days stand beside them
    nouns = set(nouns_of(table.name))
    for each in known.of(ProposalKind.TIME_COLUMN, table.name):
        name = each.columns[0]
        if name in left_out or each.encoding not in (None, Encoding.ISO_TEXT):
            continue
        words = [word for word in words_of(name) if word not in listed_words("bare_days")]
        if nouns.issuperset(map(singular, words)):
            yield 0, name
        elif kind := day_kind(name):
            yield 1 + day_rank(kind), name
