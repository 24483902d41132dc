"""The values of the contract: names, defaults, examples and messages, one test for each line."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from tests.search.contract.examples import CONTEXT, FLAGS, RESULT
from tests.search.found import NOW, candidate, context, scored
from veridical.contracts.search_candidate import (
    CoverageDimension,
    ScoreRequest,
    ScoreResultInput,
    ScoreResultsData,
    SearchCandidate,
)
from veridical.contracts.search_context import (
    FreshnessMode,
    ScoringContext,
    as_meta,
    scoring_context,
)
from veridical.contracts.search_result import HybridResult, LLMScoredItem, SearchFlags
from veridical.contracts.wire import Wire
from veridical.search.score.settings import ScoreSettings

DIMENSIONS = (
    "LEGAL TECHNICAL PROCEDURAL DATA_CATEGORIES MONITORING_SURVEILLANCE LOGGING_AUDIT "
    "ANALYTICS_REPORTING ACCESS_PRIVACY_SECURITY API_INTEGRATION"
)


def compact(text: str) -> str:
    return json.dumps(json.loads(text), separators=(",", ":"))


def camel(value: Any) -> Any:
    """Every field's name as the wire writes it; what is data, such as ``LEGAL``, stays."""
    if isinstance(value, list):
        return [camel(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {_camel(name): camel(each) for name, each in value.items()}


def _camel(name: str) -> str:
    if name.isupper() or "-" in name:
        return name
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def refused(kind: type[Wire], **given: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        kind.model_validate(given)
    assert caught.value.error_count() == 1
    return caught.value.errors()[0]["msg"]


def test_01_scoring_context_is_read_from_meta_and_written_as_shown() -> None:
    meta = json.loads(CONTEXT)["meta"]
    found = scoring_context(meta)
    assert found is not None
    assert (found.jurisdiction, found.freshness_mode) == ("DE", FreshnessMode.STANDARD)
    assert found.model_dump_json() == compact(json.dumps(meta["scoring_context"]))
    assert json.dumps({"meta": as_meta(found)}, separators=(",", ":")) == compact(CONTEXT)


def test_01_scoring_context_is_read_as_json_text_too() -> None:
    meta = json.loads(CONTEXT)["meta"]
    as_text = {"scoring_context": json.dumps(meta["scoring_context"])}
    assert scoring_context(as_text) == scoring_context(meta)
    assert scoring_context({}) is None


def test_01_scoring_context_is_read_in_camel_case_and_written_so_on_the_wire() -> None:
    snake = json.loads(CONTEXT)["meta"]["scoring_context"]
    found = ScoringContext.model_validate(camel(snake))
    assert found == ScoringContext.model_validate(snake)
    assert json.loads(found.model_dump_json(by_alias=True)) == camel(snake)


def test_01_missing_min_diversity_buckets_is_three_or_the_setting() -> None:
    assert context().min_diversity_buckets == 3
    assert context().buckets(ScoreSettings().min_diversity_buckets) == 3
    assert context().buckets(4) == 4
    assert context(min_diversity_buckets=2).buckets(4) == 2


@pytest.mark.parametrize(
    ("mode", "days"),
    [("standard", 365), ("software_docs_strict", 1095), ("law_evergreen", None)],
)
def test_02_freshness_modes_have_their_limits(mode: str, days: int | None) -> None:
    limit = days or 36_500
    aged = [
        candidate("young", 1, detected_date=NOW.timestamp() - (limit - 1) * 86_400),
        candidate("old", 2, detected_date=NOW.timestamp() - (limit + 1) * 86_400),
    ]
    result = scored(aged, freshness_mode=mode)
    dropped = {each.id: each.reason for each in result.flags.debug.pre_filter.dropped}
    assert dropped == ({} if days is None else {"old": "stale"})


def test_03_naive_detected_date_fails() -> None:
    said = refused(SearchCandidate, id="a", detected_date="2024-06-01T09:00:00")
    assert said.startswith("detected_date must have a timezone offset")


@pytest.mark.parametrize(
    "given",
    ["2024-06-01T07:00:00Z", "2024-06-01T07:00:00+00:00", "2024-06-01T09:00:00+02:00"],
)
def test_03_detected_date_is_utc_inside_and_z_outside(given: str) -> None:
    found = SearchCandidate(id="a", detected_date=datetime.fromisoformat(given))
    assert found.detected_date is not None
    assert found.detected_date == datetime(2024, 6, 1, 7, tzinfo=UTC)
    assert found.detected_date.tzinfo is UTC
    assert found == SearchCandidate.model_validate({"id": "a", "detectedDate": given})
    assert '"detected_date":"2024-06-01T07:00:00Z"' in found.model_dump_json()
    assert '"detectedDate":"2024-06-01T07:00:00Z"' in found.model_dump_json(by_alias=True)


def test_03_results_take_candidates_and_the_older_form() -> None:
    data = ScoreResultsData.model_validate(
        {
            "results": [
                {"id": "new", "title": "T", "detected_date": "2024-06-01T09:00:00+02:00"},
                {"id": "old", "title": "T", "snippet": "S", "url": "https://a.example", "x": 1},
                SearchCandidate(id="made"),
                ScoreResultInput(id="given"),
            ]
        }
    )
    kinds = [type(each) for each in data.results]
    assert kinds == [SearchCandidate, ScoreResultInput, SearchCandidate, ScoreResultInput]
    assert [each.id for each in data.candidates] == ["new", "old", "made", "given"]
    assert data.candidates[1].snippet == "S"


def test_03_a_naive_date_does_not_make_a_candidate_one_of_the_older_form() -> None:
    results = [{"id": "a", "detectedDate": "2024-06-01T09:00:00"}]
    assert refused(ScoreResultsData, results=results).startswith("detected_date must have")


def test_04_a_scored_item_has_its_limits() -> None:
    lowest = LLMScoredItem(candidate_id="a", score=0, reason="x" * 280)
    covered = dict.fromkeys(CoverageDimension, 1.0)
    highest = LLMScoredItem(candidate_id="a", score=100, facet_coverage=covered)
    assert (lowest.score, len(lowest.reason)) == (0, 280)
    assert (highest.score, highest.facet_coverage) == (100, covered)
    for wrong in ({"score": -1}, {"score": 101}, {"score": 1, "reason": "x" * 281}):
        refused(LLMScoredItem, candidate_id="a", **wrong)


def test_04_custom_facets_are_written_with_their_prefix() -> None:
    item = LLMScoredItem(
        candidate_id="a", score=1, custom_facets={"reporting": 0.4, "CUSTOM_RISK": 1}
    )
    assert item.custom_facets == {"CUSTOM_REPORTING": 0.4, "CUSTOM_RISK": 1}


def test_05_hybrid_result_is_read_and_written_as_shown() -> None:
    found = HybridResult.model_validate_json(RESULT)
    assert found.model_dump_json(exclude_unset=True) == compact(RESULT)
    wire = json.loads(found.model_dump_json(by_alias=True, exclude_unset=True))
    assert wire == camel(json.loads(RESULT))
    assert HybridResult.model_validate(wire) == found


def test_06_flags_and_debug_are_read_and_written_as_shown() -> None:
    found = SearchFlags.model_validate_json(FLAGS)
    assert found.model_dump_json() == compact(FLAGS)
    wire = json.loads(found.model_dump_json(by_alias=True))
    assert wire == camel(json.loads(FLAGS))
    assert SearchFlags.model_validate(wire) == found


def test_06_a_result_has_the_debug_of_every_stage() -> None:
    old = candidate("old", 3, detected_date=NOW.timestamp() - 366 * 86_400)
    result = scored([candidate("a", 1), candidate("b", 2), old])
    written = json.loads(result.model_dump_json())["flags"]["debug"]
    assert written["pre_filter"]["dropped"] == [{"id": "old", "reason": "stale"}]
    assert [set(each) for each in written["pre_filter"]["mmr"]["selected"]] == [
        {"id", "max_overlap"}
    ] * 2
    assert written["llm"] == {"fallback": None, "cache_hit": False, "llm_items": 0}
    fusion = written["fusion"]
    assert set(fusion["fused_scores"]) == set(fusion["rrf_components"]) == {"a", "b"}
    shown = {"rrf_term", "rag_bonus", "domain_bonus", "policy_bonus"}
    assert shown <= set(fusion["rrf_components"]["a"])
    assert fusion["rrf_k"] == 90
    assert fusion["diversity_buckets"] == ["a.example", "b.example"]


def test_07_there_are_nine_coverage_dimensions() -> None:
    assert list(CoverageDimension) == DIMENSIONS.split()


def test_08_min_diversity_buckets_message() -> None:
    said = refused(ScoringContext, question="q", min_diversity_buckets=0)
    assert said == "min_diversity_buckets must be at least 1"


@pytest.mark.parametrize("kind", [LLMScoredItem, SearchCandidate])
def test_08_coverage_dimension_message(kind: type[Wire]) -> None:
    given = {"id": "a"} if kind is SearchCandidate else {"candidate_id": "a", "score": 1}
    said = refused(kind, **given, facet_coverage={"CUSTOM_X": 0.5})
    assert said == "invalid coverage dimension"


@pytest.mark.parametrize("value", ["0.4", -0.1, 1.1, True, None, float("nan")])
def test_08_custom_facet_message(value: object) -> None:
    said = refused(LLMScoredItem, candidate_id="a", score=1, custom_facets={"CUSTOM_X": value})
    assert said == "custom facet scores must be numeric"


def test_10_control_sets_the_tokens_of_one_request() -> None:
    given = {"data": {"query": "q"}, "control": {"max_tokens": 500}}
    assert ScoreRequest.model_validate(given).control.max_tokens == 500
    assert ScoreRequest.model_validate({"data": {"query": "q"}}).control.max_tokens is None
