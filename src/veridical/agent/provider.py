"""Opens the configured model: any provider, or any server with a compatible API."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import StrEnum

import anthropic
import httpx2
import openai
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from veridical.agent.settings import AgentSettings
from veridical.contracts.language import Language
from veridical.messages import message

_CONNECT_SECONDS = 5.0
_OLLAMA_HERE = "http://localhost:11434/v1"
_NO_KEY = "none"
"""The key for a server that needs none; the client refuses an empty one."""
_FINISH_REQUIRED = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
"""A stream without an end was cut: half a figure must not pass for an answer."""


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
    model_settings = _model_settings(settings)
    match kind if name else "":
        case "openai":
            async with _openai_client(settings, _key(settings, "OPENAI_API_KEY"), http) as client:
                yield OpenAIResponsesModel(
                    name, provider=OpenAIProvider(openai_client=client), settings=model_settings
                )
        case "anthropic":
            async with _anthropic_client(
                settings, _key(settings, "ANTHROPIC_API_KEY"), http
            ) as client:
                provider = AnthropicProvider(anthropic_client=client)
                model_settings["cache"] = True
                yield AnthropicModel(name, provider=provider, settings=model_settings)
        case "ollama":
            async with _openai_client(settings, _NO_KEY, http, _OLLAMA_HERE) as client:
                provider = OllamaProvider(openai_client=client)
                yield OllamaModel(
                    name, provider=provider, profile=_FINISH_REQUIRED, settings=model_settings
                )
        case "openai-compatible":
            if not settings.base_url:
                raise ModelNotConfiguredError(ModelProblem.NO_ADDRESS, settings.model)
            async with _openai_client(settings, _NO_KEY, http) as client:
                provider = OpenAIProvider(openai_client=client)
                yield OpenAIChatModel(
                    name, provider=provider, profile=_FINISH_REQUIRED, settings=model_settings
                )
        case _:
            raise ModelNotConfiguredError(ModelProblem.NO_MODEL, settings.model)


def _openai_client(
    settings: AgentSettings, key: str, http: httpx2.AsyncClient | None, address: str = ""
) -> openai.AsyncOpenAI:
    seconds = settings.timeout_seconds
    return openai.AsyncOpenAI(
        api_key=settings.api_key.get_secret_value() if settings.api_key else key,
        base_url=settings.base_url or address or None,
        timeout=openai.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
        max_retries=settings.max_retries,
        http_client=http,
    )


def _anthropic_client(
    settings: AgentSettings, key: str, http: httpx2.AsyncClient | None
) -> anthropic.AsyncAnthropic:
    seconds = settings.timeout_seconds
    return anthropic.AsyncAnthropic(
        api_key=key,
        base_url=settings.base_url or None,
        timeout=anthropic.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
        max_retries=settings.max_retries,
        http_client=http,
    )


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
