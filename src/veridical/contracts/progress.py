"""The progress of a run for a waiting person: light, never stored, never replayed."""

from typing import Literal

from veridical.contracts.wire import Wire


class Progress(Wire):
    """The current activity of a run."""

    kind: Literal["progress"] = "progress"
    stage: Literal["asking", "writing", "calling"]
    round: int
    text: str = ""
    """While writing, the next piece of text; while calling, the tool's name."""
