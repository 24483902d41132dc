"""What a waiting person may see of a run: light, never stored, never replayed."""

from typing import Literal

from veridical.contracts.wire import Wire


class Progress(Wire):
    """What the run is doing now."""

    kind: Literal["progress"] = "progress"
    stage: Literal["asking", "writing", "calling"]
    round: int
    text: str = ""
    """While writing, the next piece of text; while calling, the tool's name."""
