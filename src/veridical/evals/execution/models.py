"""Models of a run: replies from a cache on disk, and repeats under different seeds.

An identical request is not sent again. The key of a reply is everything that decides it: provider,
model, conversation, tools and settings; and the number of the repeat where replies are drawn,
because there a repeat asks for another draw. Where the model is served, when, and under which ids a
provider files its calls decide nothing.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings, merge_model_settings

from veridical.agent.settings import AgentSettings


class SeededModel(WrapperModel):
    """A model that samples with this seed."""

    def __init__(self, wrapped: Model, seed: int) -> None:
        super().__init__(wrapped)
        self._seeded = ModelSettings(seed=seed)

    @property
    def settings(self) -> ModelSettings | None:
        """Those of the model, with the seed."""
        return merge_model_settings(self.wrapped.settings, self._seeded)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The reply under the seed."""
        seeded = merge_model_settings(self._seeded, model_settings)
        return await self.wrapped.request(messages, seeded, model_request_parameters)


def is_drawn(settings: AgentSettings) -> bool:
    """True when the same words may get another reply: at temperature 0 they don't.

    A provider's default temperature is not known, so it counts as drawn.
    """
    return settings.temperature is None or settings.temperature > 0


_LAYOUT = 1
"""Part of each key: a change of what is kept makes old replies unknown, not wrong."""
_DECIDE_NOTHING = frozenset(
    {
        "timestamp",
        "run_id",
        "conversation_id",
        "provider_response_id",
        "provider_url",
        "provider_details",
        "usage",
        "metadata",
    }
)
_CALL_ID = "tool_call_id"
_OF_THE_MOMENT = frozenset({"request_timeout", "timeout"})
_PARAMETERS = TypeAdapter(ModelRequestParameters)


@dataclass(slots=True)
class CacheCount:
    """Cache hits and misses."""

    hits: int = 0
    misses: int = 0


class CachedModel(WrapperModel):
    """A model with cached replies; one for each run."""

    def __init__(
        self, wrapped: Model, folder: Path, count: CacheCount, repeat: int | None = None
    ) -> None:
        super().__init__(wrapped)
        self.saved_seconds = 0.0
        """The seconds that the cache saved in this run."""
        self._folder = folder
        self._count = count
        self._repeat = repeat

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The kept reply, else that of the model."""
        started = perf_counter()
        merged = merge_model_settings(self.wrapped.settings, model_settings)
        key = reply_key(
            self.system, self.model_name, messages, merged, model_request_parameters, self._repeat
        )
        path = self._folder / key[:2] / f"{key}.json"
        kept = _read(path)
        if kept is None:
            self._count.misses += 1
            response = await self.wrapped.request(
                messages, model_settings, model_request_parameters
            )
            _write(path, response, perf_counter() - started)
            return response
        self._count.hits += 1
        response, seconds = kept
        self.saved_seconds += seconds - (perf_counter() - started)
        return response


def reply_key(
    provider: str,
    model: str,
    messages: Sequence[ModelMessage],
    settings: ModelSettings | None,
    parameters: ModelRequestParameters,
    repeat: int | None = None,
) -> str:
    """The name under which the reply to this request is kept."""
    chosen: dict[str, Any] = dict(settings or {})
    parts = {
        "layout": _LAYOUT,
        "provider": provider,
        "model": model,
        "messages": _plain_messages(messages),
        "settings": {name: chosen[name] for name in chosen.keys() - _OF_THE_MOMENT},
        "parameters": _PARAMETERS.dump_python(parameters, mode="json"),
        "repeat": repeat,
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain_messages(messages: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    """Without what decides nothing; calls are numbered as they come."""
    numbers: dict[str, int] = {}
    dumped = ModelMessagesTypeAdapter.dump_python(list(messages), mode="json")
    return [
        {**_plain(message), "parts": [_plain_part(part, numbers) for part in message["parts"]]}
        for message in dumped
    ]


def _plain_part(part: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    plain = _plain(part)
    if _CALL_ID in plain:
        plain[_CALL_ID] = numbers.setdefault(str(plain[_CALL_ID]), len(numbers))
    return plain


def _plain(stored: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if name not in _DECIDE_NOTHING}


def _read(path: Path) -> tuple[ModelResponse, float] | None:
    """The cached reply with its seconds; none where there is no readable one."""
    try:
        stored = json.loads(path.read_text("utf-8"))
        (message,) = ModelMessagesTypeAdapter.validate_python([stored["response"]])
        seconds = float(stored["seconds"])
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None
    return (message, seconds) if isinstance(message, ModelResponse) else None


def _write(path: Path, response: ModelResponse, seconds: float) -> None:
    dumped = {
        "seconds": round(seconds, 6),
        "response": ModelMessagesTypeAdapter.dump_python([response], mode="json")[0],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(json.dumps(dumped, ensure_ascii=False), "utf-8")
    unfinished.replace(path)
