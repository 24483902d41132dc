"""Traces made by hand, and traces drawn at random."""

from typing import Any

from hypothesis import strategies as st

from veridical.contracts.answer import Answer, AnswerKind, Source, Usage
from veridical.contracts.language import Language
from veridical.contracts.person import Decision, ItemKind
from veridical.contracts.question import Question, Turn
from veridical.contracts.result import Emptiness, Receipt, TimeRange
from veridical.contracts.search_ingest import IngestSummary
from veridical.contracts.trace import (
    AgentTrace,
    Answered,
    BudgetSpent,
    Event,
    Ingested,
    ModelCalled,
    PersonAsked,
    PersonDecided,
    Reviewed,
    Routed,
    RunStarted,
    ToolCalled,
)

NOON = 1_794_744_000.0
"""2026-11-15 at noon."""


def called(
    number: int,
    tool: str = "queryTable",
    table: str | None = "Balance",
    code: str | None = None,
    suggestion: str | None = None,
    success: bool | None = None,
) -> ToolCalled:
    """A call in this round: refused when it has a code."""
    return ToolCalled(
        at=NOON + number,
        round=number,
        tool=tool,
        arguments={} if table is None else {"tableName": table},
        success=code is None if success is None else success,
        validation_failure_code=code,
        error_details={"code": code, "hint": "No.", "suggestion": suggestion} if code else None,
    )


def receipt(call_id: str = "c1") -> Receipt:
    return Receipt(
        call_id=call_id,
        query_hash="q" * 16,
        ontology_hash="0" * 16,
        sql="SELECT 1",
        row_count=1,
        truncated=False,
        elapsed_ms=3.0,
    )


def repaired_run(trace_id: str = "run-1", tenant: str = "acme", at: float = NOON) -> AgentTrace:
    """A question whose first call is refused and whose second one works."""
    refused = called(1, "aggregateTable", code="INVALID_AGGREGATE_TARGET")
    worked = called(2, "aggregateTable").model_copy(update={"receipt": receipt()})
    events: tuple[Event, ...] = (
        RunStarted(
            at=at,
            question=Question(text="Wie viel lag auf der Bank?", language=Language.DE),
            caller="Ada",
            tenant=tenant,
            model="openai:gpt-test",
            ontology_hash="0" * 16,
        ),
        Routed(at=at, route="agent", reason="no pattern fits"),
        model_called(at + 1, 1),
        refused.model_copy(update={"at": at + 1.5}),
        model_called(at + 2, 2),
        worked.model_copy(update={"at": at + 2.5}),
        Answered(
            at=at + 3,
            answer=Answer(
                kind=AnswerKind.AGENT,
                text="Auf der Bank lagen CHF 12'345.60.",
                language=Language.DE,
                trace_id=trace_id,
            ),
        ),
    )
    return AgentTrace(trace_id=trace_id, events=events)


def model_called(at: float, number: int) -> ModelCalled:
    return ModelCalled(
        at=at,
        round=number,
        model="openai:gpt-test",
        input_tokens=1000,
        output_tokens=50,
        cost=0.002,
        elapsed_ms=800.0,
        tool_names=("aggregateTable",),
    )


