"""The review of requirements by the team: operator, clarifier and validator take turns.

Each requirement has a conversation of its own, of at most twenty turns. The operator works on many
at once, in batches that are steps of a run; the clarifier asks one question at a time, and only
where an answer is missing; the validator closes each conversation with its verdict. Between steps
everything follows from what they gave, so that a run which is killed goes on where it was.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from veridical.contracts.person import AskPerson
from veridical.contracts.requirements_review import (
    ReviewedRequirement,
    ReviewOutcome,
    ReviewQuestion,
    ReviewTask,
    ReviewTurn,
)
from veridical.contracts.step import Json, Step, directly
from veridical.messages import message
from veridical.requirements.evaluation import chosen_criteria
from veridical.requirements.team.clarifier import ask_for_criteria, ask_user
from veridical.requirements.team.conversation import Conversation
from veridical.requirements.team.operator import Operator
from veridical.requirements.team.validator import closed, validate
from veridical.requirements.team.verdict import TeamVerdict
from veridical.requirements.team.work import Work
from veridical.requirements.vocabulary import Glossary, vocabulary

BATCH = 20
"""Requirements that are worked on at once: what a killed worker may have to do again."""

See = Callable[[float, int, int | None, ReviewTurn | None], None]
"""Called with a review's progress: time, evaluated requirements, the last turn and its place."""


def unseen(at: float, evaluated: int, about: int | None, turn: ReviewTurn | None) -> None:
    """Ignores the progress."""


