"""The crew: a few processes for heavy work, each ended and replaced when its time is over."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf

from veridical.server.crew.duties import Asker, Duty
from veridical.server.crew.equipment import Equipment
from veridical.server.crew.frame import Outcome
from veridical.server.crew.member import Member
from veridical.server.crew.mould import Template
from veridical.server.crew.template import END, START
from veridical.server.crew.turns import Turns
from veridical.server.faults import faults_of
from veridical.server.plain import written
from veridical.server.problem import ProblemCode, ProblemError

_A_MOMENT = 1.0

_log = logging.getLogger("veridical.crew")


@dataclass(frozen=True, slots=True)
class Means:
    """What a crew has."""

    processes: int = 2
    seconds: float = 5.0
    """For one piece of work."""
    megabytes: int = 256
    """For one process, beyond what it begins with."""

    @property
    def share(self) -> int:
        """Of one tenant at once: there is always a process for another one, where there are two."""
        return max(1, self.processes - 1)


class Crew:
    """Does heavy work for all tenants in turn, outside this process."""

    def __init__(self, equipment: Equipment, means: Means) -> None:
        self._equipment = equipment
        self._means = means
        self._turns = Turns(means.processes, means.share)
        self._idle: list[Member] = []
        self._template: Template | None = None
        self._one_at_a_time = asyncio.Lock()
        self._retiring: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Works while the block runs; whatever is being done at its end is ended.

        It takes a while to load. Nobody waits for that but those who need it at once.
        """
        self._template = self._made()
        loading = asyncio.create_task(self._fill())
        try:
            yield
        finally:
            loading.cancel()
            with suppress(asyncio.CancelledError):
                await loading
            await self.end()

    async def equip(self, equipment: Equipment) -> None:
        """Work with this as soon as it is loaded; what is being done is finished with the old."""
        self._equipment = equipment
        if self._template is None:
            return
        fresh, members = self._made(), list[Member]()
        try:
            while len(members) < self._means.processes:
                members.append(await self._made_by(fresh))
        except (OSError, TimeoutError) as error:
            _log.warning("no process can be made: %s", error)
        if self._is_over():  # meanwhile: nobody would end the new one
            await fresh.end()
            return
        replaced, self._template = self._template, fresh
        idle, self._idle = self._idle, members
        for member in idle:
            await member.close()
        retiring = asyncio.create_task(self._retire(replaced))
        self._retiring.add(retiring)
        retiring.add_done_callback(self._retiring.discard)

    def _is_over(self) -> bool:
        return self._template is None

    async def _retire(self, replaced: Template) -> None:
        try:
            await asyncio.sleep(self._means.seconds)  # nothing that was begun takes longer
        finally:
            await replaced.end()

    async def end(self) -> None:
        """End every process at once, whatever it does; there is no more work after that."""
        template, self._template = self._template, None
        for retiring in self._retiring:
            retiring.cancel()
        await asyncio.gather(*self._retiring, return_exceptions=True)
        if template is not None:
            await template.end()
        for member in self._idle:
            await member.close()
        self._idle.clear()

    async def do(
        self, duty: Duty, tenant: str, asker: Asker, body: bytes, most_seconds: float = inf
    ) -> bytes:
        """What comes of a piece of work. Raises ``ProblemError``, also when it takes too long."""
        request = b"\n".join((written(asker), body))
        seconds = min(self._means.seconds, most_seconds)
        async with self._turns.one(tenant):
            outcome, told = await self._done(duty, request, seconds)
        if outcome is Outcome.INVALID:
            faults = faults_of(json.loads(told), asker.language)
            raise ProblemError(ProblemCode.INVALID, faults=faults)
        if outcome is Outcome.UNKNOWN_FEATURE:
            known = ", ".join(sorted(asker.scopes)) or "-"
            raise ProblemError(ProblemCode.FEATURE_NOT_FOUND, known=known)
        if outcome is Outcome.TOO_LARGE:
            raise _too_much(seconds)
        if outcome is Outcome.BROKE:
            raise ProblemError(ProblemCode.INTERNAL)
        return told

    async def _done(self, duty: Duty, request: bytes, seconds: float) -> tuple[Outcome, bytes]:
        member = await self._member()
        try:
            async with asyncio.timeout(seconds):
                return await member.do(duty, request)
        except TimeoutError as error:
            _log.warning("a piece of work took more than %g s", seconds)
            raise _too_much(seconds) from error
        except (EOFError, OSError) as error:
            if self._template is None:
                raise ProblemError(ProblemCode.CLOSING, retry_after=_A_MOMENT) from error
            _log.warning("a process ended in the middle of its work")
            raise _too_much(seconds) from error
        finally:
            await asyncio.shield(self._put_back(member))

    async def _member(self) -> Member:
        try:
            return self._idle.pop() if self._idle else await self._new()
        except (OSError, TimeoutError) as error:
            _log.warning("no process can be made: %s", error)
            raise ProblemError(ProblemCode.UNAVAILABLE, retry_after=_A_MOMENT) from error

    async def _fill(self) -> None:
        try:
            while len(self._idle) < self._means.processes:
                self._idle.append(await self._new())
        except (OSError, TimeoutError) as error:
            _log.warning("no process can be made: %s", error)

    async def _put_back(self, member: Member) -> None:
        is_current = member.template is self._template
        if is_current and not member.is_spent and len(self._idle) < self._means.processes:
            self._idle.append(member)
            return
        await member.close()
        if self._template is not None:
            with suppress(OSError):  # what is gone has ended all that it made
                await member.template.order(END, member.number)

    def _made(self) -> Template:
        return Template(self._equipment, self._means.seconds, self._means.megabytes)

    async def _new(self) -> Member:
        async with self._one_at_a_time:
            template = self._template
            if template is None:
                raise ProblemError(ProblemCode.CLOSING, retry_after=_A_MOMENT)
            if not template.is_alive:
                _log.warning("the crew's template is gone: a new one is started")
                gone, template = template, self._made()
                self._template = template  # before anything waits, so that it is ended with all
                await gone.end()
        return await self._made_by(template)

    @staticmethod
    async def _made_by(template: Template) -> Member:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                number = await template.order(START, 0, theirs)
            return await Member.at(ours, number, template)
        except BaseException:
            ours.close()
            raise


def _too_much(seconds: float) -> ProblemError:
    return ProblemError(ProblemCode.TOO_MUCH_WORK, seconds=f"{seconds:g}")
