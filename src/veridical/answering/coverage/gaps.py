"""What a question names and no result speaks of."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from veridical.answering.coverage.asked import Asked, known_kinds, read_question
from veridical.answering.coverage.asked_period import AskedPeriod
from veridical.answering.coverage.call import ReadCall, Speaks, read_call
from veridical.answering.coverage.call_subjects import (
    speaks_of_code,
    speaks_of_count,
    speaks_of_currency,
    speaks_of_kind,
    speaks_of_name,
    told_subject,
)
from veridical.answering.coverage.call_times import are_parts, speaks_of_period, told_times
from veridical.answering.coverage.form import ill_formed
from veridical.answering.coverage.kind import AskedKind
from veridical.answering.coverage.ontology_index import OntologyIndex, ontology_index_of
from veridical.answering.feature import Feature
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.question import Question
from veridical.gate.rules.problem import Problem
from veridical.route.patterns import PatternMatch, match_pattern

_LONGEST_FOUND = 60
_INSTEAD = "instead"


@dataclass(frozen=True, slots=True)
class _Demand:
    """One thing that the evidence must speak of: how to tell, and what to say where it does not."""

    about: str
    said: str
    judge: Callable[[ReadCall], Speaks]
    tell: Callable[[ReadCall], str]
    whole: Callable[[Sequence[ReadCall]], bool] = lambda calls: False
    """True when the calls meet it together though none does alone."""


def uncovered(
    question: Question,
    sources: Sequence[Source],
    feature: Feature,
    language: Language,
    today: date,
    idle_tools: Sequence[str] = (),
    answer: str = "",
) -> tuple[Problem, ...]:
    """One problem for each thing that the question names and no source speaks of, or that the
    answer gives in another form.

    Nothing is said where there is no data, or where a source is no readable query on tables.
    """
    read = [
        read_call(source, feature.checker) for source in sources if source.tool not in idle_tools
    ]
    calls = [call for call in read if call is not None]
    index = ontology_index_of(feature)
    if not calls or len(calls) < len(read) or index is None:
        return ()
    asked = _asked(question, feature, language, today, index)
    demands = tuple(_demands(asked, index))
    gaps = tuple(_unmet(demands, calls)) or tuple(_never_together(demands, calls))
    if answer and not gaps:
        gaps = tuple(ill_formed(question.text, language, answer, asked, calls, index))
    return tuple(_problem(said, found) for said, found in dict.fromkeys(gaps))


def on_topic(
    question: Question,
    sources: Sequence[Source],
    feature: Feature,
    language: Language,
    today: date,
) -> tuple[Source, ...]:
    """The sources that speak of nothing else than what was asked: of one of the years that are
    compared, but not of another account. What can't be decided stays."""
    index = ontology_index_of(feature)
    if index is None:
        return tuple(sources)
    demands = tuple(_demands(_asked(question, feature, language, today, index), index))
    calls = [read_call(source, feature.checker) for source in sources]
    return tuple(
        source
        for source, call in zip(sources, calls, strict=True)
        if call is None or not _missed(demands, call, [call])
    )


def _asked(
    question: Question, feature: Feature, language: Language, today: date, index: OntologyIndex
) -> Asked:
    """What the question names; for a canonical question, what its own call picks."""
    asked = read_question(question, language, today, index)
    if feature.patterns is None or question.thread:
        return asked
    match = match_pattern(question.text, feature.patterns, language, today)
    if not isinstance(match, PatternMatch):
        return asked
    return replace(asked, kinds=tuple(known_kinds(match, feature.checker, index, language)))


def _demands(asked: Asked, index: OntologyIndex) -> Iterator[_Demand]:
    for period in asked.periods:
        yield _of_period(period, index)
    for code in asked.codes:
        yield _Demand(
            "code",
            code.said,
            lambda call, code=code: speaks_of_code(code, call),
            lambda call, code=code: told_subject(call, {code.column}),
        )
    if asked.currencies:
        columns = index.currencies
        yield _Demand(
            "currency",
            ", ".join(asked.currencies),
            lambda call: _best(speaks_of_currency(e, call, columns) for e in asked.currencies),
            lambda call: told_subject(call, columns),
        )
    for name in asked.names:
        yield _Demand(
            "name", name, lambda call, name=name: speaks_of_name(name, call), lambda call: ""
        )
    yield from _of_kinds(asked, index)
    if asked.count:
        yield _Demand("count", asked.count, speaks_of_count, lambda call: "sum")


