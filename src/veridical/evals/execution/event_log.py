"""The events of one gold run, each with its stored text."""

from veridical.contracts.progress import Progress
from veridical.contracts.trace import AgentTrace, Event
from veridical.trace.redact import redacted


class EventLog:
    """Takes a run's events; what is secret is left out of both.

    A recorder of traces would write each text anew for every store.
    """

    def __init__(self) -> None:
        self._noted: list[tuple[Event, str]] = []

    def emit(self, event: Event | Progress) -> None:
        """Note an event; progress is for who waits."""
        if not isinstance(event, Progress):
            self._noted.append(redacted(event))

    def trace(self, trace_id: str) -> AgentTrace:
        """What has happened."""
        return AgentTrace(trace_id=trace_id, events=tuple(event for event, _ in self._noted))

    @property
    def texts(self) -> tuple[str, ...]:
        """The same as texts."""
        return tuple(text for _, text in self._noted)
