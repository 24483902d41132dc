"""The current runtime of a long-lived process, replaceable while it runs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller
from veridical.host.runtime import Runtime
from veridical.ontology.errors import LoadError

_log = logging.getLogger("veridical.host")

Reopen = Callable[[], AbstractAsyncContextManager[Runtime]]
Renewed = Callable[[Runtime], Awaitable[None]]
Change = Callable[[Runtime], Runtime]


def _as_opened(runtime: Runtime) -> Runtime:
    """The runtime without a change."""
    return runtime


class CurrentRuntime:
    """The runtime for requests that start now; a request keeps the one it started with."""

    def __init__(
        self, runtime: Runtime, reopen: Reopen | None = None, drain_seconds: float = 0.0
    ) -> None:
        """``reopen`` reads everything again; what it opened is closed with this runtime.

        A replaced runtime stays open for ``drain_seconds``, for the requests that started with it.
        """
        self._configured = self._runtime = runtime
        self._change: Change = _as_opened
        self._changed = AsyncExitStack()
        self._reopen = reopen
        self._drain_seconds = drain_seconds
        self._opened = AsyncExitStack()
        self._draining: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        self._telling = asyncio.Lock()
        self._renewed: list[Renewed] = []
        self._failed = False
        self._mistake: LoadError | None = None

    @property
    def now(self) -> Runtime:
        """The runtime for a request that starts now."""
        return self._runtime

    @property
    def configured(self) -> Runtime:
        """The runtime of the settings, without later changes."""
        return self._configured

    @property
    def is_outdated(self) -> bool:
        """Whether the last reload failed, so that an earlier state is served."""
        return self._failed

    @property
    def mistake(self) -> LoadError | None:
        """The mistake in a file that the last reload failed for, if it was one."""
        return self._mistake

    @property
    def files(self) -> tuple[Path, ...]:
        """The ontology files of the runtime that is served."""
        return self._runtime.files

    def session(self, feature: str, caller: Caller, emit: Emit) -> Session:
        """The session that answers this caller's questions. Raises ``SetupError``."""
        return self._runtime.session(feature, caller, emit)

    def on_renewal(self, renewed: Renewed) -> None:
        """Call this with every new runtime."""
        self._renewed.append(renewed)

    async def renew(self) -> bool:
        """Reload everything, call who asked for every new runtime, and log that it is in use."""
        if not await self.reload():
            return False
        runtime = self._configured
        async with self._telling:
            for renewed in self._renewed:
                if runtime is self._configured:  # else a newer one follows
                    await renewed(runtime)
        hashes = {name: each.ontology_hash or "-" for name, each in runtime.features.items()}
        features = ", ".join(f"{name} (ontology {hashes[name]})" for name in sorted(hashes))
        _log.info("reloaded: %s", features)
        return True

    async def reload(self) -> bool:
        """Reload everything. If that fails, the runtime stays, and the log says why."""
        if self._reopen is None:
            return False
        async with self._one_at_a_time:
            opened = AsyncExitStack()
            try:
                runtime = await opened.enter_async_context(self._reopen())
            except (LoadError, ValueError) as error:  # a mistake in a settings or ontology file
                _log.error("nothing was reloaded: %s", error)
                self._failed = True
                self._mistake = error if isinstance(error, LoadError) else None
                return False
            except Exception:
                _log.exception("nothing was reloaded")
                self._failed = True
                return False
            self._failed, self._mistake = False, None
            replaced, self._opened = self._opened, opened
            self._configured, self._runtime = runtime, self._change(runtime)
            self._drain(replaced)
        return True

    def change(self, change: Change = _as_opened, opened: AsyncExitStack | None = None) -> None:
        """Serve with this change from now on, also after a reload; with none, as the settings say.
        What was opened for it is closed with the next change."""
        replaced, self._changed = self._changed, opened or AsyncExitStack()
        self._change = change
        self._runtime = change(self._configured)
        self._drain(replaced)

    async def close(self) -> None:
        """Close what was opened here, at once."""
        for task in tuple(self._draining):
            task.cancel()
        await asyncio.gather(*self._draining, return_exceptions=True)
        await self._changed.aclose()
        await self._opened.aclose()

    def _drain(self, replaced: AsyncExitStack) -> None:
        async def close_later() -> None:
            try:
                await asyncio.sleep(self._drain_seconds)
            finally:
                await replaced.aclose()

        task = asyncio.create_task(close_later())
        self._draining.add(task)
        task.add_done_callback(self._draining.discard)
