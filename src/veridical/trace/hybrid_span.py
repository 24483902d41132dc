"""The OpenTelemetry span of one evidence search: caches, fusion and diversity, no texts."""

from collections.abc import Generator
from contextlib import contextmanager

from opentelemetry import trace as telemetry
from opentelemetry.trace import Span, Tracer

from veridical.contracts.search_result import HybridResult
from veridical.trace.otel import AGENT

SPAN = "hybrid_search_and_score"


@contextmanager
def hybrid_span(tracer: Tracer | None = None) -> Generator[Span]:
    """The span of one search, below the current span."""
    with (tracer or telemetry.get_tracer(AGENT)).start_as_current_span(SPAN) as span:
        yield span


def describe(span: Span, result: HybridResult, *, rag_cache_hit: bool) -> None:
    """Writes the attributes of a search result."""
    flags = result.flags
    span.set_attributes(
        {
            "hybrid.rag_cache_hit": rag_cache_hit,
            "hybrid.llm_cache_hit": flags.debug.llm.cache_hit,
            "hybrid.rrf_k_used": flags.debug.fusion.rrf_k,
            "hybrid.diversity_buckets": len(flags.debug.fusion.diversity_buckets),
            "hybrid.rag_unavailable": flags.rag_unavailable,
            "hybrid.llm_timeout": flags.llm_timeout,
            "hybrid.llm_items": flags.debug.llm.llm_items,
            "hybrid.dropped": len(flags.debug.pre_filter.dropped),
            "hybrid.ranked": len(result.ranked),
        }
    )
