"""``/api/…``: requirements evaluated, rewritten, improved and compared, with fixed names.

Paths and bodies are those that clients of such services know; what is added is named beside.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import Field

from veridical.contracts.extras import MissingExtraError, require
from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.limited_process.limits import LimitError
from veridical.requirements.finding import Criterion
from veridical.search.embeddings.embedder import EmbeddingError
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.embeddings.settings import EmbedderSettings
from veridical.server.answerer import AnswererDep
from veridical.server.auth import AskAccess
from veridical.server.body_types import Text
from veridical.server.identity import Identity
from veridical.server.limited_work import LimitedWork, LimitedWorkDep, as_problem
from veridical.server.openapi import problems
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep
from veridical.word_file import word_file

if TYPE_CHECKING:
    from veridical.requirements.relations.meaning import Near

_log = logging.getLogger(__name__)
router = APIRouter(prefix="/api", tags=["requirements"])

_MOST_ITEMS = 100
_VAGUE: str = word_file("veridical.server.routes", "examples.toml")["vague"]
Verdict = Literal["pass", "fail", "not_evaluated"]
Texts = Annotated[tuple[Text, ...], Field(min_length=1, max_length=_MOST_ITEMS)]


class EvaluateRequest(Wire):
    """One requirement, and the criteria to score it by; all where none is named."""

    text: Text
    criteria_keys: tuple[Criterion | Literal["all"], ...] | None = Field(
        default=None, alias="criteria_keys", max_length=len(Criterion) + 1
    )


class ItemsRequest(Wire):
    """Some requirements."""

    items: Texts


class PairsRequest(Wire):
    """Requirements to compare with each other."""

    requirements: Texts


class CriterionResult(Wire):
    """One criterion; no score where no rule of it could be applied."""

    criterion: Criterion
    score: float | None
    passed: bool
    feedback: str


class StatementResult(Wire):
    """One statement with the score of its own."""

    text: str
    score: float


class EvaluationResult(Wire):
    """The weakest criterion decides; ``uncertain`` where experts would differ."""

    score: float | None
    verdict: Verdict
    uncertain: bool
    remark: str
    evaluation: tuple[CriterionResult, ...]
    statements: tuple[StatementResult, ...] = ()
    """The requirement and each of its acceptance criteria, if it has any."""


class QuestionResult(Wire):
    """A question that only the author can answer; its place in the text is a placeholder."""

    key: str
    question: str
    suggested_answers: tuple[str, ...] = ()
    """Answers that other requirements of the same request have."""


class RewriteResult(EvaluationResult):
    """A requirement as user story and scenario, with the evaluation of that."""

    id: int
    """From 1, in the order of the items."""
    original_text: str
    corrected_text: str
    status: Literal["accepted", "needs_answers", "rejected", "not_evaluated"]
    questions: tuple[QuestionResult, ...]
    author: Literal["template", "model", ""]


class SuggestionResult(Wire):
    """One improvement."""

    type: str
    suggestion: str
    priority: Literal["high", "medium", "low"]


class SuggestedItem(Wire):
    """The improvements of one requirement; none where they could not be found out."""

    suggestions: tuple[SuggestionResult, ...] | None


class SuggestResult(Wire):
    """By ``REQ_1``, ``REQ_2`` and so on, in the order of the items."""

    items: dict[str, SuggestedItem]


class PairResult(Wire):
    """Two requirements by their places, from 0, and how they relate."""

    req1_idx: int = Field(alias="req1_idx")
    req2_idx: int = Field(alias="req2_idx")
    similarity: float
    kind: Literal["duplicate", "conflict", "variant", "related"]
    reason: str


def _example(summary: str, **value: Any) -> dict[str, Any]:
    return {"plain": {"summary": summary, "value": value}}


Evaluated = Annotated[
    EvaluateRequest,
    Body(
        openapi_examples=_example(
            "Three criteria",
            text=_VAGUE,
            criteria_keys=["clarity", "testability", "measurability"],
        )
    ),
]
Items = Annotated[ItemsRequest, Body(openapi_examples=_example("One requirement", items=[_VAGUE]))]
Compared = Annotated[
    PairsRequest,
    Body(
        openapi_examples=_example(
            "Two figures for one demand",
            requirements=["The belt shall stop within 2 s.", "The belt shall stop within 20 s."],
        )
    ),
]


@router.post("/v2/evaluate/single", summary="Evaluate a requirement", responses=problems(body=True))
async def evaluate(
    request: Request, body: Evaluated, identity: AskAccess, limited: LimitedWorkDep
) -> EvaluationResult:
    """By rules, without a model. Criteria that could not be evaluated have no score, never 0."""
    language = _language(request, [body.text])
    from veridical.requirements.batch_process import evaluated

    work = partial(evaluated, body.text, body.criteria_keys, language)
    return EvaluationResult.model_validate(await _done(limited, identity, work))


@router.post("/v1/validate/batch", summary="Rewrite requirements", responses=problems(body=True))
async def rewrite(
    request: Request,
    body: Items,
    identity: AskAccess,
    services: ServicesDep,
    answerer: AnswererDep,
    limited: LimitedWorkDep,
) -> list[RewriteResult]:
    """As user story and scenario, from the words of each requirement. What it does not say is a
    placeholder and a question; nothing is invented, by no model."""
    language = _language(request, body.items)
    from veridical.requirements.batch import proposals
    from veridical.requirements.batch_process import rewritten

    with answerer.place(identity):
        proposed = await proposals(body.items, services.runtime.model)
    found = await _done(limited, identity, partial(rewritten, body.items, language, proposed))
    return [RewriteResult.model_validate(each) for each in found]


@router.post("/v1/validate/suggest", summary="Suggest improvements", responses=problems(body=True))
async def suggest(
    request: Request, body: Items, identity: AskAccess, limited: LimitedWorkDep
) -> SuggestResult:
    """Single improvements, the most urgent first."""
    language = _language(request, body.items)
    from veridical.requirements.batch_process import suggested

    found = await _done(limited, identity, partial(suggested, body.items, language))
    named = {f"REQ_{place}": {"suggestions": each} for place, each in enumerate(found, 1)}
    return SuggestResult.model_validate({"items": named})


@router.post(
    "/kg/search/nodes", summary="Find duplicates and conflicts", responses=problems(body=True)
)
async def compare(
    request: Request,
    body: Compared,
    identity: AskAccess,
    services: ServicesDep,
    limited: LimitedWorkDep,
) -> list[PairResult]:
    """By figures, units, negation, actor and object first, and by similarity second. With an
    embedder in ``[search]`` also the same demand in other words."""
    language = _language(request, body.requirements)
    from veridical.requirements.batch_process import related

    near = await asyncio.to_thread(_near, body.requirements, services.runtime.score.embedder)
    found = await _done(limited, identity, partial(related, body.requirements, language, near))
    return [PairResult.model_validate(each) for each in found]


def _near(texts: Sequence[str], settings: EmbedderSettings | None) -> "Near | None":
    """The pairs that the embedder takes for the same; none where there is none, or it is away."""
    if settings is None:
        return None
    from veridical.requirements.relations.meaning import near_texts

    try:
        return near_texts(texts, opened_embedder(settings).embed)
    except EmbeddingError:
        _log.warning("the embedder is unavailable: requirements are compared by words")
        return None


async def _done(limited: LimitedWork, identity: Identity, work: Callable[[], Any]) -> Any:
    """The result of the work, done in another process. Raises ``ProblemError``."""
    try:
        return await limited.run(identity, work)
    except LimitError as error:
        raise as_problem(error) from error


def _language(request: Request, texts: Sequence[str]) -> Language:
    """The requested language, else that of the requirements. Raises ``ProblemError`` where the
    extra is missing."""
    try:
        require("requirements")
    except MissingExtraError as error:
        raise ProblemError(ProblemCode.UNAVAILABLE) from error
    from veridical.requirements.batch import texts_language

    if "accept-language" not in request.headers:
        request.state.language = texts_language(texts)
    return request.state.language
