"""Models over OpenAI's interfaces: theirs, Ollama's and those of compatible servers."""

import httpx2
import openai
from pydantic_ai.models import Model
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from veridical.agent.settings import CONNECT_SECONDS, AgentSettings

_FINISH_REQUIRED = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
"""A stream without an end was cut: half a figure must not pass for an answer."""


def client(
    settings: AgentSettings, key: str, http: httpx2.AsyncClient | None, address: str
) -> openai.AsyncOpenAI:
    """A client for the address of the settings, else for this one, else for OpenAI's own."""
    seconds = settings.timeout_seconds
    return openai.AsyncOpenAI(
        api_key=settings.api_key.get_secret_value() if settings.api_key else key,
        base_url=settings.base_url or address or None,
        timeout=openai.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
        max_retries=settings.max_retries,
        http_client=http,
    )


def opened(kind: str, name: str, over: openai.AsyncOpenAI, used: ModelSettings) -> Model:
    """The model of this name; ``kind`` says whose interface is spoken."""
    if kind == "openai":
        provider = OpenAIProvider(openai_client=over)
        return OpenAIResponsesModel(name, provider=provider, settings=used)
    if kind == "ollama":
        there = OllamaProvider(openai_client=over)
        return OllamaModel(name, provider=there, profile=_FINISH_REQUIRED, settings=used)
    provider = OpenAIProvider(openai_client=over)
    return OpenAIChatModel(name, provider=provider, profile=_FINISH_REQUIRED, settings=used)
