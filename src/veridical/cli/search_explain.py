"""Draws how a search ranked its passages: the parts of each score, what was dropped and why."""

from collections.abc import Iterator, Sequence

from rich.bar import Bar
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from veridical.cli.error_reporting import as_cell, printable
from veridical.cli.search_embed import search_settings
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import ScoreRequest, ScoreResultsData
from veridical.contracts.search_context import ScoringContext, as_meta
from veridical.contracts.search_result import Dropped, HybridResult, LLMScoredItem, RrfComponents
from veridical.messages import message
from veridical.runs.settings import RunsSettings
from veridical.runs.worker_store import document_store
from veridical.search.chunk import StoredChunk
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.evidence import EvidenceSearch, ScoredEvidence
from veridical.search.score.parts import score_parts

_WIDTH = 30
"""Of the whole scale, in columns."""
_SHOWN = 160
_ADDED, _TAKEN = "green", "red"


def explained(
    settings: RunsSettings,
    tenant: str,
    collection: str,
    context: ScoringContext,
    limit: int,
    language: Language,
) -> ScoredEvidence:
    """The ranking of a collection's passages; a database that is away is flagged in it."""
    score = search_settings(language)
    store = document_store(settings)
    search = EvidenceSearch(store.tenant, score, opened_embedder(score.embedder))
    request = ScoreRequest(data=ScoreResultsData(query=context.question), meta=as_meta(context))
    try:
        return search.wait(search.scored(request, tenant, (collection,), language, limit=limit))
    finally:
        search.close()
        store.close()


def ranking(scored: ScoredEvidence, language: Language) -> Iterator[RenderableType]:
    """The passages, best first, each with the bars of its score; then all that was left out."""
    result = scored.result
    for place, item in enumerate(result.ranked, 1):
        yield _heading(place, item, scored.passages.get(item.candidate_id), result)
        yield _bars(result.flags.debug.fusion.rrf_components[item.candidate_id], language)
        yield Text(f"   {printable(item.reason)}\n", style="dim")
    yield from _dropped(result.flags.debug.pre_filter.dropped, scored, language)
    yield from _account(result, language)
    if scored.gap is not None:
        yield Text(message(scored.gap, language, model=scored.embedder), style="yellow")


def _heading(
    place: int, item: LLMScoredItem, stored: StoredChunk | None, result: HybridResult
) -> Text:
    chosen = item in result.top_k
    title = f"{stored.origin.title} · {stored.origin.source}" if stored else ""
    text = " ".join(stored.chunk.text.split()) if stored else ""
    shown = f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text
    risks = f"  ! {', '.join(item.risk_flags)}" if item.risk_flags else ""
    return Text.assemble(
        (f"{place}. {item.score:5.1f}  ", "bold" if chosen else "dim"),
        (printable(f"[{item.candidate_id}] {title}"), "bold" if chosen else "dim"),
        (printable(risks), "yellow"),
        f"\n   {printable(shown)}",
    )


def _bars(parts: RrfComponents, language: Language) -> Table:
    """One line for each part that counts: its name, its bar, its points."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=True)
    table.add_column(min_width=22)
    table.add_column(width=_WIDTH)
    table.add_column(justify="right")
    for name, points in score_parts(parts):
        if not points and name != "rrf":
            continue
        color = _ADDED if points >= 0 else _TAKEN
        bar = Bar(size=1, begin=0, end=min(1.0, abs(points)), width=_WIDTH, color=color)
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
        told = message(f"search.{name}", language)
        if getattr(flags, name) and told != result.coverage_delta:
            yield Text(told, style="yellow")
