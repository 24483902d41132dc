"""Records the events of one run, and stores them as they come."""

import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from veridical.contracts.step import Progress
from veridical.contracts.trace import AgentTrace, Event
from veridical.trace.redact import redact

Skipped = Callable[[str], None]
"""Called with each place that holds something unreadable, which is left out."""


class StoreError(Exception):
    """Traces can't be written or read; the text says where."""


class TraceStore(Protocol):
    """Stores events under their trace and sequence number. Events are written once: writing the
    same number again changes nothing, so a replayed run may write all its events again."""

    def save_event(self, trace_id: str, sequence: int, event: Event) -> None:
        """Store one event. Raises ``StoreError``."""
        ...

    def save(self, trace: AgentTrace) -> None:
        """Store a whole run. Raises ``StoreError``."""
        ...

    def load(self, trace_id: str, tenant: str | None = None) -> AgentTrace | None:
        """The run, if there is one and it belongs to this tenant. Raises ``StoreError``."""
        ...

    def recent(self, limit: int = 20, tenant: str | None = None) -> tuple[AgentTrace, ...]:
        """The runs that started last, the newest first. Raises ``StoreError``."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


def note_skipped(place: str) -> None:
    """Log what was skipped."""
    _log.warning("left out an unreadable event at %s", place)


Listener = Callable[[Event | Progress], None]
"""Called with every event once it is recorded, and with progress, which is not recorded."""

_log = logging.getLogger("veridical.trace")


class Recorder:
    """One run's trace in the making; ``emit`` takes its events.

    Secrets are taken out first, so the trace here is what the stores hold. A store that fails does
    not stop the run: it gets what it missed with the next event, or when ``flush`` is called.
    """

    def __init__(
        self,
        trace_id: str,
        stores: Iterable[TraceStore] = (),
        listeners: Iterable[Listener] = (),
        clean: Callable[[Event], Event] = redact,
    ) -> None:
        self.trace_id = trace_id
        self._clean = clean
        self._listeners = tuple(listeners)
        self._stores = tuple(stores)
        self._saved = [0] * len(self._stores)
        self._events: list[Event] = []

    @property
    def trace(self) -> AgentTrace:
        """The trace so far."""
        return AgentTrace(trace_id=self.trace_id, events=tuple(self._events))

    def emit(self, event: Event | Progress) -> None:
        """Add an event to the trace and to each store, and notify the listeners."""
        if not isinstance(event, Progress):
            event = self._clean(event)
            self._events.append(event)
            self.flush()
        for listen in self._listeners:
            listen(event)

    def flush(self) -> bool:
        """Write what a store still lacks; true when every store has everything."""
        up_to_date = [self._catch_up(number, store) for number, store in enumerate(self._stores)]
        return all(up_to_date)

    def _catch_up(self, number: int, store: TraceStore) -> bool:
        try:
            for sequence in range(self._saved[number], len(self._events)):
                store.save_event(self.trace_id, sequence, self._events[sequence])
                self._saved[number] = sequence + 1
        except StoreError as error:
            _log.warning("run %s: %s", self.trace_id, error)
            return False
        return True