def _of_period(asked: AskedPeriod, index: OntologyIndex) -> _Demand:
    calendar = index.calendar
    return _Demand(
        "period",
        asked.said,
        lambda call: speaks_of_period(asked, call, calendar),
        lambda call: told_times(call, calendar),
        lambda calls: are_parts(asked, calls, calendar),
    )


def _of_kinds(asked: Asked, index: OntologyIndex) -> Iterator[_Demand]:
    """Kinds that the same column tells apart stand for one another: one may be but the way."""
    coded = {code.column for code in asked.codes}
    groups: dict[str, list[AskedKind]] = {}
    for kind in asked.kinds:
        column = kind.kinds[0].column
        if kind.is_known_question or column not in coded:
            groups.setdefault(column, []).append(kind)
    for column, kinds in groups.items():
        options = [each for kind in kinds for each in kind.kinds]
        columns = {each.column for each in options}
        by_absence = column in index.kind_columns
        known = any(kind.is_known_question for kind in kinds)
        yield _Demand(
            f"kind {column}",
            ", ".join(dict.fromkeys(kind.said for kind in kinds)),
            lambda call, options=options, by_absence=by_absence, known=known: (
                _best(speaks_of_kind(each, call, by_absence=by_absence) for each in options)
                if known or not _happens(call, index)
                else Speaks.OF_IT
            ),
            lambda call, columns=columns: told_subject(call, columns),
        )


def _happens(call: ReadCall, index: OntologyIndex) -> bool:
    """True for single events: wages are also paid from the bank, and so booked elsewhere."""
    return any(table.entity in index.calendar.events for table in call.tables)


def _best(verdicts: Iterator[Speaks]) -> Speaks:
    found = set(verdicts)
    return next((each for each in Speaks if each in found), Speaks.NOT_AT_ALL)


def _unmet(demands: Sequence[_Demand], calls: Sequence[ReadCall]) -> Iterator[tuple[str, str]]:
    for demand in demands:
        verdicts = [demand.judge(call) for call in calls]
        if _best(iter(verdicts)) is Speaks.OF_ANOTHER and not demand.whole(calls):
            off = [
                call
                for call, each in zip(calls, verdicts, strict=True)
                if each is Speaks.OF_ANOTHER
            ]
            told = dict.fromkeys(demand.tell(call) for call in off)
            yield demand.said, "; ".join(each for each in told if each)


def _never_together(
    demands: Sequence[_Demand], calls: Sequence[ReadCall]
) -> Iterator[tuple[str, str]]:
    """The right year for one account and the right account for another year: neither will do."""
    if len({demand.about for demand in demands}) < 2 or len(calls) < 2:
        return
    missed: list[tuple[ReadCall, list[_Demand]]] = []
    for call in calls:
        off = _missed(demands, call, calls)
        if not off:
            return
        missed.append((call, off))
    call, off = min(missed, key=lambda each: len(each[1]))
    yield from ((demand.said, demand.tell(call)) for demand in off)


def _missed(demands: Sequence[_Demand], call: ReadCall, calls: Sequence[ReadCall]) -> list[_Demand]:
    """The demands that a call misses, where it meets none of the same sort."""
    groups: dict[str, list[_Demand]] = {}
    for demand in demands:
        if demand.about != "name":
            groups.setdefault(demand.about, []).append(demand)
    return [
        group[0]
        for group in groups.values()
        if all(
            demand.judge(call) is Speaks.OF_ANOTHER and not demand.whole(calls) for demand in group
        )
    ]


def _problem(asked: str, found: str) -> Problem:
    found = found[:_LONGEST_FOUND]
    return Problem(
        GateCode.QUESTION_NOT_COVERED, _INSTEAD if found else "", claim=asked, instead=found
    )
