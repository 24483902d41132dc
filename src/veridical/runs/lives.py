"""The lives of a run: it may end to wait for somebody, and go on later under its next name."""

from veridical.contracts.wire import Wire
from veridical.runs.request import RunRequest

_BETWEEN = "~"


class Life(Wire):
    """One workflow of the engine: a run from its start, or from where an earlier life ended."""

    run_id: str
    """Also the id of its trace."""
    number: int = 0
    tenant: str
    asked_by: str
    request: RunRequest

    @property
    def workflow_id(self) -> str:
        """What the engine calls this life."""
        return _name(self.run_id, self.number)

    @property
    def next(self) -> "Life":
        """The life that comes after this one."""
        return self.model_copy(update={"number": self.number + 1})

    @property
    def earlier(self) -> list[str]:
        """What the engine calls the lives before this one, the first one first."""
        return [_name(self.run_id, number) for number in range(self.number)]


def run_of(workflow_id: str) -> str:
    """The run that a workflow is a life of."""
    return workflow_id.partition(_BETWEEN)[0]


def _name(run_id: str, number: int) -> str:
    return f"{run_id}{_BETWEEN}{number}" if number else run_id
