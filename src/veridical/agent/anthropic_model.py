"""Models over Anthropic's interface."""

import anthropic
import httpx2
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from veridical.agent.settings import CONNECT_SECONDS, AgentSettings


def client(
    settings: AgentSettings, key: str, http: httpx2.AsyncClient | None
) -> anthropic.AsyncAnthropic:
    """A client for the address of the settings, else for Anthropic's own."""
    seconds = settings.timeout_seconds
    return anthropic.AsyncAnthropic(
        api_key=key,
        base_url=settings.base_url or None,
        timeout=anthropic.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
        max_retries=settings.max_retries,
        http_client=http,
    )


def opened(name: str, over: anthropic.AsyncAnthropic, used: ModelSettings) -> Model:
    """The model of this name, whose prompts are cached."""
    provider = AnthropicProvider(anthropic_client=over)
    return AnthropicModel(name, provider=provider, settings=used | {"cache": True})
