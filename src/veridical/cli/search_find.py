"""Searches a collection for the command line, and draws how its passages were ranked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.bar import Bar
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from veridical.agent.provider import ModelNotConfiguredError
from veridical.agent.settings import read_settings
from veridical.cli.error_reporting import UsageError, as_cell, printable
from veridical.cli.search_ingest import search_settings
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import ScoreRequest, ScoreResultsData
from veridical.contracts.search_context import ScoringContext, as_meta
from veridical.contracts.search_result import Dropped, HybridResult, RankedItem, RrfComponents
from veridical.messages import message
from veridical.runs.retry import DATABASE_ERRORS
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import document_store
from veridical.search.chunk import StoredChunk
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.evidence import EvidenceSearch, ScoredEvidence, hybrid_parts
from veridical.search.index import opened_index
from veridical.search.retrieve import Candidate, Retriever
from veridical.search.score.model_opening import scoring_model
from veridical.search.score.parts import score_parts
from veridical.search.store.collections import OutdatedIndexError
from veridical.store.connection import UnreachableError
from veridical.trace.redact import redact_text

_SHOWN = 300
"""Characters shown of a passage."""
_SCALE = 30
"""Width of the whole scale, in columns."""
_SHOWN_EXPLAINED = 160
_ADDED, _TAKEN = "green", "red"


@dataclass(frozen=True)
class FoundPassage:
    """A passage with its place in the result."""

    rank: int
    candidate: Candidate

    def as_json(self) -> dict[str, Any]:
        """As it is printed for programs."""
        stored = self.candidate.stored
        legs = {"lexical": self.candidate.lexical, "vector": self.candidate.vector}
        date = stored.origin.detected_date
        return {
            "rank": self.rank,
            "chunk": stored.id,
            "source": stored.origin.source,
            "title": stored.origin.title,
            "section": stored.chunk.section,
            "host": stored.origin.host,
            "domainType": stored.origin.domain_type,
            "detectedDate": date.isoformat().replace("+00:00", "Z") if date else None,
            "version": stored.origin.version,
            "policyTags": list(stored.origin.policy_tags),
            "language": stored.chunk.language,
            "text": stored.chunk.text,
            "legs": {
                name: {"rank": hit.rank, "score": hit.score} for name, hit in legs.items() if hit
            },
            "hybrid": {
                name: {"weight": part.weight, "standard": part.standard}
                for name, part in hybrid_parts(self.candidate).items()
            },
        }


@dataclass(frozen=True)
class Found:
    """The passages, and a note about the search."""

    passages: Sequence[FoundPassage]
    note: str = ""
    """Why words alone were searched, although an embedder is set."""


def find(
    settings: RunsSettings,
    tenant: str,
    collection: str,
    question: str,
    limit: int,
    language: Language,
) -> Found:
    """The passages that fit best. Raises ``UsageError``."""
    score = search_settings(language)
    embedder = opened_embedder(score.embedder)
    try:
        store = document_store(settings)
        try:
            index = opened_index(score, store.tenant, tenant, collection)
            found = Retriever(index, embedder).retrieve(question, limit)
        finally:
            store.close()
    except OutdatedIndexError as error:
        raise UsageError(message("ingest.outdated_index", language)) from error
    except DATABASE_ERRORS as error:
        reason = _reason(error, language)
        raise UsageError(message("search.store_down", language, reason=reason)) from error
    passages = [FoundPassage(rank, each) for rank, each in enumerate(found.candidates, 1)]
    if embedder is None or found.gap is None:
        return Found(passages)
    return Found(passages, message(found.gap, language, model=embedder.model))


def _reason(error: Exception, language: Language) -> str:
    """The database's error message, on one line and without secrets."""
    text = error.message(language) if isinstance(error, UnreachableError) else str(error)
    return redact_text(text.strip().partition("\n")[0])


def shown(found: Sequence[FoundPassage], language: Language) -> Iterator[str]:
    """The lines for a person."""
    if not found:
        yield message("ingest.nothing_found", language)
    for each in found:
        stored = each.candidate.stored
        yield f"{each.rank}. {stored.origin.title} · {stored.origin.source}"
        text = " ".join(stored.chunk.text.split())
        yield f"   {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}"


