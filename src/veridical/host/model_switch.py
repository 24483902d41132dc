"""The model that answers in this process, chosen while it runs: kept in memory, and nowhere
else."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic import SecretStr

from veridical.agent.model_address import AllowedAddresses
from veridical.agent.settings import AgentSettings
from veridical.contracts.language import Language
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.runtime import Runtime

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from veridical.agent.model_trial import Trial


class Provider(StrEnum):
    """Who serves a model."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    OLLAMA = "ollama"
    COMPATIBLE = "openai-compatible"

    @property
    def has_address(self) -> bool:
        """Whether its address is entered. The others have a fixed one: a key from the process's
        environment must not be sent to an address that a user entered."""
        return self in {Provider.OLLAMA, Provider.COMPATIBLE}


class ModelOrigin(StrEnum):
    """Where the choice of the model comes from."""

    SETTINGS = "settings"
    CONSOLE = "console"
    OFF = "off"


class ChoiceProblem(StrEnum):
    """A problem of a choice."""

    NO_NAME = "no_name"
    NO_KEY = "no_key"
    NO_PRICE = "no_price"


class ChoiceRefusedError(Exception):
    """A choice that can't be used."""

    def __init__(self, problem: ChoiceProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The entered model settings."""

    provider: Provider
    name: str
    address: str = ""
    key: str = field(default="", repr=False)

    @property
    def model(self) -> str:
        """Its name in the settings."""
        return f"{self.provider}:{self.name}"


@dataclass(frozen=True, slots=True)
class ModelState:
    """The current model."""

    origin: ModelOrigin
    model: str = ""
    """Empty where there is none."""
    address: str = ""


class ModelSwitch:
    """Tries models out, and has one answer or none; the key of one is never given out again."""

    def __init__(self, current: CurrentRuntime, allowed: AllowedAddresses) -> None:
        self._current = current
        self._allowed = allowed
        self._origin = ModelOrigin.SETTINGS

    @property
    def state(self) -> ModelState:
        """The model for questions that come now."""
        now = self._current.now
        if now.model is None:
            return ModelState(self._origin)
        return ModelState(self._origin, now.settings.model, now.settings.base_url)

    @property
    def configured(self) -> str:
        """The model that the settings name; empty where they name none."""
        runtime = self._current.configured
        return "" if runtime.model is None else runtime.settings.model

    async def try_out(self, choice: ModelChoice, language: Language) -> "Trial":
        """The result of a trial question. Raises ``ChoiceRefusedError`` and
        ``AddressRefusedError``."""
        settings = await self._settings(choice)
        once = settings.model_copy(update={"max_retries": 0})
        async with self._opened(once) as model:
            from veridical.agent.model_trial import try_model

            return await try_model(model, language)

    async def try_current(self, language: Language) -> "Trial | None":
        """The same for the model that answers now; none where there is none."""
        model = self._current.now.model
        if model is None:
            return None
        from veridical.agent.model_trial import try_model

        return await try_model(model, language)

    async def use(self, choice: ModelChoice) -> None:
        """Use this model from now on. Raises like ``try_out``."""
        settings = await self._settings(choice)
        opened = AsyncExitStack()
        model = await opened.enter_async_context(self._opened(settings))

        def with_model(runtime: Runtime) -> Runtime:
            return replace(runtime, model=model, settings=_like(runtime, settings))

        self._current.change(with_model, opened)
        self._origin = ModelOrigin.CONSOLE

    def turn_off(self) -> None:
        """Answer without a model."""
        self._current.change(lambda runtime: replace(runtime, model=None))
        self._origin = ModelOrigin.OFF

    def as_configured(self) -> None:
        """Use the model of the settings."""
        self._current.change()
        self._origin = ModelOrigin.SETTINGS

    async def _settings(self, choice: ModelChoice) -> AgentSettings:
        if not choice.name:
            raise ChoiceRefusedError(ChoiceProblem.NO_NAME)
        if choice.provider.has_address:
            await self._allowed.check(choice.address)
        elif not choice.key:
            raise ChoiceRefusedError(ChoiceProblem.NO_KEY)
        chosen = self._current.configured.settings.model_copy(
            update={
                "model": choice.model,
                "base_url": choice.address if choice.provider.has_address else "",
                "api_key": SecretStr(choice.key) if choice.key else None,
            }
        )
        if chosen.budget.cost is not None and chosen.price is None:
            raise ChoiceRefusedError(ChoiceProblem.NO_PRICE)
        return chosen

    @asynccontextmanager
    async def _opened(self, settings: AgentSettings) -> "AsyncGenerator[Model]":
        from veridical.agent.model_address import guarded_client
        from veridical.agent.provider import open_model

        async with open_model(settings, guarded_client(self._allowed)) as model:
            yield model


def _like(runtime: Runtime, chosen: AgentSettings) -> AgentSettings:
    """The settings of this runtime, which may have been read again, with the chosen model."""
    names = ("model", "base_url", "api_key")
    return runtime.settings.model_copy(update={name: getattr(chosen, name) for name in names})
