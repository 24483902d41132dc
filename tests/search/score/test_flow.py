"""The whole search: its store, its model, its steps."""

import json

from tests.search.found import Judge, candidate, searched, several
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.step import Action, Json
from veridical.search.score.flow import ScoreServices
from veridical.search.score.model_scores import ScoringModel
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
    assert result.coverage_delta == "Adds TECHNICAL, API_INTEGRATION coverage."
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
