"""The work of gate, facts and check endpoints: limited in number, run in the process pool."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Request

from veridical.contracts.call import METRIC_TOOL, TABLE_TOOLS
from veridical.contracts.caller import Caller
from veridical.contracts.facts_answer import StatedAnswer
from veridical.contracts.language import Language
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.runtime import Runtime
from veridical.server.body_types import written
from veridical.server.fact_tasks import SourcedFacts
from veridical.server.identity import Identity
from veridical.server.limits import ConcurrencyLimit
from veridical.server.metrics import Interceptions
from veridical.server.process_pool import PoolLimits, ProcessPool
from veridical.server.settings import ServerSettings
from veridical.server.tasks import GateNote, ProbedCall, Task, TaskCaller, TaskContext

_PROBE_SECONDS = 1.0
"""Seconds for a probe: the same check runs again in this process and must not take long."""
_HARMLESS = 300
"""Characters of arguments whose check can't take long."""
_PROBED = frozenset({*TABLE_TOOLS, METRIC_TOOL})


class Verification:
    """Runs gates, facts and checks for entitled callers."""

    def __init__(
        self,
        current: CurrentRuntime,
        settings: ServerSettings,
        limit: ConcurrencyLimit,
        interceptions: Interceptions,
    ) -> None:
        self._current = current
        self._interceptions = interceptions
        limits = PoolLimits(settings.processes, settings.work_seconds, settings.work_megabytes)
        self._pool = ProcessPool(_context(current.now), limits)
        self._limit = limit
        current.on_renewal(self._renewed)

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """The pool runs while the block does."""
        async with self._pool.at_work():
            yield

    async def end(self) -> None:
        """Kill running tasks: a server that is stopping does not wait for them."""
        await self._pool.end()

    async def _renewed(self, runtime: Runtime) -> None:
        await self._pool.replace_context(_context(runtime))

    async def gate(self, identity: Identity, language: Language, body: bytes) -> bytes:
        """The proof of an answer, as JSON. Raises ``ProblemError``."""
        with self._limit.slot(identity):
            asker = TaskCaller(language=language)
            reply = await self._pool.do(Task.GATE, identity.tenant, asker, body)
        head, _, proof = reply.partition(b"\n")
        note = GateNote.model_validate_json(head)
        self._interceptions.note(
            note.in_short, note.language, note.seconds, identity.tenant, note.proof_id
        )
        return proof

    async def check(self, identity: Identity, language: Language, body: bytes) -> bytes:
        """The verdict on a call, as JSON. Raises ``ProblemError``."""
        with self._limit.slot(identity):
            asker = self._asker(identity, language)
            return await self._pool.do(Task.CHECK, identity.tenant, asker, body)

    async def facts(self, identity: Identity, language: Language, body: bytes) -> bytes:
        """An answer in facts over the evidence sent with it, as JSON. Raises ``ProblemError``."""
        with self._limit.slot(identity):
            asker = TaskCaller(language=language)
            return await self._pool.do(Task.FACTS, identity.tenant, asker, body)

    async def state(self, identity: Identity, _: Runtime, request: SourcedFacts) -> StatedAnswer:
        """The same over results of this server, which keep the meaning of their columns."""
        with self._limit.slot(identity):
            asker = TaskCaller(language=request.language)
            reply = await self._pool.do(Task.STATE, identity.tenant, asker, written(request))
        return StatedAnswer.model_validate_json(reply)

    async def probe(
        self,
        identity: Identity,
        feature: str,
        tool: str,
        caller: Caller,
        arguments: dict[str, Any],
        question: str,
    ) -> None:
        """Find out whether checking a call terminates in time. Raises ``ProblemError``."""
        if tool not in _PROBED or len(json.dumps(arguments)) <= _HARMLESS:
            return
        request = ProbedCall(feature=feature, tool=tool, arguments=arguments, question=question)
        with self._limit.slot(identity):
            asker = self._asker(identity, caller.language)
            tenant = identity.tenant
            await self._pool.do(Task.PROBE, tenant, asker, written(request), _PROBE_SECONDS)

    def _asker(self, identity: Identity, language: Language) -> TaskCaller:
        known = identity.scope.keys() & self._current.now.features.keys()
        shared = self._current.now.shared_tables
        return TaskCaller(
            language=language,
            name=identity.name,
            scopes={name: {**identity.scope[name]} for name in known},
            shared={name: tuple(shared.get(name, ())) for name in known},
        )


def _context(runtime: Runtime) -> TaskContext:
    """The task context of this runtime: checkers with empty caches."""
    checkers = {name: replace(feature.checker) for name, feature in runtime.features.items()}
    meanings = {name: feature.meaning for name, feature in runtime.features.items()}
    return TaskContext(checkers, runtime.policy, meanings)


async def verification_of(request: Request) -> Verification:
    """The verification service of the application that received this request."""
    return request.app.state.verification


VerificationDep = Annotated[Verification, Depends(verification_of)]
