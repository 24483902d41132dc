"""Collecting evidence as a durable run: search, score, approval, ingest and verification.

Each is a step or several. The ranking is a step's result, so a decision is about the same ranking
in every life. What is stored is compared with what was approved when it is read again, and the
verifier looks at the store and not at what the steps reported.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any

from pydantic_ai.models import Model

from veridical.agent.approval import Consultations
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer, AnswerKind, Usage
from veridical.contracts.language import Language
from veridical.contracts.person import AskPerson
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_collect import CollectOutcome, CollectTask
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_ingest import ApprovalStatus, ApprovedEvidence, VectorOutcome
from veridical.contracts.search_result import HybridResult
from veridical.contracts.step import Json, Step
from veridical.contracts.trace import Answered, Ingested, RunStarted
from veridical.messages import message
from veridical.runs.request import RunSegment
from veridical.runs.vector_steps import embed_in_steps
from veridical.search.collect import (
    ChangedSourceError,
    ProposedFile,
    current_hashes,
    file_document,
    proposed_files,
    proposed_texts,
    source_of,
    text_document,
)
from veridical.search.documents.parsed import UnreadableError
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.evidence import EvidenceSearch, candidates_of
from veridical.search.index import SearchIndex, opened_index
from veridical.search.ingest import IngestReport, report_on
from veridical.search.score.approval import Selection, approve_top_k, changed_sources
from veridical.search.score.flow import ScoreServices, ranked_search
from veridical.search.score.model_scores import ScoringModel
from veridical.search.score.settings import read_score_settings
from veridical.search.store.collections import OutdatedIndexError
from veridical.store.connection import Store


@dataclass(frozen=True, slots=True)
class _Found:
    """The ranking, as it was recorded."""

    result: HybridResult
    candidates: dict[str, SearchCandidate]
    """Those that a person may decide on."""


@dataclass(frozen=True)
class CollectRun:
    """One run that collects evidence."""

    segment: RunSegment
    task: CollectTask
    documents: Store
    step: Step
    model: Model | None

    async def answer(self, ask: AskPerson, emit: Emit) -> Answer:
        """The outcome. Passes on ``Waiting`` while nobody has decided."""
        request = self.segment.request
        opened = await self.step("collect.open", _now)
        emit(RunStarted(at=opened["at"], question=request.question, caller=request.caller.name))
        read = await self.step("collect.read", self._read)
        files = {
            each["candidate"]["id"]: ProposedFile(
                each["path"], SearchCandidate.model_validate(each["candidate"])
            )
            for each in read["files"]
        }
        found = await self._found(tuple(files.values()), opened["at"])
        consulted = Consultations(ask, emit)
        approved = await self._approved(found, files, consulted, read["at"])
        report, vectors = await self._stored(approved, found, files, emit)
        closed = await self.step("close", _now)
        outcome = self._outcome(approved, found, report, vectors, read["failed"])
        answer = Answer(
            kind=AnswerKind.COLLECT,
            text=_text(outcome, self._language),
            language=self._language,
            trace_id=self.segment.run_id,
            usage=Usage(elapsed_ms=round((closed["at"] - opened["at"]) * 1000, 3)),
            hitl=consulted.hitl,
            collect=outcome,
        )
        emit(Answered(at=closed["at"], answer=answer))
        return answer

    @property
    def _language(self) -> Language:
        return self.segment.request.caller.language

    @property
    def _context(self) -> ScoringContext:
        return self.task.request.context

    @property
    def _index(self) -> SearchIndex:
        settings, tenant = read_score_settings(), self.segment.tenant
        return opened_index(settings, self.documents.tenant, tenant, self.task.collection)

    async def _read(self) -> Json:
        """The candidates among the worker's own files."""
        files: Sequence[ProposedFile] = ()
        failed: dict[str, str] = {}
        if self.task.files is not None:
            files, failed = await asyncio.to_thread(
                proposed_files,
                self.task.files,
                self._context.question,
                read_score_settings(),
                self._language,
            )
        listed = [{"path": each.path, "candidate": _written(each.candidate)} for each in files]
        return {"at": time.time(), "files": listed, "failed": failed}

    async def _found(self, files: Sequence[ProposedFile], at: float) -> _Found:
        """The ranking of what is proposed and of what is stored."""
        settings = read_score_settings()
        recalled = await self.step("collect.recall", self._recall)

        async def recall(context: ScoringContext) -> list[SearchCandidate]:
            if recalled is None:
                raise ConnectionError
            return [SearchCandidate.model_validate(each) for each in recalled["candidates"]]

        request = self.task.request
        texts = proposed_texts(request.data.candidates)
        results = (*texts, *(each.candidate for each in files))
        data = request.data.model_copy(update={"results": results})
        scoring = ScoringModel(self.model) if self.model else None
        ranked = await ranked_search(
            request.model_copy(update={"data": data}),
            ScoreServices(recall, scoring),
            settings,
            datetime.fromtimestamp(at, UTC),
            language=self._language,
            step=self.step,
        )
        result = ranked.result
        if recalled is not None and recalled["lexicalOnly"]:
            flags = result.flags.model_copy(update={"lexical_only": True})
            result = result.model_copy(update={"flags": flags})

        async def record() -> Json:
            shown = {each.candidate_id for each in Selection(result, {}, "").items}
            by_id = {each.id: _written(each) for each in ranked.candidates if each.id in shown}
            return {"result": result.model_dump(mode="json", by_alias=True), "candidates": by_id}

        kept = await self.step("collect.found", record)
        candidates = kept["candidates"].items()
        return _Found(
            HybridResult.model_validate(kept["result"]),
            {name: SearchCandidate.model_validate(each) for name, each in candidates},
        )

    async def _recall(self) -> Json:
        """The passages of the collections; none where the store can't be asked."""
        settings = read_score_settings()
        search = EvidenceSearch(self.documents.tenant, settings, opened_embedder(settings.embedder))
        try:
            found = await search.retrieved(
                self._context.question, self.segment.tenant, self.task.searched
            )
        except OutdatedIndexError:
            return None
        finally:
            search.close()
        return {
            "candidates": [_written(each) for each in candidates_of(found)],
            "lexicalOnly": any(each.gap is not None for each in found.values()),
        }

    async def _approved(
        self, found: _Found, files: dict[str, ProposedFile], ask: AskPerson, at: float
    ) -> ApprovedEvidence | None:
        """The decision; none where there is nothing to decide on."""
        selection = Selection(found.result, found.candidates, self._context.question, at)
        if not selection.items:
            return None
        lookups = count()

        async def current(ids: Sequence[str]) -> dict[str, str]:
            """A proposed text and a stored passage are what they were; a file may have changed."""
            hashes = {name: found.candidates[name].fingerprint for name in ids}
            shown = [files[name] for name in ids if name in files]
            if not shown or self.task.files is None:
                return hashes
            look = partial(_in_thread, current_hashes, shown, self.task.files)
            now = await self.step(f"collect.current:{next(lookups)}", look)
            return {name: each for name, each in hashes.items() if name not in files} | now

        return await approve_top_k(selection, ask, current)

    async def _stored(
        self,
        approved: ApprovedEvidence | None,
        found: _Found,
        files: dict[str, ProposedFile],
        emit: Emit,
    ) -> tuple[IngestReport, VectorOutcome | None]:
        """Each approved source is a step; then the vectors, then a look at the store."""
        items = approved.approved if approved else ()
        new = [
            each.candidate_id for each in items if not found.candidates[each.candidate_id].stored
        ]
        report = report_on(new)
        if approved is None or not new:
            return report, None
        for number, name in enumerate(new):
            store = partial(
                self._store_one,
                found.candidates[name],
                files.get(name),
                approved.content_hashes[name],
            )
            outcome = await self.step(f"ingest:{number}", partial(_in_thread, store))
            failed = {name: outcome["failed"]} if outcome["failed"] else {}
            report.note_source(name, outcome)
            at = outcome["at"]
            emit(Ingested(at=at, summary=report.summary, chunks=report.chunks, failed=failed))
        vectors = None
        async for at, vectors in embed_in_steps(self._index, self.step):
            emit(Ingested(at=at, summary=report.summary, chunks=report.chunks, vectors=vectors))
        sources = {name: _source(found.candidates[name], files) for name in new}
        look = partial(_in_thread, self._index.content_hashes, list(sources.values()))
        stored = await self.step("collect.verify", look)
        there = {name: stored[source] for name, source in sources.items() if source in stored}
        report.note_verified(changed_sources(approved, there))
        return report, vectors

    def _store_one(
        self, candidate: SearchCandidate, file: ProposedFile | None, approved: str
    ) -> Json:
        """Store one document, or say why not."""
        language, task = self._language, self.task.files
        try:
            if file is not None and task is not None:
                document = file_document(file, task, approved)
            else:
                document = text_document(candidate, language)
            new = len(self._index.write([document]))
        except ChangedSourceError:
            failed = message("collect.changed", language)
        except OutdatedIndexError:
            failed = message("ingest.outdated_index", language)
        except UnreadableError as error:
            failed = error.message(language) or type(error).__name__
        except OSError as error:
            failed = str(error) or type(error).__name__
        else:
            chunks = len(document.chunks)
            return {"at": time.time(), "chunks": chunks, "new": new, "failed": ""}
        return {"at": time.time(), "chunks": 0, "new": 0, "failed": failed}

    def _outcome(
        self,
        approved: ApprovedEvidence | None,
        found: _Found,
        report: IngestReport,
        vectors: VectorOutcome | None,
        unreadable: dict[str, str],
    ) -> CollectOutcome:
        hashes = approved.content_hashes if approved else {}
        return CollectOutcome(
            collection=self.task.collection,
            result=found.result,
            status=approved.status if approved else None,
            approved=approved.approved if approved else (),
            summary=report.summary,
            statuses=report.statuses,
            titles={name: each.title for name, each in found.candidates.items() if each.title},
            sources={name: _source(found.candidates[name], {}) for name in report.statuses},
            content_hashes={name: hashes[name] for name in report.statuses},
            failed={**unreadable, **report.reasons},
            vectors=vectors,
        )


