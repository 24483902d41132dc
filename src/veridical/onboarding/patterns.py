"""Drafts of known questions: a total, a year's, the largest, a trend, a count for each measure.

A draft that the check refuses is not written, because its call would be refused, too.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import Any

from sqlglot import exp

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language, Text
from veridical.contracts.schema import Schema, ValueType
from veridical.messages import message
from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.kinds.soft_deletes import kept_mark
from veridical.onboarding.names import words_of
from veridical.onboarding.nouns import Noun, column_noun, table_noun
from veridical.onboarding.profile import TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.ontology.compile import compile_catalog
from veridical.ontology.filling import filled
from veridical.ontology.model import (
    Asks,
    CanonicalQueryPattern,
    Encoding,
    OntologyDescriptor,
    PeriodKind,
    Slot,
    SlotKind,
    Words,
)
from veridical.word_file import word_file

_MOST_MEASURES = 30
_MOST_COUNTS = 40
_NEVER = "9999"
"""The year of a last day that has not been set yet."""
_YEAR = Slot(name="year", type=ValueType.INTEGER, examples=(2025, 2024), kind=SlotKind.YEAR)
_YEAR_WRITTEN = re.compile(r"(19|20)\d{2}")
_LIMIT = Slot(name="limit", type=ValueType.INTEGER, examples=(5, 10), kind=SlotKind.COUNT)


@dataclass(frozen=True)
class _Subject:
    """A measure with everything for a statement about it."""

    table: TableProfile
    measure: str
    time: Proposal | None
    unit: str | None
    """The column of the unit, where there are several."""
    filters: tuple[dict[str, Any], ...]
    named_alone: bool
    """True if no other table has a measure of this name."""


def draft_patterns(
    known: Findings, ontology: OntologyDescriptor, schema: Schema, dialect: str
) -> tuple[CanonicalQueryPattern, ...]:
    """The known questions that pass the check, for the largest tables first."""
    checker = Checker(compile_catalog(schema, ontology), dialect)
    drafts = (
        *(each for subject in _subjects(known) for each in _of(known, subject, dialect)),
        *(
            _count(known, table)
            for table in _largest(known)[:_MOST_COUNTS]
            if _has_rows_that_count(known, table)
        ),
    )
    return tuple(each for each in drafts if _passes(checker, each))


def _passes(checker: Checker, pattern: CanonicalQueryPattern) -> bool:
    values = {slot.name: slot.examples[0] for slot in pattern.slots}
    return isinstance(checker.check(filled(pattern.pattern, values)), CheckedQuery)


def _largest(known: Findings) -> list[TableProfile]:
    return sorted(known.base_tables(), key=lambda table: (-table.rows, table.name))


def _has_rows_that_count(known: Findings, table: TableProfile) -> bool:
    """True unless there are versions without an end, which no filter of ours can choose."""
    return all(len(each.columns) > 1 for each in known.of(ProposalKind.VALIDITY, table.name))


def _subjects(known: Findings) -> Iterator[_Subject]:
    """Additive measures, of the largest tables first."""
    names = [
        name.casefold() for table in known.base_tables() for name in known.measures(table.name)
    ]
    found = 0
    for table in filter(partial(_has_rows_that_count, known), _largest(known)):
        left_out = known.columns(ProposalKind.NOT_ADDITIVE, table.name)
        left_out |= known.columns(ProposalKind.SNAPSHOT, table.name)
        for proposal in known.of(ProposalKind.MEASURE, table.name):
            name = proposal.columns[0]
            units = [
                each for each in known.of(ProposalKind.UNIT, table.name) if name in each.columns
            ]
            several = [each for each in units if len(each.values) > 1]
            on_parent = any(each.target != table.name for each in several)
            if name in left_out or on_parent or found >= _MOST_MEASURES:
                continue
            found += 1
            yield _Subject(
                table,
                name,
                _time(known, table),
                several[0].target_columns[0] if several else None,
                tuple(_filters(known, table)),
                names.count(name.casefold()) == 1,
            )


def _time(known: Findings, table: TableProfile) -> Proposal | None:
    deleted = known.columns(ProposalKind.SOFT_DELETE, table.name)
    found = known.of(ProposalKind.TIME_COLUMN, table.name)
    return next((each for each in found if each.columns[0] not in deleted), None)


def _filters(known: Findings, table: TableProfile) -> Iterator[dict[str, Any]]:
    """The filters that leave out deleted rows, old versions and totals."""
    for each in known.of(ProposalKind.SOFT_DELETE, table.name):
        column = table.by_name[each.columns[0]]
        kept = None if each.reason == "time" else kept_mark(table, column)
        if kept is None:
            yield {"field": column.name, "op": "is null"}
        else:
            yield {"field": column.name, "op": "=", "value": _plain(kept)}
    for each in known.of(ProposalKind.VALIDITY, table.name):
        end = table.by_name[each.columns[-1]]
        if str(end.high).startswith(_NEVER):
            yield {"field": end.name, "op": "=", "value": end.high}
        else:
            yield {"field": end.name, "op": "is null"}
    for each in known.of(ProposalKind.TOTAL_ROWS, table.name):
        yield {"field": each.columns[0], "op": "!=", "value": each.values[0]}


def _plain(value: Value) -> Value:
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def _of(known: Findings, subject: _Subject, dialect: str) -> Iterator[CanonicalQueryPattern]:
    yield _total(subject)
    span = _span(subject)
    if span:
        yield _total(subject, span)
        yield _trend(subject, dialect)
    group = _group(known, subject.table)
    if group:
        yield _top(subject, group, dialect)


def _total(subject: _Subject, span: tuple[dict[str, Any], ...] = ()) -> CanonicalQueryPattern:
    kind = "year" if span else "total"
    call = {
        "tool": "aggregateTable",
        "tableName": subject.table.name,
        "aggregate": "sum",
        "field": subject.measure,
        "filters": [*subject.filters, *span],
        "groupBy": [subject.unit] if subject.unit else [],
    }
    return _pattern(
        subject,
        kind,
        call,
        slots=(_year(subject),) if span else (),
        period=PeriodKind.YEAR if span else None,
    )


def _year(subject: _Subject) -> Slot:
    """The slot of the year, with the latest years with rows as examples."""
    column = subject.table.by_name[subject.time.columns[0]] if subject.time else None
    ends = (str(column.low), str(column.high)) if column else ()
    years = [int(found[0]) for end in ends if (found := _YEAR_WRITTEN.match(end))]
    if len(years) < len(ends) or not years:
        return _YEAR
    known = (min(years[1], date.today().year), min(years[1], date.today().year) - 1)
    return _YEAR.model_copy(
        update={"examples": tuple(year for year in known if year >= years[0]) or known[:1]}
    )


def _span(subject: _Subject) -> tuple[dict[str, Any], ...]:
    """The conditions on the time column for one year, if its encoding allows them."""
    if subject.time is None or subject.time.encoding not in (None, Encoding.ISO_TEXT):
        return ()
    name = subject.time.columns[0]
    last = "{year}-12-31"
    if subject.table.by_name[name].type is not ValueType.DATE:
        last += "T23:59:59.999"
    return (
        {"field": name, "op": ">=", "value": "{year}-01-01"},
        {"field": name, "op": "<=", "value": last},
    )


def _trend(subject: _Subject, dialect: str) -> CanonicalQueryPattern:
    time = _name(subject.time.columns[0] if subject.time else "", dialect)
    is_text = dialect == "sqlite" or (subject.time and subject.time.encoding is Encoding.ISO_TEXT)
    year = f"SUBSTR({time}, 1, 4)" if is_text else f"EXTRACT(YEAR FROM {time})"
    unit = f", {_name(subject.unit, dialect)}" if subject.unit else ""
    sql = (
        f"SELECT {year} AS {_name('year', dialect)}{unit},"
        f" SUM({_name(subject.measure, dialect)}) AS {_name(subject.measure, dialect)}"
        f" FROM {_name(subject.table.name, dialect)}{_where(subject, dialect)}"
        f" GROUP BY {year}{unit} ORDER BY {year}{unit}"
    )
    call = {"tool": "executeSqlSafe", "sql": sql}
    return _pattern(
        subject,
        "trend",
        call,
        asks=Asks.WHICH,
        words=(_notion_words("trend"),),
        also=(_notion_words("develops"),),
    )


def _group(known: Findings, table: TableProfile) -> str | None:
    """The column to rank by: a closed list, else a pointer."""
    lists = known.columns(ProposalKind.CLOSED_LIST, table.name) - known.columns(
        ProposalKind.UNIT, table.name
    )
    lists -= {each.columns[0] for each in known.of(ProposalKind.TOTAL_ROWS, table.name)}
    pointing = known.columns(ProposalKind.FOREIGN_KEY, table.name)
    found = [each.name for each in table.columns if each.name in lists]
    found += [each.name for each in table.columns if each.name in pointing]
    plain = (each for each in found if not hints_at(each, "currency"))
    return next(plain, None)


def _top(subject: _Subject, group: str, dialect: str) -> CanonicalQueryPattern:
    unit = f", {_name(subject.unit, dialect)}" if subject.unit else ""
    sql = (
        f"SELECT {_name(group, dialect)}{unit},"
        f" SUM({_name(subject.measure, dialect)}) AS {_name(subject.measure, dialect)}"
        f" FROM {_name(subject.table.name, dialect)}{_where(subject, dialect)}"
        f" GROUP BY {_name(group, dialect)}{unit}"
        f" ORDER BY SUM({_name(subject.measure, dialect)}) DESC LIMIT {{limit}}"
    )
    call = {"tool": "executeSqlSafe", "sql": sql}
    return _pattern(
        subject,
        "top",
        call,
        slots=(_LIMIT,),
        asks=Asks.WHICH,
        words=(_notion_words("top"), _called(group, column_noun(group))),
        also=(_notion_words("by"),),
        group=group,
    )


def _count(known: Findings, table: TableProfile) -> CanonicalQueryPattern:
    call = {
        "tool": "aggregateTable",
        "tableName": table.name,
        "aggregate": "count",
        "filters": list(_filters(known, table)),
    }
    noun = table_noun(table.name)
    kind = "count" if noun.is_countable else "entries"
    return CanonicalQueryPattern(
        intent=f"COUNT_{_code(table.name)}",
        pattern=call,
        questions=_questions(kind, table=noun),
        asks=Asks.HOW_MANY,
        words=(_called(table.name, noun),),
        also=(_notion_words("entries"),),
        title=_titles(kind, table=noun),
    )


def _pattern(
    subject: _Subject,
    kind: str,
    call: dict[str, Any],
    *,
    slots: tuple[Slot, ...] = (),
    period: PeriodKind | None = None,
    asks: Asks = Asks.HOW_MUCH,
    words: tuple[Words, ...] = (),
    also: tuple[Words, ...] = (),
    group: str = "",
) -> CanonicalQueryPattern:
    code = kind.upper()
    table = table_noun(subject.table.name)
    measure = _readable(subject.measure)
    if kind == "total":
        measure = _without_total(measure)
        kind = kind if measure else "total_alone"
    values = {"measure": measure, "table": table, "group": column_noun(group) if group else ""}
    place = _called(subject.table.name, table)
    own = _called(subject.measure, column_noun(subject.measure))
    named = (own,) if subject.named_alone else (own, place)
    return CanonicalQueryPattern(
        intent=f"{code}_{_code(subject.table.name)}_{_code(subject.measure)}",
        pattern=call,
        slots=slots,
        questions=_questions(kind, **values),
        asks=asks,
        period=period,
        words=(*named, *words),
        also=(place, _notion_words("total"), *also)
        if subject.named_alone
        else (_notion_words("total"), *also),
        title=_titles(kind, **values),
    )


def _questions(kind: str, **values: str | Noun) -> dict[str, tuple[str, ...]]:
    return {each.value: (_worded(f"question_{kind}", each, values),) for each in Language}


def _titles(kind: str, **values: str | Noun) -> Text:
    texts = {each: _worded(f"title_{kind}", each, values) for each in Language}
    return {language: text[:1].upper() + text[1:] for language, text in texts.items()}


def _worded(key: str, language: Language, values: Mapping[str, str | Noun]) -> str:
    """The message with its nouns in the plural, which Chinese lacks."""
    texts = {
        name: value if isinstance(value, str) else value.plural_in(language)
        for name, value in values.items()
    }
    return message(f"onboarding.{key}", language, **texts)


@cache
def _notion_words(notion: str) -> Words:
    """The words for a notion by language."""
    said = word_file("veridical.onboarding", "question_words.toml")[notion]
    return {language: tuple(words) for language, words in said.items()}


def _called(name: str, noun: Noun) -> Words:
    """The names of a column or table in a question: its words, in the singular and plural."""
    spellings = dict.fromkeys((name, _readable(name), noun.one, noun.many))
    found = tuple(each for each in spellings if each)
    return {language.value: found for language in Language}


def _without_total(measure: str) -> str:
    """The measure without its own word for a total, to avoid "total total"."""
    first, _, rest = measure.partition(" ")
    says_so = any(first == word for words in _notion_words("total").values() for word in words)
    return rest if says_so else measure


def _readable(name: str) -> str:
    return " ".join(words_of(name)) or name


def _code(name: str) -> str:
    return "_".join(words_of(name)).upper() or "X"


def _name(text: str | None, dialect: str) -> str:
    return exp.to_identifier(text or "", quoted=True).sql(dialect)


def _where(subject: _Subject, dialect: str) -> str:
    parts = [_condition(each, dialect) for each in subject.filters]
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _condition(each: dict[str, Any], dialect: str) -> str:
    name = _name(each["field"], dialect)
    if each["op"] == "is null":
        return f"{name} IS NULL"
    value = each["value"]
    written = exp.convert(value).sql(dialect)
    return f"{name} {'<>' if each['op'] == '!=' else '='} {written}"