@dataclass
class TeamReview:
    """One review on its way; everything in it follows from the task and the results of steps."""

    task: ReviewTask
    operator: Operator
    ask: AskPerson
    step: Step = directly
    see: See = unseen
    conversations: list[Conversation] = field(default_factory=list[Conversation])
    shared: dict[str, str] = field(default_factory=dict[str, str])
    """Answers to questions that several requirements share."""
    question_count: int = 0
    glossary: Glossary | None = None
    spent: float = 0.0
    """Seconds of work."""
    at: float = 0.0
    """When the last step ended."""

    async def outcome(self) -> ReviewOutcome:
        """The whole review."""
        texts = self.task.requirements
        self.conversations = [Conversation(number, text) for number, text in enumerate(texts, 1)]
        named = await self._criteria()
        if named is None:
            return self._closed((), None)
        self.operator = replace(
            self.operator, criteria=named, vocabulary=vocabulary(texts, self.glossary)
        )
        await self._work_on_all()
        pairs = await self._pairs(texts)
        await self._clarify()
        return self._closed(named, pairs)

    async def _criteria(self) -> tuple[str, ...] | None:
        keys = self.task.criteria_keys
        if self.task.ask_criteria and not keys:
            self.question_count += 1
            found = await ask_for_criteria(
                self.ask, "\n".join(self.task.requirements[:BATCH]), self.operator.language
            )
            if found is None:
                return None
            keys = found
        return tuple(each.value for each in chosen_criteria(keys))

    async def _work_on_all(self) -> None:
        """The operator's first turn about each, a batch after the other: steps have an order."""
        for number, start in enumerate(range(0, len(self.conversations), BATCH)):
            if self._is_late:
                return
            batch = self.conversations[start : start + BATCH]
            works = await self._worked(f"review:{number}", batch)
            for place, work in enumerate(works, start):
                self._turned(place, self.conversations[place].worked(work, may_ask=self._may_ask))
            self.see(self.at, start + len(batch), None, None)

    async def _worked(self, name: str, batch: Sequence[Conversation]) -> list[Work]:
        recorded = await self._step(name, partial(_dumped, self.operator, batch))
        return [Work.model_validate(each) for each in recorded]

    async def _pairs(self, texts: Sequence[str]) -> list[dict[str, Any]] | None:
        if self._is_late:
            return None
        return await self._step("review.relations", partial(self.operator.related, texts))

    async def _clarify(self) -> None:
        """One question after the other, until none is open or the limit is reached."""
        for place in range(len(self.conversations)):
            while (question := self.conversations[place].waits_for) and not self._is_late:
                known = self.shared.get(question.shared)
                if known is None and not self._may_ask:
                    break
                now = self.conversations[place]
                answer = await self._answered(now, question) if known is None else known
                self._turned(place, now.with_answer(question.key, answer))
                answered = self.conversations[place]
                name = f"review:{now.number}:{len(answered.turns)}"
                work = (await self._worked(name, [answered]))[0]
                done = answered.worked(work, may_ask=self._may_ask or bool(self.shared))
                self._turned(place, done)
                is_open = answer and question.key in {each.key for each in work.questions}
                if question.shared and not (is_open and question.key not in done.declined):
                    self.shared[question.shared] = answer

    async def _answered(self, now: Conversation, question: ReviewQuestion) -> str:
        """A person's answer. A question that an answer left open says so; one that others share
        names them all."""
        self.question_count += 1
        language, name = self.operator.language, f"review:{now.number}:{question.key}"
        text, about = question.question, [now.text]
        if question.key in now.repeated:
            name += ":again"
            missed = now.answers[question.key]
            text = message("team.ask_again", language, answer=missed, question=text)
        if question.shared:
            about += [
                each.text
                for each in self.conversations
                if each is not now and any(q.shared == question.shared for q in each.work.questions)
            ]
        if len(about) > 1:
            text = message("team.ask_for_all", language, question=text, count=len(about))
        return await ask_user(
            self.ask, name, "\n".join(about[:BATCH]), text, question.suggested_answers, self.at
        )

    def _turned(self, place: int, conversation: Conversation) -> None:
        self.conversations[place] = conversation
        if self.question_count:
            evaluated = sum(bool(each.turns) for each in self.conversations)
            self.see(self.at, evaluated, conversation.number, conversation.turns[-1])

    async def _step(self, name: str, action: Callable[[], Any]) -> Any:
        async def timed() -> Json:
            begun = time.perf_counter()
            found = await action()
            return {"at": time.time(), "seconds": time.perf_counter() - begun, "found": found}

        recorded = await self.step(name, timed)
        self.spent += recorded["seconds"]
        self.at = recorded["at"]
        return recorded["found"]

    @property
    def _may_ask(self) -> bool:
        return self.question_count < self.task.most_questions

    @property
    def _is_late(self) -> bool:
        return self.spent >= self.task.seconds

    def _closed(self, criteria: Sequence[str], pairs: list[dict[str, Any]] | None) -> ReviewOutcome:
        reviewed: list[ReviewedRequirement] = []
        for each in map(Conversation.ready, self.conversations):
            verdict = validate(each, criteria, pairs, out_of_time=self._is_late and not each.turns)
            reviewed.append(_reviewed(closed(each, verdict), verdict))
        return ReviewOutcome(
            criteria=tuple(criteria),
            requirements=tuple(reviewed),
            duplicates=None if pairs is None else tuple(pairs),
            questions_asked=self.question_count,
        )


async def _dumped(operator: Operator, batch: Sequence[Conversation]) -> Json:
    works = await operator.work_on_all(batch)
    return [work.model_dump(mode="json", by_alias=True) for work in works]


def _reviewed(conversation: Conversation, verdict: TeamVerdict) -> ReviewedRequirement:
    work = conversation.work
    return ReviewedRequirement(
        id=conversation.number,
        original_text=conversation.text,
        corrected_text=work.corrected_text or conversation.text,
        status=work.status,
        original_score=work.original_score,
        score=work.score,
        verdict=work.verdict,
        evaluation=work.evaluation,
        suggestions=work.suggestions,
        questions=work.questions,
        answers=dict(conversation.answers),
        approved=verdict.approved,
        issues=verdict.issues,
        turns=conversation.turns,
        failed_tools=work.failed,
    )
