"""Gold cases and known questions from runs that were answered, or blocked wrongly."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.answer import Answer, AnswerKind, Source
from veridical.contracts.caller import Scope
from veridical.contracts.language import Language
from veridical.contracts.proof import Verdict
from veridical.contracts.schema import Schema, ValueType
from veridical.contracts.trace import AgentTrace, Answered, Gated, RunStarted, ToolCalled
from veridical.evals.gold.case import Case, GoldSet, Oracle
from veridical.evals.gold.query import DIALECT, tree_of
from veridical.ontology.model import (
    Asks,
    CanonicalQueryPattern,
    OntologyDescriptor,
    PeriodKind,
    Slot,
    SlotKind,
)
from veridical.reading.punctuation import marks
from veridical.route.patterns import PatternMatch, index_patterns, match_pattern
from veridical.statement.errors import EngineError
from veridical.statement.scope import Ground, apply_scope, scope_shape

_ANSWERED = frozenset({AnswerKind.PATTERN, AnswerKind.AGENT})
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_SLOT = "year"


class NoCaseError(ValueError):
    """A run without a usable case; ``reason`` is the name of the message, ``intent`` the known
    question that it is already, ``draft`` a pattern for a person to finish."""

    def __init__(
        self, reason: str, *, intent: str = "", draft: CanonicalQueryPattern | None = None
    ) -> None:
        self.reason = reason
        self.intent = intent
        self.draft = draft
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """One question with its answer and the one call that the answer rests on."""

    text: str
    feature: str
    language: Language
    day: date
    answer: Answer
    source: Source
    dialect: str = DIALECT
    """Of the data's SQL."""


def answered_question(trace: AgentTrace) -> AnsweredQuestion:
    """The question of a run. Raises ``NoCaseError`` where it has no answer of one call, or is about
    the data of one tenant, whose truth only a person can write."""
    begun, ended = begin_and_end(trace)
    if ended.answer.kind not in _ANSWERED:
        raise NoCaseError("not_answered")
    if begun.tenant:
        raise NoCaseError("of_a_tenant")
    return question_with_answer(begun, ended.answer)


def begin_and_end(trace: AgentTrace) -> tuple[RunStarted, Answered]:
    """The start and the end of a run. Raises ``NoCaseError`` where one is missing, or where the
    check refused a call and the rows of that day settled it: a case is for other days, too."""
    calls = (each for each in trace.events if isinstance(each, ToolCalled))
    if any(each.settled and not each.settled.doubted for each in calls):
        raise NoCaseError("settled")
    begun = next((each for each in trace.events if isinstance(each, RunStarted)), None)
    ended = next((each for each in reversed(trace.events) if isinstance(each, Answered)), None)
    if begun is None or ended is None:
        raise NoCaseError("not_answered")
    return begun, ended


def question_with_answer(begun: RunStarted, answer: Answer) -> AnsweredQuestion:
    """The question with an answer of one call. Raises ``NoCaseError`` for any other."""
    if len(answer.sources) != 1:
        raise NoCaseError("not_one_call")
    if begun.question.thread:
        raise NoCaseError("of_a_thread")
    day = datetime.fromtimestamp(begun.at, UTC).date()
    question = begun.question
    return AnsweredQuestion(
        question.text,
        question.feature,
        answer.language,
        day,
        answer,
        answer.sources[0],
        begun.dialect or DIALECT,
    )


def case_of(question: AnsweredQuestion, name: str) -> Case:
    """The gold case: its truth is the call as plain SQL. Raises ``NoCaseError``."""
    tree = tree_of(question.source.tool, question.source.arguments, question.dialect)
    columns = question.source.columns
    if tree is None or len(tree.selects) != len(columns):
        raise NoCaseError("no_truth")
    named = [
        each.unalias().as_(column, quoted=True)
        for each, column in zip(tree.selects, columns, strict=True)
    ]
    tree.set("expressions", named)
    figures = tuple(_columns(question.source, int, float))
    names = tuple(
        column
        for column in _columns(question.source, str)
        if all(str(value) in question.answer.text for value in _values(question.source, column))
    )
    if not figures and not names:
        raise NoCaseError("no_values")
    return Case(
        id=name,
        question=question.text,
        language=question.language,
        expected_answer_numeric=figures,
        expected_answer_names=names,
        truth=Oracle(sql=tree.sql(question.dialect)),
    )


def pattern_of(
    question: AnsweredQuestion, name: str, ontology: OntologyDescriptor
) -> CanonicalQueryPattern:
    """The question as a known one, recognised by its own words; a year that the call filters by
    becomes a slot. Raises ``NoCaseError`` where the words don't lead back to the same call, and
    where they lead to an existing known question."""
    known = match_pattern(question.text, index_patterns(ontology), question.language, question.day)
    if isinstance(known, PatternMatch):
        raise NoCaseError("already_known", intent=known.intent)
    call = {"tool": question.source.tool, **question.source.arguments}
    for asks in Asks:
        for made in _candidates(question, name, call, asks):
            grown = ontology.model_copy(
                update={"canonical_patterns": (*ontology.canonical_patterns, made)}
            )
            found = match_pattern(
                question.text, index_patterns(grown), question.language, question.day
            )
            if isinstance(found, PatternMatch) and found.intent == name and found.call == call:
                return made
    raise NoCaseError("not_recognised", draft=_plain(question, name, call))


