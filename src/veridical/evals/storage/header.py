"""The header of an evaluation's report and baseline: gold set, model, settings, version."""

from pydantic import Field

from veridical.contracts.wire import Wire

Setting = str | int | float | bool | None


class RunHeader(Wire):
    """Everything that must be known to read the figures of a run."""

    gold: str
    """The name of the gold set."""
    cases: int
    repeats: int
    model: str
    simulated: bool = False
    """Whether a program that makes mistakes on purpose answered, and no language model."""
    settings: dict[str, Setting] = Field(default_factory=dict[str, Setting])
    version: str
    """The version of Veridical."""
