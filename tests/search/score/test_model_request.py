"""What the model that scores is shown, and what of its reply counts."""

import json

from tests.search.found import Judge, asked_of, candidate, candidates_shown, searched, several
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.search.score.flow import ScoreServices
from veridical.search.score.model_scores import ScoreCache, ScoringModel
from veridical.search.score.settings import ScoreSettings
from veridical.testing.script import Script


def test_the_order_that_is_shown_hides_the_ranks_and_is_the_same_each_time() -> None:
    orders: list[list[str]] = []
    for seed, found in ((0, several(5)), (0, several(5)[::-1]), (1, several(5))):
        judge = Judge(lambda name: 50)
        services = ScoreServices(model=ScoringModel(judge.model))
        searched(found, services, ScoreSettings(shuffle_seed=seed))
        orders.append(judge.batches[0])
    assert orders[0] == orders[1]
    assert len({tuple(each) for each in (*orders, sorted(orders[0]))}) == 3


def test_known_key_points_and_the_context_are_shown() -> None:
    async def recall(asked: ScoringContext) -> list[SearchCandidate]:
        return [candidate("s", 1, snippet="Employee data stays here. Nothing else.")]

    script = Script(["[]"])
    services = ScoreServices(recall, ScoringModel(script.model))
    searched([], services, purpose="Briefing", jurisdiction="DE")
    text = asked_of(script.heard[0])
    assert '"purpose": "Briefing", "jurisdiction": "DE"' in text
    assert "Employee data stays here." in text
    assert candidates_shown(script.heard[0])[0]["candidate_id"] == "s"


def test_a_reply_as_text_counts_when_it_is_json() -> None:
    items = [{"candidateId": "c01", "score": 80}, {"candidateId": "c01", "score": 10}, 7]
    script = Script([json.dumps({"items": items})])
    result = searched(several(1), ScoreServices(model=ScoringModel(script.model)))
    assert result.flags.debug.llm.llm_items == 1
    assert result.flags.debug.llm.fallback is None


def test_a_changed_text_is_scored_anew() -> None:
    judge = Judge(lambda name: 50)
    services = ScoreServices(model=ScoringModel(judge.model, ScoreCache(3600)))
    for snippet in ("one", "one", "two"):
        searched([candidate("a", 1, snippet=snippet), candidate("b", 2)], services)
    assert [sorted(each) for each in judge.batches] == [["a", "b"], ["a"]]
