"""The things that a question names and no result covers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from veridical.answering.coverage.call import Coverage, ReadCall, read_call
from veridical.answering.coverage.call_subjects import (
    KindMention,
    code_coverage,
    count_coverage,
    currency_coverage,
    describe_subject,
    kind_coverage,
    name_coverage,
)
from veridical.answering.coverage.call_times import are_parts, describe_times, period_coverage
from veridical.answering.coverage.form import ill_formed
from veridical.answering.coverage.mentions import Mentions, known_kinds, read_question
from veridical.answering.coverage.ontology_index import OntologyIndex, ontology_index_of
from veridical.answering.coverage.period_mention import PeriodMention
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
    """One thing that the evidence must cover, with its test and the description of a miss."""

    about: str
    words: str
    judge: Callable[[ReadCall], Coverage]
    describe: Callable[[ReadCall], str]
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
    """One problem for each thing that the question names and no source covers, or that the
    answer gives in another form.

    Empty where there is no data, or where a source is no readable query on tables.
    """
    read = [
        read_call(source, feature.checker) for source in sources if source.tool not in idle_tools
    ]
    calls = [call for call in read if call is not None]
    index = ontology_index_of(feature)
    if not calls or len(calls) < len(read) or index is None:
        return ()
    mentions = _mentions(question, feature, language, today, index)
    demands = tuple(_demands(mentions, index))
    gaps = tuple(_unmet(demands, calls)) or tuple(_never_together(demands, calls))
    if answer and not gaps:
        gaps = tuple(ill_formed(question.text, language, answer, mentions, calls, index))
    return tuple(_problem(words, found) for words, found in dict.fromkeys(gaps))


def on_topic(
    question: Question,
    sources: Sequence[Source],
    feature: Feature,
    language: Language,
    today: date,
) -> tuple[Source, ...]:
    """The sources about the question alone: one of the compared years is fine, another
    account is not. An undecidable source stays."""
    index = ontology_index_of(feature)
    if index is None:
        return tuple(sources)
    demands = tuple(_demands(_mentions(question, feature, language, today, index), index))
    calls = [read_call(source, feature.checker) for source in sources]
    return tuple(
        source
        for source, call in zip(sources, calls, strict=True)
        if call is None or not _missed(demands, call, [call])
    )


def _mentions(
    question: Question, feature: Feature, language: Language, today: date, index: OntologyIndex
) -> Mentions:
    """The mentions of a question; for a canonical question, the kinds that its own call picks."""
    mentions = read_question(question, language, today, index)
    if feature.patterns is None or question.thread:
        return mentions
    match = match_pattern(question.text, feature.patterns, language, today)
    if not isinstance(match, PatternMatch):
        return mentions
    return replace(mentions, kinds=tuple(known_kinds(match, feature.checker, index, language)))


def _demands(mentions: Mentions, index: OntologyIndex) -> Iterator[_Demand]:
    for period in mentions.periods:
        yield _of_period(period, index)
    for code in mentions.codes:
        yield _Demand(
            "code",
            code.words,
            lambda call, code=code: code_coverage(code, call),
            lambda call, code=code: describe_subject(call, {code.column}),
        )
    if mentions.currencies:
        columns = index.currencies
        yield _Demand(
            "currency",
            ", ".join(mentions.currencies),
            lambda call: _best(currency_coverage(e, call, columns) for e in mentions.currencies),
            lambda call: describe_subject(call, columns),
        )
    for name in mentions.names:
        yield _Demand(
            "name", name, lambda call, name=name: name_coverage(name, call), lambda call: ""
        )
    yield from _of_kinds(mentions, index)
    if mentions.count:
        yield _Demand("count", mentions.count, count_coverage, lambda call: "sum")


def _of_period(mention: PeriodMention, index: OntologyIndex) -> _Demand:
    calendar = index.calendar
    return _Demand(
        "period",
        mention.words,
        lambda call: period_coverage(mention, call, calendar),
        lambda call: describe_times(call, calendar),
        lambda calls: are_parts(mention, calls, calendar),
    )


def _of_kinds(mentions: Mentions, index: OntologyIndex) -> Iterator[_Demand]:
    """One demand per column that separates kinds: any kind of it will do."""
    coded = {code.column for code in mentions.codes}
    groups: dict[str, list[KindMention]] = {}
    for kind in mentions.kinds:
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
            ", ".join(dict.fromkeys(kind.words for kind in kinds)),
            lambda call, options=options, by_absence=by_absence, known=known: (
                _best(kind_coverage(each, call, by_absence=by_absence) for each in options)
                if known or not _happens(call, index)
                else Coverage.COVERED
            ),
            lambda call, columns=columns: describe_subject(call, columns),
        )


def _happens(call: ReadCall, index: OntologyIndex) -> bool:
    """True for single events: wages are also paid from the bank, and so booked elsewhere."""
    return any(table.entity in index.calendar.events for table in call.tables)


def _best(verdicts: Iterator[Coverage]) -> Coverage:
    found = set(verdicts)
    return next((each for each in Coverage if each in found), Coverage.ABSENT)


def _unmet(demands: Sequence[_Demand], calls: Sequence[ReadCall]) -> Iterator[tuple[str, str]]:
    for demand in demands:
        verdicts = [demand.judge(call) for call in calls]
        if _best(iter(verdicts)) is Coverage.OTHER and not demand.whole(calls):
            off = [
                call for call, each in zip(calls, verdicts, strict=True) if each is Coverage.OTHER
            ]
            described = dict.fromkeys(demand.describe(call) for call in off)
            yield demand.words, "; ".join(each for each in described if each)


def _never_together(
    demands: Sequence[_Demand], calls: Sequence[ReadCall]
) -> Iterator[tuple[str, str]]:
    """The demands that no single call meets: the right year for one account does not make up for
    the right account in another year."""
    if len({demand.about for demand in demands}) < 2 or len(calls) < 2:
        return
    missed: list[tuple[ReadCall, list[_Demand]]] = []
    for call in calls:
        off = _missed(demands, call, calls)
        if not off:
            return
        missed.append((call, off))
    call, off = min(missed, key=lambda each: len(each[1]))
    yield from ((demand.words, demand.describe(call)) for demand in off)


def _missed(demands: Sequence[_Demand], call: ReadCall, calls: Sequence[ReadCall]) -> list[_Demand]:
    """The demands that a call misses, where it meets none of the same sort."""
    groups: dict[str, list[_Demand]] = {}
    for demand in demands:
        if demand.about != "name":
            groups.setdefault(demand.about, []).append(demand)
    return [
        group[0]
        for group in groups.values()
        if all(demand.judge(call) is Coverage.OTHER and not demand.whole(calls) for demand in group)
    ]


def _problem(words: str, found: str) -> Problem:
    found = found[:_LONGEST_FOUND]
    return Problem(
        GateCode.QUESTION_NOT_COVERED, _INSTEAD if found else "", claim=words, instead=found
    )
