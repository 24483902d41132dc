"""The operator: evaluates each requirement, and where it falls short suggests and rewrites.

A tool that fails leaves its part "not evaluated"; it never becomes a score, and the others go on.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic_ai.models import Model

from veridical.contracts.language import Language
from veridical.contracts.requirements_review import ReviewQuestion
from veridical.requirements.contract import (
    evaluation_json,
    not_evaluated_json,
    suggestions_json,
)
from veridical.requirements.evaluation import Evaluation, evaluate_requirement
from veridical.requirements.finding import PASS_MARK, Criterion
from veridical.requirements.relations.meaning import Embed, Near, near_texts
from veridical.requirements.relations.pairs import RelatedPair, detect_duplicates
from veridical.requirements.relations.relation import RelationKind
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.rewrite.question import ROLE
from veridical.requirements.rewrite.rewrite import (
    Rewrite,
    rewrite_evaluation,
    rewrite_requirement,
)
from veridical.requirements.team.conversation import Conversation
from veridical.requirements.team.work import NOT_NEEDED, Work
from veridical.requirements.vocabulary import Vocabulary

_log = logging.getLogger(__name__)
_REPORTED = (RelationKind.DUPLICATE, RelationKind.CONFLICT, RelationKind.VARIANT)
Done = TypeVar("Done")


@dataclass(frozen=True)
class OperatorTools:
    """The tools of the operator, by the names that callers know."""

    evaluate_requirement: Callable[[str, Collection[str]], Evaluation] = evaluate_requirement
    suggest_improvements: Callable[[Evaluation, Language, Vocabulary], list[dict[str, Any]]] = (
        suggestions_json
    )
    rewrite_requirement: Callable[[str, Mapping[str, str], Proposal | None], Rewrite] = (
        rewrite_requirement
    )
    detect_duplicates: Callable[[Sequence[str], Near | None], list[RelatedPair]] = detect_duplicates


@dataclass(frozen=True)
class Operator:
    """The means to work on requirements: the tools, a model if there is one, and the caller."""

    language: Language
    criteria: tuple[str, ...] = ()
    model: Model | None = None
    model_seconds: float = 20.0
    """The seconds that the model has for one requirement; then the template is taken."""
    tools: OperatorTools = OperatorTools()
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    """Answers that the other requirements and the project's glossary already have."""
    embed: Embed | None = None

    async def work_on_all(self, batch: Sequence[Conversation]) -> list[Work]:
        """Works on all at once: the rules share the cores, requests to a model wait together."""
        return list(await asyncio.gather(*(self.work_on(each) for each in batch)))

    async def work_on(self, conversation: Conversation) -> Work:
        """One turn: evaluates, and below the mark suggests and rewrites."""
        failed: list[str] = []
        text = conversation.text
        evaluation = await self._tool(
            "evaluate_requirement",
            lambda: self.tools.evaluate_requirement(text, self.criteria),
            failed,
        )
        if evaluation is None or evaluation.score is None:
            fields = not_evaluated_json(self.language)
            return Work(evaluation=tuple(fields["evaluation"]), failed=tuple(failed))
        fields = evaluation_json(evaluation, self.language)
        suggested = await self._tool(
            "suggest_improvements",
            lambda: self.tools.suggest_improvements(evaluation, self.language, self.vocabulary),
            failed,
        )
        work = Work(
            original_score=evaluation.score,
            score=evaluation.score,
            verdict=fields["verdict"],
            evaluation=tuple(fields["evaluation"]),
            suggestions=tuple(suggested or ()),
            failed=tuple(failed),
        )
        if evaluation.score >= PASS_MARK:
            return work.model_copy(update={"status": NOT_NEEDED, "corrected_text": text})
        return await self._rewritten(work, conversation)

    async def _rewritten(self, work: Work, conversation: Conversation) -> Work:
        failed = list(work.failed)
        proposal = conversation.work.proposal
        if proposal is None and self.model is not None and not conversation.turns:
            proposal = await self._proposal(self.model, conversation.text, failed)
        rewrite = await self._tool(
            "rewrite_requirement",
            lambda: self.tools.rewrite_requirement(
                conversation.text, conversation.answers, proposal
            ),
            failed,
        )
        if rewrite is None:
            return work.model_copy(update={"failed": tuple(failed)})
        checked = evaluation_json(self._evaluation_of(rewrite), self.language)
        return work.model_copy(
            update={
                "score": checked["score"],
                "verdict": checked["verdict"],
                "evaluation": tuple(checked["evaluation"]),
                "corrected_text": rewrite.text,
                "status": rewrite.status.value,
                "questions": tuple(self._questions(rewrite)),
                "proposal": proposal,
                "failed": tuple(failed),
            }
        )

    def _evaluation_of(self, rewrite: Rewrite) -> Evaluation:
        """The evaluation by the chosen criteria; the one by all criteria exists already."""
        if len(self.criteria) in (0, len(Criterion)):
            return rewrite.evaluation
        language = rewrite.source.inspection.tokens.language
        return rewrite_evaluation(rewrite.text, language, self.criteria)

    async def _proposal(self, model: Model, text: str, failed: list[str]) -> Proposal | None:
        # Imported here because the providers' clients take seconds to load.
        from veridical.requirements.rewrite.model_request import proposed

        proposal = await proposed(text, model, self.model_seconds)
        if proposal is None or isinstance(proposal, Proposal):
            return proposal
        failed.append(f"model ({proposal})")
        return None

    def _questions(self, rewrite: Rewrite) -> list[ReviewQuestion]:
        return [
            ReviewQuestion(
                key=each.key,
                question=each.text(self.language),
                suggested_answers=(
                    *(rewrite.roles if each.key == ROLE else ()),
                    *self.vocabulary.answers(each, rewrite.source.inspection.tokens),
                ),
                shared=each.shared,
            )
            for each in rewrite.questions
        ]

    async def related(self, texts: Sequence[str]) -> list[dict[str, Any]] | None:
        """The pairs that say the same, contradict or vary each other; none where it failed."""
        found = await self._tool(
            "detect_duplicates", lambda: self.tools.detect_duplicates(texts, self._near(texts)), []
        )
        if found is None:
            return None
        return [pair.as_json(self.language) for pair in found if pair.relation.kind in _REPORTED]

    def _near(self, texts: Sequence[str]) -> Near | None:
        return near_texts(texts, self.embed) if self.embed else None

    async def _tool(self, name: str, run: Callable[[], Done], failed: list[str]) -> Done | None:
        """The result of a tool; none where it fails, which is noted by its name."""
        try:
            return await asyncio.to_thread(run)
        except Exception:
            _log.exception("%s failed", name)
            failed.append(name)
            return None
