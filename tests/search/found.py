"""Candidates, models and searches for tests of the scoring."""

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import (
    LegRank,
    ScoreRequest,
    ScoreResultsData,
    SearchCandidate,
)
from veridical.contracts.search_context import ScoringContext, as_meta
from veridical.contracts.search_result import HybridResult
from veridical.contracts.step import Step, directly
from veridical.search.score.flow import ScoreServices, search_and_score
from veridical.search.score.model_outcome import ModelScores
from veridical.search.score.ranking import RankingScope, StoreState, rank, shortlist
from veridical.search.score.settings import ScoreSettings

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = timedelta(days=1)
QUESTION = "Which policies govern employee data residency?"


def context(**given: Any) -> ScoringContext:
    return ScoringContext.model_validate({"question": QUESTION, **given})


def candidate(name: str = "a", rank: int | None = None, **given: Any) -> SearchCandidate:
    """One with its own text and host unless something else is said, and a rank in one leg."""
    told: dict[str, Any] = {
        "id": name,
        "title": f"Title {name}",
        "snippet": f"Text of {name}",
        "url": f"https://{name}.example/page",
        "detected_date": NOW,
        "legs": {} if rank is None else {"lexical": LegRank(rank=rank)},
    }
    return SearchCandidate.model_validate(told | given)


def several(count: int, **given: Any) -> list[SearchCandidate]:
    return [candidate(f"c{place:02}", place, **given) for place in range(1, count + 1)]


def scored(
    candidates: Sequence[SearchCandidate],
    scores: ModelScores | None = None,
    store: StoreState | None = None,
    language: Language = Language.EN,
    settings: ScoreSettings | None = None,
    **asked: Any,
) -> HybridResult:
    """The pure part: shortlist and ranking."""
    scope = RankingScope(context(**asked), settings or ScoreSettings(), NOW, language)
    listed = shortlist(candidates, scope)
    return rank(listed, scores or ModelScores({}), store or StoreState({}), scope)


def searched(
    candidates: Sequence[SearchCandidate] = (),
    services: ScoreServices | None = None,
    settings: ScoreSettings | None = None,
    control: dict[str, Any] | None = None,
    step: Step = directly,
    **asked: Any,
) -> HybridResult:
    """The whole search."""
    data = ScoreResultsData(results=tuple(candidates))
    given = {"data": data, "control": control or {}, "meta": as_meta(context(**asked))}
    request = ScoreRequest.model_validate(given)
    return asyncio.run(
        search_and_score(
            request, services or ScoreServices(), settings or ScoreSettings(), NOW, step=step
        )
    )


class Judge:
    """A model that scores what it is shown, by a function of the id."""

    def __init__(self, score: Callable[[str], Any], seconds: float = 0.0) -> None:
        self._score = score
        self._seconds = seconds
        self.batches: list[list[str]] = []
        self.infos: list[AgentInfo] = []
        self.model = FunctionModel(self._speak, model_name="judge")

    async def _speak(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        shown = [each["candidate_id"] for each in candidates_shown(messages)]
        self.batches.append(shown)
        self.infos.append(info)
        await asyncio.sleep(self._seconds)
        items = [_item(name, self._score(name)) for name in shown]
        return ModelResponse([ToolCallPart("scoreResults", {"items": items}, "call")])


def asked_of(messages: Sequence[ModelMessage]) -> str:
    """The text of the last request."""
    last = messages[-1]
    assert isinstance(last, ModelRequest)
    part = last.parts[-1]
    assert isinstance(part, UserPromptPart)
    return str(part.content)


def candidates_shown(messages: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    text = asked_of(messages)
    return json.loads(text[text.index("\n[") + 1 :])


def _item(name: str, given: Any) -> dict[str, Any]:
    told = given if isinstance(given, dict) else {"score": given}
    return {"candidate_id": name, "reason": f"about {name}", **told}
