"""Gates and checks for callers: each in its place, done by a process that can be ended."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Request
from prometheus_client import Gauge

from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.host.current import CurrentRuntime
from veridical.host.runtime import Runtime
from veridical.server.crew.crew import Crew, Means
from veridical.server.crew.duties import Asker, Duty, GateNote, ProbedCall
from veridical.server.crew.equipment import Equipment
from veridical.server.identity import Identity
from veridical.server.interceptions import Interceptions
from veridical.server.places import Places
from veridical.server.plain import written
from veridical.server.settings import ServerSettings
from veridical.tools.tables import METRIC_TOOL, TABLE_TOOLS

_PROBE_SECONDS = 1.0
"""What is probed is checked once more in this process: it must not take long."""
_HARMLESS = 300
"""Characters of arguments whose check can't take long."""
_PROBED = frozenset({*TABLE_TOOLS, METRIC_TOOL})


class Works:
    """What is heavy, for whoever may ask for it."""

    def __init__(
        self,
        current: CurrentRuntime,
        settings: ServerSettings,
        gauge: Gauge,
        interceptions: Interceptions,
    ) -> None:
        self._current = current
        self._interceptions = interceptions
        means = Means(settings.processes, settings.work_seconds, settings.work_megabytes)
        self._crew = Crew(_equipment(current.now), means)
        self._places = Places(settings.most_works, gauge, settings.tenant_works)
        current.on_renewal(self._renewed)

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Works while the block runs."""
        async with self._crew.at_work():
            yield

    async def end(self) -> None:
        """End what is being worked on: a server that is to stop waits for none of it."""
        await self._crew.end()

    async def _renewed(self, runtime: Runtime) -> None:
        await self._crew.equip(_equipment(runtime))

    async def gate(self, identity: Identity, language: Language, body: bytes) -> bytes:
        """The proof of an answer, as JSON. Raises ``ProblemError``."""
        with self._places.one(identity):
            asker = Asker(language=language)
            told = await self._crew.do(Duty.GATE, identity.tenant, asker, body)
        head, _, proof = told.partition(b"\n")
        note = GateNote.model_validate_json(head)
        self._interceptions.note(
            note.in_short, note.language, note.seconds, identity.tenant, note.proof_id
        )
        return proof

    async def check(self, identity: Identity, language: Language, body: bytes) -> bytes:
        """The verdict on a call, as JSON. Raises ``ProblemError``."""
        with self._places.one(identity):
            asker = self._asker(identity, language)
            return await self._crew.do(Duty.CHECK, identity.tenant, asker, body)

    async def probe(
        self,
        identity: Identity,
        feature: str,
        tool: str,
        caller: Caller,
        arguments: dict[str, Any],
        question: str,
    ) -> None:
        """Find out whether the check of a call comes to an end. Raises ``ProblemError``."""
        if tool not in _PROBED or len(json.dumps(arguments)) <= _HARMLESS:
            return
        asked = ProbedCall(feature=feature, tool=tool, arguments=arguments, question=question)
        with self._places.one(identity):
            asker = self._asker(identity, caller.language)
            tenant = identity.tenant
            await self._crew.do(Duty.PROBE, tenant, asker, written(asked), _PROBE_SECONDS)

    def _asker(self, identity: Identity, language: Language) -> Asker:
        known = identity.scope.keys() & self._current.now.features.keys()
        shared = self._current.now.shared_tables
        return Asker(
            language=language,
            name=identity.name,
            scopes={name: {**identity.scope[name]} for name in known},
            shared={name: tuple(shared.get(name, ())) for name in known},
        )


def _equipment(runtime: Runtime) -> Equipment:
    """What a crew takes along from this runtime: checkers that remember nothing yet."""
    checkers = {name: replace(feature.checker) for name, feature in runtime.features.items()}
    return Equipment(checkers, runtime.policy)


async def works_of(request: Request) -> Works:
    """Where the application that got this request has heavy work done."""
    return request.app.state.works


WorksHere = Annotated[Works, Depends(works_of)]