_texts = st.text(st.characters(codec="utf-8") | st.sampled_from('\x00\x1a~\n\r"\\Zürich账户'))
_numbers = st.floats(allow_nan=False, allow_infinity=False)
_times = st.floats(min_value=0, max_value=4e9)
_counts = st.integers(min_value=0, max_value=10**12)
_scalars = st.none() | st.booleans() | st.integers(-(10**60), 10**60) | _numbers | _texts
_json = st.recursive(
    _scalars,
    lambda held: st.lists(held, max_size=3) | st.dictionaries(_texts, held, max_size=3),
    max_leaves=8,
)
_objects: st.SearchStrategy[dict[str, Any]] = st.dictionaries(_texts, _json, max_size=4)
_languages = st.sampled_from(Language)
_receipts = st.builds(  # required fields go by their aliases, under which hypothesis knows them
    Receipt,
    callId=_texts,
    queryHash=_texts,
    ontologyHash=_texts,
    sql=_texts,
    rowCount=_counts,
    truncated=st.booleans(),
    emptiness=st.none() | st.sampled_from(Emptiness),
    time_range=st.tuples(st.builds(TimeRange, field=_texts, start=st.none() | _texts)),
    elapsedMs=_numbers,
)
_questions = st.builds(
    Question,
    text=_texts,
    feature=_texts,
    language=st.none() | _languages,
    thread=st.lists(st.builds(Turn, question=_texts, answer=_texts), max_size=2).map(tuple),
)
_sources = st.builds(
    Source,
    tool=_texts,
    arguments=_objects,
    columns=st.tuples(_texts),
    rows=st.tuples(st.tuples(_scalars), st.tuples(_scalars)),
    receipt=_receipts,
)
_answers = st.builds(
    Answer,
    kind=st.sampled_from(AnswerKind),
    text=_texts,
    language=_languages,
    traceId=_texts,
    sources=st.tuples(_sources) | st.just(()),
    suggested_answers=st.tuples(_texts),
    usage=st.builds(Usage, rounds=_counts, cost=st.none() | _numbers, elapsed_ms=_numbers),
)
_decisions = st.builds(
    Decision,
    approved=st.booleans(),
    choice=_objects,
    decidedBy=_texts,
    automatic=st.booleans(),
    evidenceHash=_texts,
    at=_times,
)
names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=40)
started = st.builds(
    RunStarted,
    at=_times,
    question=_questions,
    caller=names,
    tenant=names,
    model=_texts,
    ontology_hash=_texts,
)
_later: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        Routed,
        at=_times,
        route=st.sampled_from(["chat", "pattern", "agent", "askBack"]),
        reason=_texts,
        intent=st.none() | _texts,
        slots=_objects,
    ),
    st.builds(
        ModelCalled,
        at=_times,
        round=_counts,
        model=_texts,
        input_tokens=_counts,
        output_tokens=_counts,
        cost=st.none() | _numbers,
        elapsed_ms=_numbers,
        text=_texts,
        tool_names=st.tuples(_texts, _texts),
        error=st.none() | _texts,
    ),
    st.builds(
        ToolCalled,
        at=_times,
        round=st.integers(0, 4),
        tool=st.sampled_from(["queryTable", "aggregateTable"]) | _texts,
        arguments=_objects | st.fixed_dictionaries({"tableName": st.sampled_from("ab")}),
        success=st.booleans(),
        validation_failure_code=st.none() | st.sampled_from(["FAN_OUT", "TABLE_NOT_FOUND"]),
        error_details=st.none() | _objects,
        receipt=st.none() | _receipts,
        elapsed_ms=_numbers,
    ),
    st.builds(BudgetSpent, at=_times, limit=_texts, value=_numbers),
    st.builds(
        PersonAsked,
        at=_times,
        name=_texts,
        about=st.sampled_from(ItemKind),
        evidenceHash=_texts,
        reversible=st.booleans(),
    ),
    st.builds(
        PersonDecided, at=_times, name=_texts, about=st.sampled_from(ItemKind), decision=_decisions
    ),
    st.builds(
        Ingested,
        at=_times,
        summary=st.builds(
            IngestSummary,
            ingestedCount=_counts,
            failedCount=_counts,
            pendingCount=_counts,
            successRatio=st.none() | st.floats(0, 1),
        ),
        chunks=_counts,
        failed=st.dictionaries(_texts, _texts, max_size=2),
    ),
    st.builds(Reviewed, at=_times, evaluated=_counts, requirements=_counts),
    st.builds(Answered, at=_times, answer=_answers),
)


def _trace(trace_id: str, first: RunStarted, later: list[Event]) -> AgentTrace:
    events = (first, *later)
    times = sorted(event.at for event in events)
    in_order = (
        event.model_copy(update={"at": at}) for event, at in zip(events, times, strict=True)
    )
    return AgentTrace(trace_id=trace_id, events=tuple(in_order))


traces = st.builds(_trace, trace_id=names, first=started, later=st.lists(_later, max_size=6))
