"""The client of programs that await: the value of ``async with veridical.open(…)``."""

import asyncio
from collections.abc import Sequence

from veridical.answering.flow import answer
from veridical.client.access import Access, OnEvent
from veridical.contracts.answer import Answer, Source
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn, with_turn


class AsyncClient(Access):
    """Asks about opened data. One client serves any number of callers and questions at a time."""

    async def ask(
        self,
        question: str,
        *,
        feature: str = "",
        caller: Caller | None = None,
        language: Language | None = None,
        thread: Sequence[Turn] = (),
        on_event: OnEvent | None = None,
    ) -> Answer:
        """The verified answer to a question, or an honest reason why there is none.

        ``answer.ok`` distinguishes the two. Without a language, the answer is in the question's.
        ``thread`` is the conversation before. ``on_event`` is called with what happens on the way:
        ``ModelCalled``, ``ToolCalled``, ``Gated`` and others, and ``Progress`` with text as it is
        written, which the gate has not seen yet.
        """
        session = self._session(feature, caller, on_event)
        request = Question(
            text=question, feature=session.feature.name, language=language, thread=tuple(thread)
        )
        return await answer(request, session)

    async def run(self, checked: CheckedQuery, *, feature: str = "") -> Source:
        """The rows of a query that the check passed, with their receipt.

        Raises ``veridical.engines.EngineError``, whose text is safe to show.
        """
        outcome = await asyncio.to_thread(self._feature(feature).engine.run, checked)
        call = checked.call
        return Source(
            tool=call.tool,
            arguments=call.model_dump(mode="json", by_alias=True, exclude={"tool"}),
            columns=outcome.columns,
            rows=outcome.rows,
            receipt=outcome.receipt,
            warnings=checked.warnings,
        )

    def conversation(
        self,
        *,
        feature: str = "",
        caller: Caller | None = None,
        language: Language | None = None,
        thread: Sequence[Turn] = (),
    ) -> "AsyncConversation":
        """Questions that continue from each other: "and 2024?" after "What was the revenue?"."""
        return AsyncConversation(self, feature, caller, language, tuple(thread))


class AsyncConversation:
    """One question after another, each with those before it; one at a time."""

    def __init__(
        self,
        client: AsyncClient,
        feature: str,
        caller: Caller | None,
        language: Language | None,
        thread: tuple[Turn, ...],
    ) -> None:
        """Made by ``AsyncClient.conversation``."""
        self._client = client
        self._feature = feature
        self._caller = caller
        self._language = language
        self._thread = thread

    @property
    def thread(self) -> tuple[Turn, ...]:
        """The turns so far: with them, another conversation continues from here."""
        return self._thread

    async def ask(self, question: str, *, on_event: OnEvent | None = None) -> Answer:
        """The answer to the next question."""
        given = await self._client.ask(
            question,
            feature=self._feature,
            caller=self._caller,
            language=self._language,
            thread=self._thread,
            on_event=on_event,
        )
        self._thread = with_turn(self._thread, question, given.text)
        return given