def _candidates(
    question: AnsweredQuestion, name: str, call: dict[str, Any], asks: Asks
) -> Iterable[CanonicalQueryPattern]:
    years = set(_YEAR.findall(question.text))
    if len(years) == 1:
        year = next(iter(years))
        slotted, type_ = _slotted(call, year)
        if type_ is not None:
            yield CanonicalQueryPattern(
                intent=name,
                pattern=slotted,
                slots=(Slot(name=_SLOT, type=type_, examples=(int(year),), kind=SlotKind.YEAR),),
                questions={question.language: (question.text.replace(year, f"{{{_SLOT}}}"),)},
                asks=asks,
                period=PeriodKind.YEAR,
                title={question.language: _title(question.text.replace(year, "{period}"))},
            )
    if not years:
        yield _plain(question, name, call).model_copy(update={"asks": asks})


def _plain(question: AnsweredQuestion, name: str, call: dict[str, Any]) -> CanonicalQueryPattern:
    """The question word for word, and the call that answered it."""
    return CanonicalQueryPattern(
        intent=name,
        pattern=call,
        questions={question.language: (question.text,)},
        title={question.language: _title(question.text)},
    )


def _title(question: str) -> str:
    """The title of the answer: the question without its mark."""
    return question.strip().rstrip(marks("?")).strip()


def _slotted(part: Any, year: str) -> tuple[Any, ValueType | None]:
    """The call with the year's place marked, and the type of what stood there; none if nothing."""
    if isinstance(part, dict):
        pairs = {key: _slotted(value, year) for key, value in part.items()}
        return {key: made for key, (made, _) in pairs.items()}, _first(t for _, t in pairs.values())
    if isinstance(part, list | tuple):
        items = [_slotted(each, year) for each in part]
        return [made for made, _ in items], _first(type_ for _, type_ in items)
    if part == int(year) and not isinstance(part, bool):
        return f"{{{_SLOT}}}", ValueType.INTEGER
    return (f"{{{_SLOT}}}", ValueType.TEXT) if part == year else (part, None)


def _first(types: Iterable[ValueType | None]) -> ValueType | None:
    return next((each for each in types if each is not None), None)


def _columns(source: Source, *types: type) -> Iterable[str]:
    """The columns of the result with values of these types, without those that it is grouped by."""
    grouped = set(source.arguments.get("groupBy") or ()) if str not in types else set[str]()
    for column in source.columns:
        values = _values(source, column)
        alike = all(isinstance(each, types) and not isinstance(each, bool) for each in values)
        if values and alike and column not in grouped:
            yield column


def _values(source: Source, column: str) -> list[Any]:
    place = source.columns.index(column)
    return [row[place] for row in source.rows if row[place] is not None]


def held_back_gold(
    trace: AgentTrace,
    name: str,
    schema: Schema,
    scope: Scope,
    columns: Sequence[str] = (),
    corrected: str = "",
) -> GoldSet:
    """The question of a run whose answer was right although it was blocked. Its truth is the
    call as plain SQL over the asker's own rows, or the corrected SQL with the same columns;
    ``columns`` are the tenant's, in the pack's order. Raises ``NoCaseError``."""
    begun, ended = begin_and_end(trace)
    blocked = [
        each
        for each in trace.events
        if isinstance(each, Gated) and each.verdict is Verdict.BLOCK and each.text
    ]
    # The first attempt is what the report is about; later ones were meant to differ.
    text = blocked[0].text if blocked else ended.answer.text
    question = question_with_answer(begun, ended.answer.model_copy(update={"text": text}))
    case = case_of(question, name)
    if corrected:
        case = _corrected(case, corrected, question.dialect)
    return GoldSet(
        name=name,
        feature=question.feature,
        today=question.day.isoformat(),
        tenant=_tenant(scope, columns),
        cases=(_of_own_rows(case, schema, scope, question.dialect),),
    )


def _corrected(case: Case, sql: str, dialect: str) -> Case:
    """The case with this truth, which must have the columns that are compared."""
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except SqlglotError as error:
        raise NoCaseError("no_truth") from error
    needed = {*case.expected_answer_numeric, *case.expected_answer_names}
    if not isinstance(tree, exp.Query) or not needed <= set(tree.named_selects):
        raise NoCaseError("other_columns")
    return case.model_copy(update={"truth": Oracle(sql=tree.sql(dialect))})


def _tenant(scope: Scope, columns: Sequence[str]) -> tuple[str, ...]:
    """The asker's value of each tenant column."""
    allowed = [scope.allowed.get(column, ()) for column in columns or scope.allowed]
    if any(len(values) != 1 for values in allowed):
        raise NoCaseError("of_a_tenant")
    return tuple(str(values[0]) for values in allowed)


def _of_own_rows(case: Case, schema: Schema, scope: Scope, dialect: str) -> Case:
    """The case with a truth that reads only the asker's rows: an oracle sees all of them."""
    if case.truth is None or not scope.allowed:
        return case
    tree = sqlglot.parse_one(case.truth.sql, dialect=dialect)
    columns = {
        name: tuple(column.name for column in table.columns)
        for name, table in schema.tables.items()
    }
    ground = Ground((), {name: frozenset(each) for name, each in columns.items()}, columns)
    if not isinstance(tree, exp.Query):
        raise NoCaseError("no_truth")
    try:
        scoped, slots, _ = apply_scope(tree, scope_shape(scope, frozenset()), ground, 1)
    except EngineError as error:
        raise NoCaseError("no_truth") from error
    values = [value for _, column in slots for value in scope.allowed[column]]
    for each in list(scoped.find_all(exp.Parameter)):
        each.replace(exp.convert(values[int(each.name) - 1]))
    return case.model_copy(update={"truth": Oracle(sql=scoped.sql(dialect))})
