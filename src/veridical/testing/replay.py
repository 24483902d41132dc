"""Steps that are kept as JSON: a run that was recorded can be run again without model or tools."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from veridical.contracts.step import Action, Json


class NotRecordedError(LookupError):
    """A replayed run took a step that the recorded one did not take."""


@dataclass
class RecordedSteps:
    """Runs a step that is new and keeps its result; gives back the result of one that it knows.

    Pass it as the ``step`` of a run. ``sealed`` runs nothing: an unknown step raises.
    """

    results: dict[str, Json] = field(default_factory=dict[str, Json])
    sealed: bool = False

    async def __call__(self, name: str, action: Action) -> Json:
        """The recorded result of the step, or that of running it now."""
        if name not in self.results:
            if self.sealed:
                raise NotRecordedError(f"no step {name!r} among {sorted(self.results)}")
            self.results[name] = json.loads(json.dumps(await action(), allow_nan=False))
        return self.results[name]

    def save(self, path: Path) -> None:
        """Writes the results to a file."""
        path.write_text(json.dumps(self.results, ensure_ascii=False, indent=1), "utf-8")

    @classmethod
    def load(cls, path: Path) -> "RecordedSteps":
        """The results of a file, sealed."""
        return cls(json.loads(path.read_text("utf-8")), sealed=True)
