"""Opens the configured model: any provider, or any server with a compatible API.

A provider's client takes a second or two to load: only the one of the settings is.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import StrEnum
from importlib import import_module

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from veridical.agent.settings import AgentSettings
from veridical.contracts.language import Language
from veridical.messages import message

_OLLAMA_HERE = "http://localhost:11434/v1"
_NO_KEY = "none"
"""The key for a server that needs none; the client refuses an empty one."""


class ModelProblem(StrEnum):
    """The missing setting."""

    NO_MODEL = "no_model"
    NO_KEY = "no_key"
    NO_ADDRESS = "no_address"


class ModelNotConfiguredError(Exception):
    """The settings name no model that can be reached."""

    def __init__(self, problem: ModelProblem, model: str) -> None:
        super().__init__(f"{problem}: {model!r}")
        self.problem = problem
        self.model = model

    def message(self, language: Language) -> str:
        """The setting to add, in words for the operator."""
        return message(f"agent.{self.problem}", language, model=self.model)


@asynccontextmanager
async def open_model(
    settings: AgentSettings, http: httpx2.AsyncClient | None = None
) -> AsyncGenerator[Model]:
    """The model of these settings, whose connections are closed when the block ends; over this
    client if there is one, which is closed too.

    Raises ``ModelNotConfiguredError``.
    """
    kind, _, name = settings.model.partition(":")
    used = _model_settings(settings)
    match kind if name else "":
        case "anthropic":
            key = _key(settings, "ANTHROPIC_API_KEY")
            await _load("anthropic_model")
            from veridical.agent import anthropic_model

            async with anthropic_model.client(settings, key, http) as client:
                yield anthropic_model.opened(name, client, used)
        case "openai" | "ollama" | "openai-compatible":
            if kind == "openai-compatible" and not settings.base_url:
                raise ModelNotConfiguredError(ModelProblem.NO_ADDRESS, settings.model)
            key = _key(settings, "OPENAI_API_KEY") if kind == "openai" else _NO_KEY
            await _load("openai_model")
            from veridical.agent import openai_model

            here = _OLLAMA_HERE if kind == "ollama" else ""
            async with openai_model.client(settings, key, http, here) as client:
                yield openai_model.opened(kind, name, client, used)
        case _:
            raise ModelNotConfiguredError(ModelProblem.NO_MODEL, settings.model)


async def _load(name: str) -> None:
    """In a thread: whatever else is served goes on."""
    await asyncio.to_thread(import_module, f"veridical.agent.{name}")


def _key(settings: AgentSettings, variable: str) -> str:
    """The key that was set. A provider that needs one gets no request without it."""
    key = settings.api_key.get_secret_value() if settings.api_key else os.environ.get(variable, "")
    if not key:
        raise ModelNotConfiguredError(ModelProblem.NO_KEY, settings.model)
    return key


def _model_settings(settings: AgentSettings) -> ModelSettings:
    model_settings = ModelSettings(max_tokens=settings.max_output_tokens)
    if settings.ends_with_tool:
        # Forced to call, a small model writes call after call and sees no result in between.
        model_settings["parallel_tool_calls"] = False
    if settings.temperature is not None:
        model_settings["temperature"] = settings.temperature
    return model_settings
