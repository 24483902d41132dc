"""Segments of a run: it may end to wait for a person, and continue later as its next segment."""

from veridical.contracts.wire import Wire
from veridical.runs.request import RunRequest

_BETWEEN = "~"


class RunSegment(Wire):
    """One workflow of the engine: a run from its start, or from where the previous segment
    ended."""

    run_id: str
    """Also the id of its trace."""
    number: int = 0
    tenant: str
    asked_by: str
    request: RunRequest

    @property
    def workflow_id(self) -> str:
        """The engine's id of this segment."""
        return _name(self.run_id, self.number)

    @property
    def next(self) -> "RunSegment":
        """The next segment."""
        return self.model_copy(update={"number": self.number + 1})

    @property
    def earlier(self) -> list[str]:
        """The engine's ids of the earlier segments, in order."""
        return [_name(self.run_id, number) for number in range(self.number)]


def run_of(workflow_id: str) -> str:
    """The run that a workflow is a segment of."""
    return workflow_id.partition(_BETWEEN)[0]


def _name(run_id: str, number: int) -> str:
    return f"{run_id}{_BETWEEN}{number}" if number else run_id
