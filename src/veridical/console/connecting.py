"""Connecting data: one after the other, in the background, each with its progress."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import monotonic
from urllib.parse import urlsplit

from veridical.console.form import Upload
from veridical.contracts.extras import MissingExtraError
from veridical.contracts.language import Language
from veridical.engines.data_file import DataFileError, parse_data_file
from veridical.messages import message
from veridical.onboarding.budget import Budget
from veridical.onboarding.connection import (
    Connected,
    Connection,
    connect,
    discard,
    disconnect,
    keep_files,
)
from veridical.onboarding.schemas import EmptySchemaError, with_counts
from veridical.ontology.errors import LoadError
from veridical.server.identity import Identity
from veridical.server.limited_work import LimitedWork
from veridical.server.problem import ProblemError
from veridical.server.services import Services
from veridical.server.tenants import change_scope, find_tenant
from veridical.store.audit import AuditAction, note
from veridical.store.connection import UnreachableError

_MOST_KEPT = 20
_log = logging.getLogger("veridical.console")


class Stage(StrEnum):
    """How far it is."""

    WAITING = "waiting"
    READING = "reading"
    COUNTING = "counting"
    STARTING = "starting"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class NewData:
    """What somebody wants to connect: files, or an address."""

    name: str
    files: Sequence[Upload] = ()
    address: str = field(default="", repr=False)
    schemas: Sequence[str] = ()

    @property
    def source(self) -> str:
        """What is shown of it: never a login, or what follows the path."""
        if self.files:
            return ", ".join(each.name for each in self.files)
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


@dataclass(slots=True)
class Attempt:
    """Data that is being connected, or was."""

    tenant: str
    data: NewData
    id: str = field(default_factory=lambda: token_hex(8))
    stage: Stage = Stage.WAITING
    done: int = 0
    tables: int = 0
    problem: str = ""
    is_closed: bool = False
    """True if the data is connected, but somebody must still open it to this tenant."""
    found: Connected | None = None
    begun: float = field(default_factory=monotonic)
    seconds: float = 0.0

    @property
    def is_over(self) -> bool:
        """True if nothing will change any more."""
        return self.stage in {Stage.DONE, Stage.FAILED}


class _RefusedError(Exception):
    """It can't be connected; the text says why."""


class Connections:
    """The attempts of this process."""

    def __init__(self, services: Services, limited: LimitedWork, closing: asyncio.Event) -> None:
        self._services = services
        self._limited = limited
        self._closing = closing
        self._attempts: OrderedDict[str, Attempt] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()

    def find(self, identity: Identity, attempt_id: str) -> Attempt | None:
        """The attempt of this tenant."""
        found = self._attempts.get(attempt_id)
        return found if found is not None and found.tenant == identity.tenant else None

    def begin(self, identity: Identity, data: NewData, home: Path, language: Language) -> Attempt:
        """Starts to connect this data to the settings of this folder."""
        attempt = Attempt(identity.tenant, data)
        self._attempts[attempt.id] = attempt
        while len(self._attempts) > _MOST_KEPT:
            self._attempts.popitem(last=False)
        task = asyncio.create_task(self._work(identity, attempt, home, language))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return attempt

    async def remove(self, identity: Identity, name: str, home: Path) -> bool:
        """Removes connected data. False for data that was set up otherwise."""
        async with self._one_at_a_time:
            if not await asyncio.to_thread(disconnect, home, name):
                return False
            await self._services.current.renew()
            await asyncio.to_thread(self._note, identity, AuditAction.DATA_REMOVED, name, "")
            return True

    async def _work(
        self, identity: Identity, attempt: Attempt, home: Path, language: Language
    ) -> None:
        try:
            async with self._one_at_a_time:
                await self._connected(identity, attempt, home, language)
            attempt.stage = Stage.DONE
        except EmptySchemaError as error:
            seen = with_counts(error.seen)
            attempt.problem = message("connect.choose_schemas", language, seen=seen)
        except (LoadError, DataFileError) as error:
            attempt.problem = error.message(language)
        except (_RefusedError, MissingExtraError) as error:
            attempt.problem = str(error)
        except ProblemError:
            attempt.problem = message("connect.busy", language)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            attempt.problem = message("connect.not_written", language, reason=reason)
        except Exception as error:  # its text may hold the address
            _log.error("connecting data failed: %s", type(error).__name__)
            attempt.problem = message("connect.failed", language)
        finally:
            attempt.stage = Stage.FAILED if attempt.problem else attempt.stage
            attempt.seconds = monotonic() - attempt.begun

    async def _connected(
        self, identity: Identity, attempt: Attempt, home: Path, language: Language
    ) -> None:
        data = attempt.data
        if data.name in self._services.runtime.features:
            raise _RefusedError(message("connect.name_taken", language, name=data.name))
        connection = Connection(home, data.name, data.address, data.schemas)
        try:
            if data.files:
                attempt.stage = Stage.READING
                connection = await self._kept(identity, data, home)
            attempt.stage = Stage.COUNTING

            def progress(done: int, tables: int) -> None:
                if self._closing.is_set():
                    raise _RefusedError(message("connect.stopped", language))
                attempt.done, attempt.tables = done, tables

            found = await asyncio.to_thread(connect, connection, Budget(), progress, language)
        except BaseException:
            await asyncio.to_thread(discard, connection.project)
            raise
        attempt.stage = Stage.STARTING
        current = self._services.current
        if not await current.renew():
            mistake = current.mistake
            await asyncio.to_thread(disconnect, home, data.name)
            await current.renew()
            if mistake is not None:
                raise mistake
            raise _RefusedError(message("connect.not_opened", language))
        attempt.is_closed = not await asyncio.to_thread(self._open_to, identity, data.name)
        await asyncio.to_thread(
            self._note, identity, AuditAction.DATA_CONNECTED, data.name, data.source
        )
        self._services.forget_credentials()
        attempt.found = found

    async def _kept(self, identity: Identity, data: NewData, home: Path) -> Connection:
        """The tables of the files; each file is parsed in a process of its own."""
        parsed = [
            await self._limited.run(identity, partial(parse_data_file, each.name, each.content))
            for each in data.files
        ]
        return await asyncio.to_thread(keep_files, home, data.name, parsed)

    def _open_to(self, identity: Identity, name: str) -> bool:
        """Opens the data to the tenant; False where only its operator may."""
        try:
            with self._services.store.operator() as connection:
                tenant = find_tenant(connection, identity.tenant)
                scope = tenant.scope if tenant is not None else {}
                change_scope(connection, identity.tenant, {**scope, name: {}}, actor=identity.name)
        except UnreachableError:
            return False
        return True

    def _note(self, identity: Identity, action: AuditAction, name: str, source: str) -> None:
        with self._services.store.tenant(identity.tenant) as connection:
            note(connection, identity.tenant, identity.name, action, name, {"source": source})