def explained(
    settings: RunsSettings,
    tenant: str,
    collection: str,
    context: ScoringContext,
    limit: int,
    language: Language,
    *,
    by_model: bool = False,
) -> ScoredEvidence:
    """The ranking of a collection's passages; a database that is away is flagged in it."""
    score = search_settings(language)
    agent = read_settings() if by_model else None
    store = document_store(settings)
    search = EvidenceSearch(store.tenant, score, opened_embedder(score.embedder))
    request = ScoreRequest(data=ScoreResultsData(query=context.question), meta=as_meta(context))

    async def scored() -> ScoredEvidence:
        async with scoring_model(agent) as model:
            return await search.scored(
                request, tenant, (collection,), language, model=model, limit=limit
            )

    try:
        return search.wait(scored())
    except ModelNotConfiguredError as error:
        raise UsageError(error.message(language)) from error
    finally:
        search.close()
        store.close()


def ranking(scored: ScoredEvidence, language: Language) -> Iterator[RenderableType]:
    """The passages, best first, each with the bars of its score; then all that was left out."""
    result = scored.result
    for place, item in enumerate(result.ranked, 1):
        yield _heading(place, item, scored.passages.get(item.candidate_id), result, language)
        yield _bars(result.flags.debug.fusion.rrf_components[item.candidate_id], language)
        yield Text(f"   {printable(item.reason)}\n", style="dim")
    yield from _dropped(result.flags.debug.pre_filter.dropped, scored, language)
    yield from _account(result, language)
    if scored.gap is not None:
        yield Text(message(scored.gap, language, model=scored.embedder), style="yellow")


def _heading(
    place: int,
    item: RankedItem,
    stored: StoredChunk | None,
    result: HybridResult,
    language: Language,
) -> Text:
    chosen = item in result.top_k
    title = f"{stored.origin.title} · {stored.origin.source}" if stored else ""
    text = " ".join(stored.chunk.text.split()) if stored else ""
    shown = f"{text[:_SHOWN_EXPLAINED]}…" if len(text) > _SHOWN_EXPLAINED else text
    risks = f"  ! {', '.join(item.risk_flags)}" if item.risk_flags else ""
    own = "" if item.model_score is None else f"{item.model_score:.0f}"
    by_model = f"({message('search.model_score', language, score=own)})  " if own else ""
    return Text.assemble(
        (f"{place}. {item.score:5.1f}  ", "bold" if chosen else "dim"),
        by_model,
        (printable(f"[{item.candidate_id}] {title}"), "bold" if chosen else "dim"),
        (printable(risks), "yellow"),
        f"\n   {printable(shown)}",
    )


def _bars(parts: RrfComponents, language: Language) -> Table:
    """One line for each part that counts: its name, its bar, its points."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=True)
    table.add_column(min_width=22)
    table.add_column(width=_SCALE)
    table.add_column(justify="right")
    for name, points in score_parts(parts):
        if not points and name != "rrf":
            continue
        color = _ADDED if points >= 0 else _TAKEN
        bar = Bar(size=1, begin=0, end=min(1.0, abs(points)), width=_SCALE, color=color)
        ranks = ""
        if name == "rrf" and parts.ranks:
            ranks = " ".join(f"{leg} {rank}" for leg, rank in sorted(parts.ranks.items()))
        label = message(f"search.part_{name}", language)
        table.add_row(f"{label} {ranks}".rstrip(), bar, f"{100 * points:+.1f}")
    for leg, part in sorted((parts.hybrid or {}).items()):
        place = "–" if part.rank is None else part.rank
        table.add_row(f"  {leg} {place}", f"{part.standard:+.2f} × {part.weight:.2f}", "")
    return table


def _dropped(
    dropped: Sequence[Dropped], scored: ScoredEvidence, language: Language
) -> Iterator[RenderableType]:
    if not dropped:
        return
    table = Table(title=message("search.dropped", language), title_justify="left", box=None)
    for name in ("passage", "title", "reason"):
        table.add_column(message(f"search.column_{name}", language), overflow="fold")
    for each in dropped:
        stored = scored.passages.get(each.id)
        table.add_row(as_cell(each.id), as_cell(stored.origin.title if stored else ""), each.reason)
    yield table


def _account(result: HybridResult, language: Language) -> Iterator[RenderableType]:
    flags = result.flags
    fusion, model = flags.debug.fusion, flags.debug.llm
    yield Text(printable(result.coverage_delta))
    buckets = ", ".join(fusion.diversity_buckets) or "-"
    yield Text(message("search.account", language, buckets=buckets, k=fusion.rrf_k), style="dim")
    if model.fallback:
        yield Text(message("search.fallback", language, reason=model.fallback), style="dim")
    for name in ("rag_unavailable", "llm_timeout"):
        warning = message(f"search.{name}", language)
        if getattr(flags, name) and warning != result.coverage_delta:
            yield Text(warning, style="yellow")
