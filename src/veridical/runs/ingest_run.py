"""An ingest as a durable run: the list of its files is a step, and so are each batch of them and
each part of the vectors.

The list is made once, so a batch means the same files in every life. A batch that was stored by a
worker which died before it could say so is stored again by the next, and finds its documents there.
So with the vectors, after the last batch of files.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from veridical.answering.session import Emit
from veridical.contracts.answer import Answer, AnswerKind, Usage
from veridical.contracts.language import Language
from veridical.contracts.search_ingest import IngestOutcome, IngestTask, VectorOutcome
from veridical.contracts.step import Json, Step
from veridical.contracts.trace import Answered, Ingested, RunStarted
from veridical.messages import message
from veridical.runs.request import RunSegment
from veridical.runs.vector_steps import embed_in_steps
from veridical.search.document_reading import IngestOptions
from veridical.search.index import SearchIndex, opened_index
from veridical.search.ingest import (
    IngestReport,
    batches,
    files_under,
    ingest_batch,
    report_on,
)
from veridical.search.score.settings import read_score_settings
from veridical.search.vector_gap import vector_line
from veridical.store.connection import Store

_MOST_REASONS = 1_000
"""Reasons in the outcome; the events have all of them."""

RunBatch = Callable[[Sequence[Path]], Json]


async def run_ingest(
    segment: RunSegment, task: IngestTask, documents: Store, step: Step, emit: Emit
) -> Answer:
    """Store the documents of a task; partial success is a success that says what is missing."""
    request = segment.request
    language = request.caller.language
    index = opened_index(read_score_settings(), documents.tenant, segment.tenant, task.collection)
    plan = await step("ingest.plan", partial(_planned, task))
    emit(RunStarted(at=plan["at"], question=request.question, caller=request.caller.name))
    report = await _stored(plan, _batch_runner(index, task, language), step, emit)
    vectors = await _embedded(index, report, step, emit)
    closed = await step("close", _now)
    seconds = closed["at"] - plan["at"]
    answer = _answer(segment.run_id, task, report, vectors, language, seconds)
    emit(Answered(at=closed["at"], answer=answer))
    return answer


async def _stored(plan: Json, run_batch: RunBatch, step: Step, emit: Emit) -> IngestReport:
    """One batch after the other: steps must come in the same order in every life."""
    work = [tuple(map(Path, batch)) for batch in plan["batches"]]
    report = report_on(path for batch in work for path in batch)
    for number, batch in enumerate(work):
        outcome = await step(f"ingest:{number}", partial(_timed, run_batch, batch))
        report.note(batch, outcome)
        emit(
            Ingested(
                at=outcome["at"],
                summary=report.summary,
                chunks=report.chunks,
                failed=outcome["failed"],
            )
        )
    return report


async def _embedded(
    index: SearchIndex, report: IngestReport, step: Step, emit: Emit
) -> VectorOutcome | None:
    """The final state of the vectors; an error with them does not undo the ingest."""
    outcome = None
    async for at, outcome in embed_in_steps(index, step):
        emit(Ingested(at=at, summary=report.summary, chunks=report.chunks, vectors=outcome))
    return outcome


async def _planned(task: IngestTask) -> Json:
    """The files there are now, in batches."""
    found = await asyncio.to_thread(files_under, map(Path, task.paths))
    listed = [[str(path) for path in batch] for batch in batches(found)]
    return {"at": time.time(), "batches": listed}


async def _timed(run_batch: RunBatch, batch: Sequence[Path]) -> Json:
    outcome = await asyncio.to_thread(run_batch, batch)
    return {"at": time.time(), **outcome}


async def _now() -> Json:
    return {"at": time.time()}


def _batch_runner(index: SearchIndex, task: IngestTask, language: Language) -> RunBatch:
    options = IngestOptions(task.language, task.version, task.policy_tags, task.trust_addresses)

    def run(batch: Sequence[Path]) -> Json:
        return ingest_batch(index, None, batch, options, language)

    return run


def _answer(
    run_id: str,
    task: IngestTask,
    report: IngestReport,
    vectors: VectorOutcome | None,
    language: Language,
    seconds: float,
) -> Answer:
    summary = report.summary
    arrived = message(
        "ingest.arrived",
        language,
        collection=task.collection,
        files=len(report.statuses),
        ingested=summary.ingested_count,
        failed=summary.failed_count,
        chunks=report.chunks,
    )
    sentences = [arrived if report.statuses else message("ingest.no_files", language)]
    if vectors is not None:
        sentences.append(vector_line(vectors, language))
    return Answer(
        kind=AnswerKind.INGEST,
        text=" ".join(sentences),
        language=language,
        trace_id=run_id,
        usage=Usage(elapsed_ms=round(seconds * 1000, 3)),
        ingest=IngestOutcome(
            collection=task.collection,
            summary=summary,
            chunks=report.chunks,
            failed=dict(list(report.reasons.items())[:_MOST_REASONS]),
            vectors=vectors,
        ),
    )