def _source(candidate: SearchCandidate, files: dict[str, ProposedFile]) -> str:
    """The name that a document is stored under: of a file, its own."""
    is_file = candidate.id in files or candidate.content_hash is not None
    return candidate.id if is_file else source_of(candidate)


def _text(outcome: CollectOutcome, language: Language) -> str:
    collection, summary = outcome.collection, outcome.summary
    if outcome.status is None:
        coverage = outcome.result.coverage_delta
        return message("collect.nothing_found", language, coverage=coverage)
    if outcome.status is ApprovalStatus.DENIED:
        return message("collect.denied", language, collection=collection)
    text = message(
        "collect.stored",
        language,
        approved=len(outcome.approved),
        ingested=summary.ingested_count,
        count=len(outcome.statuses),
        collection=collection,
        failed=summary.failed_count,
        pending=summary.pending_count,
    )
    if outcome.status is ApprovalStatus.AUTO_APPROVED:
        return f"{message('collect.automatic', language)} {text}"
    return text


def _written(candidate: SearchCandidate) -> Json:
    return candidate.model_dump(mode="json", by_alias=True)


async def _in_thread(work: Any, *given: Any) -> Json:
    return await asyncio.to_thread(work, *given)


async def _now() -> Json:
    return {"at": time.time()}
