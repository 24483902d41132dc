"""What the scoring does by the contract, one test for each line."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai.exceptions import ModelServerError

from tests.search.contract.examples import CONSTANTS, KEYWORDS
from tests.search.found import DAY, NOW, Judge, candidate, context, scored, searched, several
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_ingest import IngestStatus
from veridical.search.ingest import verify_ingest
from veridical.search.score.facets import estimate, facet_keywords
from veridical.search.score.flow import ScoreServices
from veridical.search.score.model_scores import ScoreCache, ScoringModel
from veridical.search.score.settings import ScoreSettings, read_score_settings
from veridical.search.score.summaries import SummaryCache, key_points
from veridical.testing.script import Script


async def unreachable(asked: ScoringContext) -> list[SearchCandidate]:
    raise ConnectionError("the store is down")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_05_coverage_delta_is_a_sentence_in_the_users_language() -> None:
    found = [candidate("a", 1, snippet="policy and compliance")]
    said = {each: scored(found, language=each).coverage_delta for each in Language}
    assert said[Language.EN] == "Adds LEGAL coverage."
    assert len(set(said.values())) == 3
    assert all("LEGAL" in sentence for sentence in said.values())


def test_05_recommended_ingest_names_what_fills_a_gap_and_is_not_stored() -> None:
    result = scored(
        [
            candidate("law", 1, snippet="gdpr policy"),
            candidate("more law", 2, snippet="another gdpr policy text"),
            candidate("stored", 3, snippet="audit logging", stored=True),
            candidate("watch", 4, snippet="we monitor everything"),
        ]
    )
    named = [each.candidate_id for each in result.recommended_ingest]
    assert set(named) & {"law", "more law"} == {named[0]}
    assert named[1:] == ["watch"]


def test_07_keyword_lists_are_those_of_the_contract() -> None:
    assert facet_keywords() == KEYWORDS


@pytest.mark.parametrize("dimension", KEYWORDS)
def test_07_each_keyword_counts_for_its_dimension(dimension: str) -> None:
    for word in KEYWORDS[dimension]:
        found = estimate("", f"It has {word} in it")
        assert 0 < found[dimension] <= 1  # pyright: ignore[reportArgumentType]


def test_07_a_models_facets_win_over_the_estimate_and_known_ones_too() -> None:
    judge = Judge(lambda name: {"score": 50, "facet_coverage": {"TECHNICAL": 0.7}})
    found = candidate("a", 1, snippet="gdpr policy")
    by_model = searched([found], ScoreServices(model=ScoringModel(judge.model)))
    assert by_model.ranked[0].facet_coverage == {"TECHNICAL": 0.7}
    known = candidate("a", 1, snippet="gdpr policy", facet_coverage={"LEGAL": 0.1})
    assert scored([known]).ranked[0].facet_coverage == {"LEGAL": 0.1}
    assert scored([found]).ranked[0].facet_coverage == {"LEGAL": 0.75}


@pytest.mark.parametrize("name", CONSTANTS)
def test_09_constants_have_their_defaults_and_can_be_set(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    field, default = name.lower(), CONSTANTS[name]
    assert getattr(ScoreSettings(), field) == default
    other = default / 2 if isinstance(default, float) else default - 1
    path = tmp_path / "veridical.toml"
    path.write_text(f"[search]\n{field} = {other}\n")
    if field == "max_key_points":
        path.write_text(f"[search]\n{field} = {other}\nmin_key_points = 2\n")
    assert getattr(read_score_settings(path), field) == other
    monkeypatch.setenv(f"VERIDICAL_SEARCH_{name}", str(default))
    assert getattr(read_score_settings(path), field) == default


def test_09_six_months_cost_twelve_points() -> None:
    half_a_year = NOW.replace(month=5)
    new, old = (
        scored([candidate("a", 1, detected_date=date)]).ranked[0].score
        for date in (NOW, half_a_year)
    )
    assert (new, old) == (100, 88)


@pytest.mark.parametrize(("mode", "cost"), [("software_docs_strict", 12), ("law_evergreen", 0)])
def test_09_age_costs_by_mode(mode: str, cost: float) -> None:
    found = [candidate("a", 1, detected_date=NOW - 182 * DAY)]
    assert scored(found, freshness_mode=mode).ranked[0].score == 100 - cost


def test_09_the_second_hit_of_a_domain_counts_less() -> None:
    same = [candidate(name, 1, url=f"https://a.example/{name}") for name in "ab"]
    first, second = scored(same).ranked
    assert (first.score, second.score) == (100, 85)
    parts = scored(same).flags.debug.fusion.rrf_components
    assert (parts["a"].redundancy_factor, parts["b"].redundancy_factor) == (1, 0.85)


def test_09_lambda_one_is_relevance_alone() -> None:
    alike = several(6, title="Same", snippet="the very same words")
    alike[3] = candidate("c04", 4, title="Other", snippet="nothing in common here")
    texts = [each.model_copy(update={"snippet": f"{each.snippet} {each.id}"}) for each in alike]
    for weight, expected in ((1.0, 4), (0.5, 2)):
        result = scored(texts, settings=ScoreSettings(mmr_lambda=weight))
        order = [each.id for each in result.flags.debug.pre_filter.mmr.selected]
        assert order.index("c04") + 1 == expected


def test_09_the_limit_of_mmr_is_kept_and_the_rest_has_its_reason() -> None:
    result = scored(several(25))
    assert len(result.ranked) == 20
    reasons = [each.reason for each in result.flags.debug.pre_filter.dropped]
    assert reasons == ["mmr_limit"] * 5


def test_09_policy_priority_is_scaled() -> None:
    pair = [candidate("a", 1), candidate("b", 2, policy_priority=0.5)]
    parts = scored(pair).flags.debug.fusion.rrf_components
    assert (parts["a"].policy_bonus, parts["b"].policy_bonus) == (0, 0.05)
    by_host = ScoreSettings(domain_priorities={"b.example": 1.0})
    parts = scored(pair, settings=by_host).flags.debug.fusion.rrf_components
    assert (parts["a"].policy_bonus, parts["b"].policy_bonus) == (0, 0.1)


def test_10_the_model_is_asked_as_the_contract_says() -> None:
    judge = Judge(lambda name: 50)
    services = ScoreServices(model=ScoringModel(judge.model))
    result = searched(several(12), services)
    assert sorted(map(len, judge.batches)) == [2, 5, 5]
    assert {each.model_settings["temperature"] for each in judge.infos} == {0.3}  # pyright: ignore
    assert {each.model_settings["max_tokens"] for each in judge.infos} == {2000}  # pyright: ignore
    assert result.flags.debug.llm.llm_items == 12
    assert result.flags.debug.llm.fallback is None


def test_10_control_max_tokens_reaches_the_model() -> None:
    judge = Judge(lambda name: 50)
    services = ScoreServices(model=ScoringModel(judge.model))
    searched(several(2), services, control={"max_tokens": 700})
    assert [each.model_settings["max_tokens"] for each in judge.infos] == [700]  # pyright: ignore


def test_10_a_models_scores_are_kept_for_an_hour() -> None:
    clock, judge = Clock(), Judge(lambda name: 50)
    settings = ScoreSettings()
    cache = ScoreCache(settings.llm_cache_ttl_s, clock)
    services = ScoreServices(model=ScoringModel(judge.model, cache))
    hits: list[bool] = []
    for at in (0, 3599, 3600):
        clock.now = at
        hits.append(searched(several(3), services).flags.debug.llm.cache_hit)
    assert hits == [False, True, False]
    assert len(judge.batches) == 2


def test_10_summaries_have_three_to_five_key_points() -> None:
    text = " ".join(f"Sentence {number} is about nothing much." for number in range(9))
    told = f"{text} Employee data residency is governed by policy. {text.replace('nothing', 'X')}"
    points = key_points(told, "Which policies govern employee data residency?", 3, 5)
    assert 3 <= len(points) <= 5
    assert "Employee data residency is governed by policy." in points
    every = " ".join(f"Employee data residency {number}." for number in range(9))
    assert len(key_points(every, "employee data residency", 3, 5)) == 5
    assert key_points("Only one.", "anything", 3, 5) == ("Only one.",)


def test_10_summaries_are_kept_for_300_seconds() -> None:
    clock, memory = Clock(), InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    cache = SummaryCache(ScoreSettings().rag_cache_ttl_s, clock)

    async def recall(asked: ScoringContext) -> list[SearchCandidate]:
        return several(2)

    services = ScoreServices(recall, summaries=cache, tracer=provider.get_tracer("test"))
    for at in (0, 299, 300):
        clock.now = at
        searched([], services)
    hits = [(each.attributes or {})["hybrid.rag_cache_hit"] for each in memory.get_finished_spans()]
    assert hits == [False, True, False]


def test_11_without_its_store_a_search_still_ranks_what_it_was_given(
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = searched(several(3), ScoreServices(unreachable))
    assert result.flags.rag_unavailable
    assert len(result.ranked) == len(result.top_k) == 3
    assert "could not be checked" in result.coverage_delta
    assert "the store could not be reached" in caplog.text


def test_11_a_model_that_does_not_answer_is_done_without() -> None:
    judge = Judge(lambda name: 50, seconds=30)
    services = ScoreServices(model=ScoringModel(judge.model))
    result = searched(several(3), services, ScoreSettings(llm_timeout_s=0.05))
    assert result.flags.llm_timeout
    assert result.flags.debug.llm.fallback == "timeout"
    assert len(result.ranked) == 3
    assert all(each.reason for each in result.ranked)


def test_11_a_model_that_fails_is_done_without() -> None:
    script = Script([ModelServerError("judge", "out of order")])
    services = ScoreServices(model=ScoringModel(script.model))
    result = searched(several(3), services)
    assert not result.flags.llm_timeout
    assert result.flags.debug.llm.fallback == "server"
    assert len(result.ranked) == 3


def test_11_store_and_model_down_at_once() -> None:
    judge = Judge(lambda name: 50, seconds=30)
    services = ScoreServices(unreachable, ScoringModel(judge.model))
    result = searched(several(3), services, ScoreSettings(llm_timeout_s=0.05))
    assert (result.flags.rag_unavailable, result.flags.llm_timeout) == (True, True)
    assert len(result.top_k) == 3


def test_12_the_verifier_counts() -> None:
    done, failed = IngestStatus.INGESTED, IngestStatus.FAILED
    report = verify_ingest(["a", "b", "c", "d"], {"a": done, "b": failed, "c": done})
    assert json.loads(report.summary.model_dump_json()) == {
        "ingested_count": 2,
        "failed_count": 1,
        "pending_count": 1,
        "success_ratio": 0.5,
    }
    assert verify_ingest([], {}).summary.success_ratio is None


def test_13_telemetry_is_on_the_span() -> None:
    memory = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    judge = Judge(lambda name: 50)
    scoring = ScoringModel(judge.model, ScoreCache(3600))
    services = ScoreServices(model=scoring, tracer=provider.get_tracer("test"))
    for _ in range(2):
        searched(several(4), services)
    first, second = (dict(each.attributes or {}) for each in memory.get_finished_spans())
    assert (first["hybrid.llm_cache_hit"], second["hybrid.llm_cache_hit"]) == (False, True)
    assert first["hybrid.rag_cache_hit"] is False
    assert first["hybrid.rrf_k_used"] == 90
    assert first["hybrid.diversity_buckets"] == 4


def test_01_a_minimum_of_kinds_of_source_is_in_the_selection() -> None:
    found = [
        *(candidate(f"c{n}", n, url=f"https://c{n}.com/x") for n in range(1, 8)),
        candidate("gov", 8, url="https://agency.gov/x"),
        candidate("edu", 9, url="https://school.edu/x"),
        candidate("org", 10, url="https://club.org/x"),
    ]
    result = scored(found)
    assert set(result.flags.debug.fusion.diversity_buckets) == {
        "commercial",
        "government",
        "academic",
    }
    assert len(result.top_k) == 5
    assert result.flags.debug.fusion.promoted == ("gov", "edu")
    fewer = scored(found, min_diversity_buckets=1)
    assert fewer.flags.debug.fusion.diversity_buckets == ("commercial",)


def test_01_disallowed_sources_never_pass() -> None:
    found = [candidate("a", 1, url="wiki://drafts/x"), candidate("b", 2, url="wiki://final/x")]
    result = scored(found, disallowed_sources=["wiki://drafts"])
    assert [each.candidate_id for each in result.ranked] == ["b"]
    asked = context(disallowed_sources=["wiki://drafts"])
    assert asked.disallowed_sources == ("wiki://drafts",)


def test_01_preferred_sources_gain() -> None:
    found = [candidate("a", 1), candidate("b", 1, url="intranet://legal/x")]
    result = scored(found, preferred_sources=["intranet://legal"])
    assert [each.candidate_id for each in result.ranked] == ["b", "a"]
    assert result.flags.debug.fusion.rrf_components["b"].domain_bonus > 0


def test_02_a_year_is_the_limit_to_the_second() -> None:
    just = [candidate("a", 1, detected_date=NOW - timedelta(days=365))]
    assert scored(just).ranked
    over = [candidate("a", 1, detected_date=NOW - timedelta(days=365, seconds=1))]
    empty = scored(over)
    assert not empty.ranked
    assert empty.coverage_delta == "None of the 1 candidates qualifies: 1 out of date."
