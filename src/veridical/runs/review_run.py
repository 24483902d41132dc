"""A review of requirements as a durable run: its batches and its questions are steps."""

import time

from veridical.agent.approval import Consultations
from veridical.answering.session import Emit, Session
from veridical.contracts.answer import Answer, AnswerKind, Usage
from veridical.contracts.person import AskPerson
from veridical.contracts.requirements_review import ReviewOutcome, ReviewTask, ReviewTurn
from veridical.contracts.step import Json, Step
from veridical.contracts.trace import Answered, Reviewed, RunStarted
from veridical.messages import message
from veridical.requirements.team.operator import Operator
from veridical.requirements.team.team import TeamReview
from veridical.runs.request import RunSegment


async def run_review(
    segment: RunSegment,
    task: ReviewTask,
    session: Session | None,
    ask: AskPerson,
    step: Step,
    emit: Emit,
) -> Answer:
    """Review the requirements of a task; questions to people go through the inbox."""
    request = segment.request
    language = request.question.language or request.caller.language
    opened = await step("review.open", _now)
    emit(RunStarted(at=opened["at"], question=request.question, caller=request.caller.name))
    count = len(task.requirements)

    def see(at: float, evaluated: int, about: int | None, turn: ReviewTurn | None) -> None:
        emit(
            Reviewed(
                at=at or opened["at"],
                evaluated=evaluated,
                requirements=count,
                about=about,
                turn=turn,
            )
        )

    consulted = Consultations(ask, emit)
    operator = Operator(language, model=session.model if session else None)
    review = TeamReview(task, operator, consulted, step, see, at=opened["at"])
    outcome = await review.outcome()
    closed = await step("close", _now)
    answer = Answer(
        kind=AnswerKind.REVIEW,
        text=_summary(outcome, language),
        language=language,
        trace_id=segment.run_id,
        usage=Usage(elapsed_ms=round(review.spent * 1000, 3)),
        hitl=consulted.hitl,
        review=outcome,
    )
    emit(Answered(at=closed["at"], answer=answer))
    return answer


async def _now() -> Json:
    return {"at": time.time()}


def _summary(outcome: ReviewOutcome, language: str) -> str:
    found = outcome.requirements
    approved = sum(each.approved for each in found)
    return message(
        "team.reviewed",
        language,
        count=len(found),
        approved=approved,
        open=len(found) - approved,
        before=_mean([each.original_score for each in found]),
        after=_mean([each.score for each in found]),
    )


def _mean(scores: list[float | None]) -> str:
    known = [score for score in scores if score is not None]
    return f"{sum(known) / len(known):.2f}" if known else "-"
