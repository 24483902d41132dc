"""The whole search: its store, its model, its steps."""

import json

from tests.search.found import Judge, candidate, searched, several
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.step import Action, Json
from veridical.search.score.flow import ScoreServices
from veridical.search.score.model_scores import ScoringModel
from veridical.search.score.parts import score_parts
from veridical.search.score.settings import ScoreSettings, Stage


class Recorded(dict[str, Json]):
    """Steps that run once."""

    async def step(self, name: str, action: Action) -> Json:
        if name not in self:
            self[name] = json.loads(json.dumps(await action()))
        return self[name]


async def stored(asked: ScoringContext) -> list[SearchCandidate]:
    return [candidate("s1", 1, snippet="gdpr policy law"), candidate("s2", 2)]


def test_what_the_store_has_is_ranked_with_what_was_given() -> None:
    given = [candidate("w1", 1, snippet="gdpr policy news"), candidate("w2", 2, snippet="an api")]
    result = searched(given, ScoreServices(stored))
    assert {each.candidate_id for each in result.ranked} == {"s1", "s2", "w1", "w2"}
    assert result.coverage_delta.startswith(
        "Adds TECHNICAL, API_INTEGRATION coverage. Stored passages cover LEGAL. Gaps: PROCEDURAL, "
    )
    assert [each.candidate_id for each in result.recommended_ingest] == ["w2"]


def test_a_candidate_that_is_stored_too_comes_once() -> None:
    result = searched([candidate("s1", 3)], ScoreServices(stored))
    assert sorted(each.candidate_id for each in result.ranked) == ["s1", "s2"]


def test_nothing_given_and_nothing_stored_is_said() -> None:
    assert searched().coverage_delta == "Nothing was found."


def test_a_replay_asks_neither_store_nor_model_again() -> None:
    judge, steps = Judge(lambda name: 50), Recorded()
    services = ScoreServices(stored, ScoringModel(judge.model))
    first = searched(several(5), services, step=steps.step)
    again = searched(several(5), services, step=steps.step)
    assert first == again
    assert len(judge.batches) == 2
    assert sorted(steps) == [
        "search.recall",
        "search.score.0",
        "search.score.1",
        "search.score.cache",
    ]


def test_recorded_batches_share_the_patience() -> None:
    judge, steps = Judge(lambda name: 50, seconds=0.2), Recorded()
    services = ScoreServices(model=ScoringModel(judge.model))
    result = searched(several(15), services, ScoreSettings(llm_timeout_s=0.3), step=steps.step)
    assert result.flags.llm_timeout
    assert result.flags.debug.llm.llm_items == 5


def test_the_model_decides_between_equals() -> None:
    judge = Judge({"c01": 5, "c02": 60, "c03": 95}.__getitem__)
    services = ScoreServices(model=ScoringModel(judge.model))
    alike = [candidate(f"c0{n}", 1) for n in (1, 2, 3)]
    result = searched(alike, services)
    assert [each.candidate_id for each in result.ranked] == ["c03", "c02", "c01"]
    assert result.ranked[0].reason == "about c03"


def test_coverage_of_what_is_stored_has_its_gaps() -> None:
    result = searched((), ScoreServices(stored))
    assert result.coverage_delta.startswith("Stored passages cover LEGAL. Gaps: TECHNICAL, ")
    assert result.coverage is not None
    assert result.coverage.stored == {"LEGAL": 0.75}
    assert len(result.coverage.gaps) == 8
    tags = {each.candidate_id: each.gap_tags for each in result.ranked}
    assert tags == {"s1": ("LEGAL",), "s2": ()}, "without it, the store would have none"


def test_a_score_is_never_above_the_models() -> None:
    judge = Judge({"c01": 7, "c02": 60, "c03": 95, "c04": 3}.__getitem__)
    words = {"snippet": "gdpr policy"}
    found = [candidate("c01", 1), candidate("c02", 2), candidate("c03", 3)]
    found.append(candidate("c04", 4, **words))
    result = searched(found, ScoreServices(model=ScoringModel(judge.model)))
    scores = {each.candidate_id: (each.score, each.model_score) for each in result.ranked}
    assert scores["c01"] == (7, 7)
    assert scores["c02"][0] <= 60
    assert scores["c03"][1] == 95
    assert [each.score for each in result.ranked] == sorted(
        (each.score for each in result.ranked), reverse=True
    )
    chosen = {each.candidate_id for each in result.top_k}
    assert chosen == {"c02", "c03"}, "what the model calls irrelevant is not selected"
    assert result.recommended_ingest == ()
    flags = {each.candidate_id: "OFF_TOPIC" in each.risk_flags for each in result.ranked}
    assert flags == {"c01": True, "c02": False, "c03": False, "c04": True}
    parts = result.flags.debug.fusion.rrf_components["c01"]
    assert round(sum(points for _, points in score_parts(parts)), 6) == 0.07


def test_without_a_model_there_is_no_score_of_one() -> None:
    written = searched(several(2)).ranked[0].model_dump(by_alias=True)
    assert "modelScore" not in written


def test_a_candidate_that_is_stored_too_has_the_text_of_the_store() -> None:
    judge = Judge(lambda name: {"score": 50})
    shown = candidate("s1", 3, snippet="a monitor of audit logging")
    result = searched([shown], ScoreServices(stored, ScoringModel(judge.model)))
    coverage = {each.candidate_id: each.facet_coverage for each in result.ranked}
    assert coverage["s1"] == {"LEGAL": 0.75}


def test_a_model_that_is_switched_off_is_not_asked() -> None:
    judge = Judge(lambda name: 50)
    services = ScoreServices(model=ScoringModel(judge.model))
    result = searched(several(3), services, ScoreSettings(off=frozenset({Stage.MODEL})))
    assert judge.batches == []
    assert result.flags.debug.llm.fallback == "switched_off"


def test_scores_that_cannot_be_used_leave_the_heuristic() -> None:
    said = {
        "c01": {"score": 500},
        "c02": {"score": "high"},
        "c03": {"score": 70, "reason": "x" * 900, "facet_coverage": {"NONSENSE": 1, "LEGAL": 3}},
        "c04": {"candidate_id": "never shown", "score": 99},
    }
    judge = Judge(said.__getitem__)
    result = searched(several(4), ScoreServices(model=ScoringModel(judge.model)))
    assert result.flags.debug.llm.llm_items == 1
    assert result.flags.debug.llm.fallback == "unreadable"
    assert len(result.ranked) == 4
    third = next(each for each in result.ranked if each.candidate_id == "c03")
    assert len(third.reason) == 280
    assert third.facet_coverage == {}
