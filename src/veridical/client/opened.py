"""``veridical.open``: data, model and gate opened for a program, closed when its block ends."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pydantic_ai.models import Model

from veridical.client.async_client import AsyncClient
from veridical.client.blocking_client import Client, LoopThread
from veridical.contracts.caller import Caller
from veridical.contracts.schema import Schema
from veridical.contracts.settings_file import SETTINGS_FILE, UnknownSettingError
from veridical.contracts.tool import OutsideTool
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.runtime import Runtime, open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings, read_runtime_settings
from veridical.ontology.errors import LoadError
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.sample.folder import sample_folder
from veridical.sample.settings import sampled, sampling_callers

Settings = str | PathLike[str] | RuntimeSettings
_BARE = "data"
"""The feature of a database that no pack knows."""


def client_settings(
    given: Settings | None, pack: str | Pack | None, database: str, role: str | None, model: str
) -> RuntimeSettings:
    """The given settings, else those of ``veridical.toml`` and the environment; one feature where
    a pack or a database is named. Raises ``LoadError``."""
    settings = given if isinstance(given, RuntimeSettings) else _read(given)
    if model:
        agent = settings.agent.model_copy(update={"model": model})
        settings = replace(settings, agent=agent)
    if pack is None and not database:
        return settings
    return _on_one(settings, pack or _without_ontology(), database, role)


def _read(given: str | PathLike[str] | None) -> RuntimeSettings:
    """The settings of a file; one that was named must be there."""
    path = SETTINGS_FILE if given is None else Path(fspath(given))
    if given is not None and not path.is_file():
        raise SetupError(SetupProblem.NO_SETTINGS_FILE, path=str(path))
    try:
        return read_runtime_settings(path)
    except UnknownSettingError as error:
        raise LoadError(str(error)) from error


def _on_one(
    settings: RuntimeSettings, pack: str | Pack, database: str, role: str | None
) -> RuntimeSettings:
    """The settings with one feature: on the database that was named, else where they have it."""
    name = pack.name if isinstance(pack, Pack) else pack
    packs = {**settings.packs, name: pack} if isinstance(pack, Pack) else settings.packs
    known = next((each for each in settings.features if each.name == name), None)
    if database:
        known = FeatureSettings(name=name, database=database)
    if known is None:
        raise SetupError(SetupProblem.UNNAMED_DATABASE, feature=name)
    if role is not None:
        known = known.model_copy(update={"role": role})
    return replace(settings, features=(known,), packs=packs)


def _without_ontology() -> Pack:
    """The pack of data without a description: only its names and types are known."""
    return Pack(_BARE, OntologyDescriptor(feature_code=_BARE), Schema.of(()))


def open(
    settings: Settings | None = None,
    *,
    pack: str | Pack | None = None,
    database: str = "",
    role: str | None = None,
    model: str | Model | None = None,
    caller: Caller | None = None,
    tools: Iterable[OutsideTool] = (),
) -> "ClientContext":
    """Opens data for questions: ``async with veridical.open("veridical.toml") as client``.

    With ``async with`` the block gets an ``AsyncClient``, with ``with`` a ``Client`` that waits.
    Settings are a file or a ``RuntimeSettings``; without any, ``veridical.toml`` is read where
    there is one. A ``pack`` (its name, or a ``Pack`` of one's own) and a ``database`` name the data
    directly: an address, a database file, a data file or a folder of them, or ``sample`` for the
    pack's sample data. Of a database without a pack, names and types alone are known. A ``model``
    is named as in the settings, or is one of Pydantic AI. The ``caller`` is the default for calls
    that name none; data with tenants needs one. The ``tools`` are offered beside the built-in ones.

    Raises ``LoadError`` where a setting is wrong, here or on entering the block.
    """
    named = model if isinstance(model, str) else ""
    ready = client_settings(settings, pack, database, role, named)
    ready = replace(ready, tools=(*ready.tools, *tools))
    return ClientContext(ready, model if isinstance(model, Model) else None, caller)


class ClientContext:
    """The result of ``veridical.open``: opens on entering a ``with`` or ``async with`` block."""

    def __init__(
        self, settings: RuntimeSettings, model: Model | None, caller: Caller | None
    ) -> None:
        """Made by ``veridical.open``."""
        self._settings = settings
        self._model = model
        self._caller = caller
        self._entered = AsyncExitStack()
        self._blocking = ExitStack()

    if not TYPE_CHECKING:  # a type checker reports an unknown name by itself

        def __getattr__(self, name: str) -> NoReturn:
            if hasattr(Client, name):
                raise AttributeError(
                    f"not open yet: `with veridical.open(…) as client:` has {name!r}"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    async def __aenter__(self) -> AsyncClient:
        return AsyncClient(*await self._entered.enter_async_context(self._opened()))

    async def __aexit__(self, *_: object) -> None:
        await self._entered.aclose()

    def __enter__(self) -> Client:
        with ExitStack() as stack:
            loop = stack.enter_context(LoopThread())
            runtime, callers = loop.run(self._entered.enter_async_context(self._opened()))
            stack.callback(lambda: loop.run(self._entered.aclose()))
            self._blocking = stack.pop_all()
        return Client(runtime, callers, loop)

    def __exit__(self, *_: object) -> None:
        self._blocking.close()

    @asynccontextmanager
    async def _opened(self) -> AsyncGenerator[tuple[Runtime, Mapping[str, Caller]]]:
        """The runtime, with a local PostgreSQL for sample data; callers by feature."""
        settings = self._settings
        if self._model is not None:
            agent = settings.agent.model_copy(update={"model": ""})
            settings = replace(settings, agent=agent)
        callers = dict(sampling_callers(settings))
        if self._caller is not None:
            callers = {each.name: self._caller for each in settings.features}
        with sampled(settings, sample_folder()) as ready:
            async with open_runtime(ready) as runtime:
                if self._model is not None:
                    runtime = replace(runtime, model=self._model)
                yield runtime, callers
