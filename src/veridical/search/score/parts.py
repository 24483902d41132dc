"""The parts of one fused score as points, for charts."""

from collections.abc import Iterator

from veridical.contracts.search_result import RrfComponents


def score_parts(parts: RrfComponents) -> Iterator[tuple[str, float]]:
    """Each part by name, as a share of the scale; they add up to the score."""
    penalty = parts.freshness_penalty or 0.0
    bonuses = parts.rag_bonus + parts.domain_bonus + parts.policy_bonus
    whole = parts.rrf_term + bonuses - penalty
    factor = 1.0 if parts.redundancy_factor is None else parts.redundancy_factor
    yield "rrf", parts.rrf_term
    yield "coverage", parts.rag_bonus
    yield "domain", parts.domain_bonus
    yield "policy", parts.policy_bonus
    yield "freshness", -penalty
    yield "redundancy", min(0.0, whole * (factor - 1))
    if parts.model_limit is not None:
        yield "model", parts.model_limit - whole * (factor if whole > 0 else 1.0)
