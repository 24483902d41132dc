"""The client of programs that do not await: the value of ``with veridical.open(…)``."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from threading import Thread, current_thread
from typing import Any, Self, TypeVar

from veridical.client.access import Access, OnEvent
from veridical.client.async_client import AsyncClient, AsyncConversation
from veridical.contracts.answer import Answer, Source
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.question import Turn
from veridical.host.runtime import Runtime

T = TypeVar("T")


class LoopThread:
    """Runs coroutines for any number of threads, each of which waits for its own.

    The caller's thread may have a running loop of its own, as in a notebook: it waits all the same.
    """

    def __init__(self) -> None:
        self._ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = Thread(target=self._serve, name="veridical", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.result()
        return self

    def __exit__(self, *_: object) -> None:
        """Cancels what still runs and waits until it has ended."""
        loop, stop = self._ready.result()
        loop.call_soon_threadsafe(stop.set)
        self._thread.join()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. Interrupted by Ctrl+C, it is cancelled."""
        if current_thread() is self._thread or not self._thread.is_alive():
            work.close()
            raise RuntimeError(_WITHIN if self._thread.is_alive() else _CLOSED)
        loop, _ = self._ready.result()
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _serve(self) -> None:
        async def until_stopped() -> None:
            stop = asyncio.Event()
            self._ready.set_result((asyncio.get_running_loop(), stop))
            await stop.wait()

        asyncio.run(until_stopped())


_CLOSED = "the client is closed: use it inside of `with veridical.open(…) as client:`"
_WITHIN = (
    "a blocking call from within an event of the same client would wait for itself: "
    "use `async with veridical.open(…) as client:` and `await` instead"
)


class Client(Access):
    """Asks about opened data and waits for the answer. Any number of threads may share one."""

    def __init__(self, runtime: Runtime, callers: Mapping[str, Caller], loop: LoopThread) -> None:
        """Made by ``veridical.open``.

        The callers are by feature.
        """
        super().__init__(runtime, callers)
        self._client = AsyncClient(runtime, callers)
        self._loop = loop

    def ask(
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
        written, which the gate has not seen yet. It is called in the client's own thread.
        """
        return self._loop.run(
            self._client.ask(
                question,
                feature=feature,
                caller=caller,
                language=language,
                thread=thread,
                on_event=on_event,
            )
        )

    def run(self, checked: CheckedQuery, *, feature: str = "") -> Source:
        """The rows of a query that the check passed, with their receipt.

        Raises ``veridical.engines.EngineError``, whose text is safe to show.
        """
        return self._loop.run(self._client.run(checked, feature=feature))

    def conversation(
        self,
        *,
        feature: str = "",
        caller: Caller | None = None,
        language: Language | None = None,
        thread: Sequence[Turn] = (),
    ) -> "Conversation":
        """Questions that continue from each other: "and 2024?" after "What was the revenue?"."""
        talk = self._client.conversation(
            feature=feature, caller=caller, language=language, thread=thread
        )
        return Conversation(talk, self._loop)


class Conversation:
    """One question after another, each with those before it; one at a time."""

    def __init__(self, talk: AsyncConversation, loop: LoopThread) -> None:
        """Made by ``Client.conversation``."""
        self._talk = talk
        self._loop = loop

    @property
    def thread(self) -> tuple[Turn, ...]:
        """The turns so far: with them, another conversation continues from here."""
        return self._talk.thread

    def ask(self, question: str, *, on_event: OnEvent | None = None) -> Answer:
        """The answer to the next question."""
        return self._loop.run(self._talk.ask(question, on_event=on_event))
