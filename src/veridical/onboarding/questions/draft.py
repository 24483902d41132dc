"""Drafts of known questions. One that the check refuses is not written, even if it would only
refuse it once everything that was found is confirmed."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Schema
from veridical.onboarding.display_names import column_name
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.findings import Findings
from veridical.onboarding.proposal import State
from veridical.onboarding.questions.dimension import Dimension, dimensions, flags, own_names
from veridical.onboarding.questions.filters import row_filters
from veridical.onboarding.questions.statement import Statement, filtered
from veridical.onboarding.questions.subject import Figure, Time, subjects
from veridical.onboarding.questions.values import SLOT, value_slot
from veridical.onboarding.questions.wording import Division, pattern_of
from veridical.ontology.compile import compile_catalog
from veridical.ontology.filling import filled
from veridical.ontology.model import CanonicalQueryPattern, Slot

_MOST = 400
_PLAIN = re.compile(r"\w+")
_IN_TIME = (Time.STANDS, Time.HOLDS)
_Patterns = Iterator[CanonicalQueryPattern]


def draft_patterns(
    known: Findings, schema: Schema, dialect: str
) -> tuple[CanonicalQueryPattern, ...]:
    """The known questions that pass the check, the plainest of the largest tables first."""
    confirmed = [each.model_copy(update={"state": State.ACCEPTED}) for each in known.proposals]
    ontology = draft_ontology("drafts", known.tables, confirmed)
    checker = Checker(compile_catalog(schema, ontology), dialect)
    drafts: dict[str, CanonicalQueryPattern] = {}
    for each in _drafts(known, dialect):
        drafts.setdefault(each.intent, each)
    return tuple(islice((each for each in drafts.values() if _passes(checker, each)), _MOST))


def _passes(checker: Checker, pattern: CanonicalQueryPattern) -> bool:
    values = {slot.name: slot.examples[0] for slot in pattern.slots}
    return isinstance(checker.check(filled(pattern.pattern, values)), CheckedQuery)


def _drafts(known: Findings, dialect: str) -> _Patterns:
    """All drafts: what is most likely asked of every table, before more is asked of one."""
    starts = [
        filtered(Statement(subject, dialect), list(row_filters(known, subject.table)))
        for subject in subjects(known)
    ]
    for stage in (_whole, _divided, _narrowed):
        for start in starts:
            yield from stage(known, start)


def _whole(known: Findings, start: Statement) -> _Patterns:
    """The figure of all rows, at each kind of time that it has."""
    subject = start.subject
    if subject.split:
        # Whether all its rows count is undecided: each state is a line of its own.
        names = (column_name(subject.split[0]),)
        division = Division(subject.split[0], names)
        yield pattern_of(subject, "split", _call(_present(start)), division)
    elif subject.thing:
        return
    elif subject.figure is Figure.MEAN:
        yield _asked(start, "mean")
    elif subject.time in _IN_TIME:
        yield _asked(start.now().dated(), "now")
        yield _asked(start.at_day().dated(), "day")
        if subject.time is Time.STANDS and not subject.reports:
            yield _asked(start.month_ends(), "month_ends")
    else:
        yield _asked(start, "total")
        if subject.time is Time.MOVES:
            yield _asked(start.in_year(), "year")
            yield _asked(start.in_year().months(), "months")
    if not subject.split:
        yield from _marked(_present(start))


def _divided(known: Findings, start: Statement) -> _Patterns:
    """The figure by each dimension, and the largest ones."""
    subject = start.subject
    if subject.split:
        return
    present = _present(start)
    for each in dimensions(known, subject.table):
        yield _asked(present.by(each), "by", each)
        yield _asked(present.by(each).top(), "top", each)
    names = own_names(known, subject.table)
    if names is not None and subject.time is Time.NONE and subject.figure is Figure.SUM:
        yield _asked(start.by(names).top(), "top", names)


def _narrowed(known: Findings, start: Statement) -> _Patterns:
    """The figure of one value, at one day, in one month, and by year."""
    subject = start.subject
    if subject.split:
        return
    for each in dimensions(known, subject.table):
        if subject.time in _IN_TIME:
            yield _asked(start.at_day().by(each), "by_day", each)
        elif subject.figure is not Figure.MEAN:
            yield from _chosen(known, start, each)
    if subject.time is Time.MOVES and subject.figure is not Figure.MEAN:
        yield _asked(start.in_month(), "month")
        yield _asked(start.years(), "trend")


def _present(start: Statement) -> Statement:
    return start.now() if start.subject.time in _IN_TIME else start


def _marked(start: Statement) -> _Patterns:
    """The number of rows with a mark: the products that are discontinued."""
    if start.subject.figure is not Figure.COUNT:
        return
    for column, yes in flags(start.subject.table):
        marked = filtered(start, [{"field": column.name, "op": "=", "value": yes}])
        division = Division(column.name, (column_name(column.name),))
        yield pattern_of(start.subject, "flag", _call(marked), division, column.name)


def _chosen(known: Findings, start: Statement, dimension: Dimension) -> _Patterns:
    """The figure of one value of a dimension, which the question names."""
    subject = start.subject
    slot = value_slot(dimension)
    if slot is None:
        return
    if dimension.parent:
        far = start.by(dimension)
        wanted = f"{far.far(dimension.shown[0])} = '{{{SLOT}}}'"
        call = _call(replace(far, groups=(), keys=()).where(wanted))
        # Of a question, a statement takes letters and digits only.
        slot = _of_plain_values(slot)
    else:
        chosen = {"field": dimension.column, "op": "=", "value": f"{{{SLOT}}}"}
        call = {
            "tool": "aggregateTable",
            "tableName": subject.table.name,
            "aggregate": "count" if subject.figure is Figure.COUNT else "sum",
            "filters": [*row_filters(known, subject.table), chosen],
            "groupBy": [subject.unit] if subject.unit else [],
        }
        call |= {"field": subject.measure} if subject.measure else {}
    if slot.values:
        division = Division(dimension.column, dimension.names, slot, is_named=False)
        yield pattern_of(subject, "value", call, division, dimension.column)


def _of_plain_values(slot: Slot) -> Slot:
    values = tuple(each for each in slot.values if _PLAIN.fullmatch(each))
    words = {each: slot.words[each] for each in values}
    return slot.model_copy(update={"values": values, "words": words, "examples": values[:1]})


def _asked(statement: Statement, kind: str, by: Dimension | None = None) -> CanonicalQueryPattern:
    division = Division(by.column, by.names) if by else None
    suffix = by.column if by else ""
    return pattern_of(statement.subject, kind, _call(statement), division, suffix)


def _call(statement: Statement) -> dict[str, Any]:
    return {"tool": "executeSqlSafe", "sql": statement.sql()}
