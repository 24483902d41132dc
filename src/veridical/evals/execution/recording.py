"""Records the steps of one gold run for a replay, with a fixed date and the replies' own
durations."""

import json

from pydantic_ai.models import Model
from pydantic_core import from_json, to_json

from veridical.contracts.step import Action, Json
from veridical.evals.execution.models import CachedModel
from veridical.evals.gold.case import Limit

MODEL = "model"
"""The key beside the steps for the model's name; none without a model."""
TIMED_OUT = "timedOut"
"""The key beside the steps for the limit that ended the run."""
_MS = 1000
_ROUNDED = 3


class Recording:
    """Runs and keeps every step.

    A reply from the cache counts with the time that it took when it was made. So the clock of the
    run is the wall's plus what the cache saved, and the limit is measured by that clock too.
    """

    def __init__(self, today: str, limit: Limit, cached: CachedModel | None = None) -> None:
        self._kept: dict[str, bytes] = {}
        self._today = today
        self._limit = limit
        self._cached = cached
        self._saved = 0.0
        self._opened = 0.0

    async def __call__(self, name: str, action: Action) -> Json:
        """The step's result as a replay will have it, in the run's own time."""
        self._kept[name], result = _as_text(await self._taken(name, action))
        return result

    @property
    def text(self) -> bytes:
        """The recording as one JSON object with a line for each step."""
        lines = (to_json(name) + b": " + text for name, text in self._kept.items())
        return b"{\n" + b",\n".join(lines) + b"\n}\n"

    def note_model(self, model: Model | None) -> None:
        """Record the model's name."""
        self._kept[MODEL] = to_json(model.model_name if model is not None else None)

    def time_out(self) -> None:
        """Record that the limit ended the run."""
        ended = {"seconds": self._limit.seconds, "difficulty": self._limit.difficulty.value}
        self._kept[TIMED_OUT] = to_json(ended)

    async def _taken(self, name: str, action: Action) -> Json:
        result = await action()
        if not isinstance(result, dict) or "at" not in result:
            return result
        begun = round(result["at"] + self._saved, 6)
        saved_now = (self._cached.saved_seconds if self._cached else 0.0) - self._saved
        self._saved += saved_now
        timed: dict[str, Json] = {**result, "at": begun}
        if "elapsedMs" in result:
            timed["elapsedMs"] = round(result["elapsedMs"] + saved_now * _MS, _ROUNDED)
        if name == "open":
            self._opened = begun
            timed["today"] = self._today
        if begun + timed.get("elapsedMs", 0.0) / _MS - self._opened > self._limit.seconds:
            raise TimeoutError
        return timed


def _as_text(result: Json) -> tuple[bytes, Json]:
    """The result as text, and what is read from it."""
    try:
        text = to_json(result)
        return text, from_json(text)
    except ValueError:  # it holds a lone surrogate, which only an escape can tell
        text = json.dumps(result).encode()
        return text, json.loads(text)
