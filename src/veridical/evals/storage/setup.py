"""The setup of a folder's runs: the header of their report, and what must stay the same."""

from typing import Any

from pydantic import Field

from veridical.contracts.wire import Wire
from veridical.evals.gold.case import Timeouts

Setting = str | int | float | bool | None


class RunHeader(Wire):
    """Everything that must be known to read the figures of a run."""

    gold: str
    """The name of the gold set."""
    cases: int
    repeats: int
    model: str
    simulated: bool = False
    """True if a program that makes mistakes on purpose answered, and no language model."""
    settings: dict[str, Setting] = Field(default_factory=dict[str, Setting])
    version: str
    """The version of Veridical."""

    @property
    def model_label(self) -> str:
        """The model, marked where it is simulated."""
        return f"{self.model} (simulated)" if self.simulated else self.model


class RunSetup(Wire):
    """The setup of a folder's runs. Runs with another setup go into another folder."""

    header: RunHeader
    gold: tuple[str, ...]
    """The sources of the questions."""
    gold_hash: str
    ontology_hash: str
    rules_hash: str = ""
    """Of the rules in the prompt; empty for runs from before they were kept."""
    settings: dict[str, Any]
    """The agent's, without where the model is served and the key to it."""
    timeouts: Timeouts = Timeouts()
    same_words: bool = False
    """True if repeats differ by the model's seed and not by the question's words."""
    cache_hits: int = 0
    cache_misses: int = 0

    def differences(self, other: "RunSetup") -> tuple[str, ...]:
        """The settings that must be the same and are not."""
        ours, theirs = self._decisive(), other._decisive()
        return tuple(name for name in ours if ours[name] != theirs.get(name))

    def _decisive(self) -> dict[str, Any]:
        return {
            "model": self.header.model,
            "version": self.header.version,
            "gold questions": self.gold_hash,
            "ontology": self.ontology_hash,
            "rules": self.rules_hash,
            "repeats": "words" if not self.same_words else "seeds",
            "timeouts": self.timeouts,
        } | {f"settings.{name}": value for name, value in self.settings.items()}
