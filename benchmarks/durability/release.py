"""The next release of the code: its flow has another step before all others."""

import asyncio

from benchmarks.durability.session import Book
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer
from veridical.contracts.question import Question
from veridical.contracts.step import Json, Step, directly
from veridical.runs import workflow

NEW_STEP = "greet"


def become_next_release(book: Book) -> None:
    """Let this process run the changed flow; runs of the release before come in too."""

    async def greet() -> Json:
        await asyncio.to_thread(book)
        return {}

    async def changed(
        question: Question, session: Session, step: Step = directly, trace_id: str = ""
    ) -> Answer:
        await step(NEW_STEP, greet)
        return await answer(question, session, step, trace_id)

    workflow.answer = changed
