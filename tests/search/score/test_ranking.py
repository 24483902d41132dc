"""Invariants of the ranking, whatever the candidates are."""

from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.search.found import NOW, QUESTION, candidate, scored
from veridical.contracts.search_candidate import (
    CoverageDimension,
    HybridPart,
    LegRank,
    SearchCandidate,
)
from veridical.search.score.fusion import fuse_ranks, legs_of
from veridical.search.score.ranking import StoreState
from veridical.search.score.settings import ScoreSettings, Stage

WORDS = (
    "policies",
    "govern",
    "employee",
    "data",
    "residency",
    "api",
    "audit",
    "数据",
    "驻留",
    "Öl",
)
HOSTS = ("a.com", "b.gov", "www.a.com", "c.de", "d.org")
STAGES = st.frozensets(st.sampled_from(Stage))


@st.composite
def candidates(draw: st.DrawFn) -> list[SearchCandidate]:
    names = draw(st.lists(st.integers(0, 99), unique=True, min_size=1, max_size=30))
    text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
    return [
        candidate(
            f"c{name:02}",
            title=draw(text),
            snippet=draw(text),
            url=f"https://{draw(st.sampled_from(HOSTS))}/{name}",
            detected_date=draw(
                st.none() | st.integers(-9, 500).map(lambda days: NOW - timedelta(days=days))
            ),
            policy_priority=draw(st.sampled_from((0, 0.5, 1))),
            stored=draw(st.booleans()),
            legs=draw(_legs),
        )
        for name in names
    ]


_legs = st.dictionaries(
    st.sampled_from(("lexical", "vector")), st.integers(1, 40).map(lambda rank: LegRank(rank=rank))
)


@given(candidates(), STAGES, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(
    found: list[SearchCandidate], off: frozenset[Stage], random: Any
) -> None:
    settings = ScoreSettings(off=off)
    mixed = random.sample(found, len(found))
    asked: dict[str, Any] = {"preferred_sources": ["a.com"], "disallowed_sources": ["c.de"]}
    assert scored(found, settings=settings, **asked) == scored(mixed, settings=settings, **asked)


@given(candidates(), STAGES)
def test_scores_are_on_the_scale_and_in_order(
    found: list[SearchCandidate], off: frozenset[Stage]
) -> None:
    result = scored(found, settings=ScoreSettings(off=off))
    scores = [each.score for each in result.ranked]
    assert all(0 <= score <= 100 for score in scores)
    assert scores == sorted(scores, reverse=True)
    fused = result.flags.debug.fusion.fused_scores
    order = [each.candidate_id for each in result.ranked]
    assert order == sorted(fused, key=lambda name: (-fused[name], name))


@given(candidates(), STAGES)
def test_every_candidate_is_ranked_or_dropped_with_a_reason(
    found: list[SearchCandidate], off: frozenset[Stage]
) -> None:
    result = scored(found, settings=ScoreSettings(off=off))
    ranked = [each.candidate_id for each in result.ranked]
    dropped = [each.id for each in result.flags.debug.pre_filter.dropped]
    assert sorted(ranked + dropped) == sorted(each.id for each in found)
    top = [each.candidate_id for each in result.top_k]
    assert len(top) == min(5, len(ranked))
    assert top == [name for name in ranked if name in top]


@given(candidates())
def test_at_lambda_one_mmr_is_the_order_of_relevance(found: list[SearchCandidate]) -> None:
    settings = ScoreSettings(mmr_lambda=1.0, mmr_limit=100)
    result = scored(found, settings=settings)
    without = ScoreSettings(mmr_limit=100, off=frozenset({Stage.MMR}))
    selected = [each.id for each in result.flags.debug.pre_filter.mmr.selected]
    kept = {each.id: each for each in found if each.id in selected}
    legs = legs_of(found)
    if legs:
        fused = fuse_ranks([each.id for each in found], legs, settings.rrf_k)
        assert selected == sorted(kept, key=lambda name: (-fused[name].share, name))
    off = scored(found, settings=without).flags.debug.pre_filter.mmr.selected
    assert [each.id for each in off] == selected


@given(candidates())
def test_every_score_is_the_sum_that_debug_shows(found: list[SearchCandidate]) -> None:
    store = StoreState({CoverageDimension.LOGGING_AUDIT: 1.0, CoverageDimension.LEGAL: 0.5})
    fusion = scored(found, store=store).flags.debug.fusion
    for name, fused in fusion.fused_scores.items():
        parts = fusion.rrf_components[name]
        assert min(parts.rag_bonus, parts.domain_bonus, parts.policy_bonus) >= 0
        bonuses = parts.rag_bonus + parts.domain_bonus + parts.policy_bonus
        total = parts.rrf_term + bonuses - (parts.freshness_penalty or 0)
        factor = parts.redundancy_factor if total > 0 else 1
        assert factor is not None
        assert abs(total * factor - fused) < 1e-5


@given(candidates(), st.integers(1, 200))
def test_fused_ranks_are_normalised(found: list[SearchCandidate], k: int) -> None:
    legs = legs_of(found)
    fused = fuse_ranks([each.id for each in found], legs, k)
    for name, rank in fused.items():
        assert 0 <= rank.share <= 1 + 1e-9
        if legs and all(legs[leg].get(name) == 1 for leg in legs):
            assert abs(rank.share - 1) < 1e-9
        if not rank.ranks:
            assert rank.share == 0


@given(candidates())
def test_without_diversity_the_selection_is_the_top_of_the_ranking(
    found: list[SearchCandidate],
) -> None:
    result = scored(found, settings=ScoreSettings(off=frozenset({Stage.DIVERSITY})))
    assert result.top_k == result.ranked[:5]


@given(candidates(), st.integers(1, 5))
def test_the_selection_has_as_many_kinds_as_there_are(
    found: list[SearchCandidate], least: int
) -> None:
    result = scored(found, min_diversity_buckets=least)
    everything = scored(found, settings=ScoreSettings(top_k=1000))
    there = len(everything.flags.debug.fusion.diversity_buckets)
    size = len(result.top_k)
    assert len(result.flags.debug.fusion.diversity_buckets) >= min(least, there, size)


def test_a_duplicate_id_is_dropped_whichever_comes_first() -> None:
    one, other = candidate("a", 1, snippet=QUESTION), candidate("a", 2, snippet="other")
    for pair in ([one, other], [other, one]):
        result = scored(pair)
        assert len(result.ranked) == 1
        assert [each.reason for each in result.flags.debug.pre_filter.dropped] == ["duplicate"]
    assert scored([one, other]) == scored([other, one])


def test_words_and_vectors_do_not_count_beside_the_leg_that_they_make() -> None:
    part = HybridPart(weight=0.5, standard=0.1, rank=1, score=9.0)
    first = candidate("a", legs={"hybrid": LegRank(rank=1), "lexical": LegRank(rank=2)})
    second = candidate(
        "b",
        legs={name: LegRank(rank=1 + (name == "hybrid")) for name in ("hybrid", "lexical")},
        hybrid={"lexical": part},
    )
    other = candidate("c", legs={"lexical": LegRank(rank=5)})
    assert legs_of([first, second, other]) == {"hybrid": {"a": 1, "b": 2}, "lexical": {"c": 1}}
    debug = scored([first, second, other]).flags.debug.fusion
    assert debug.fused_scores["a"] > debug.fused_scores["b"]
    assert debug.rrf_components["b"].hybrid == {"lexical": part}
    assert debug.rrf_components["a"].hybrid is None
    assert "hybrid" not in debug.rrf_components["a"].model_dump(mode="json")
