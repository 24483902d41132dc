"""What stops a statement when its time is up: one thread for all of them.

A thread for each statement would make it wait until the machine has a turn to start that.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from time import monotonic


class Alarms:
    """Calls what is due, as long as nobody has taken it back."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._actions: dict[int, Callable[[], object]] = {}
        self._due: list[tuple[float, int]] = []
        self._numbers = count()
        self._thread: Thread | None = None

    @contextmanager
    def after(self, seconds: float, action: Callable[[], object]) -> Generator[None]:
        """Calls this, once, if the block takes longer; never after its end. It must not wait."""
        number = self._set(monotonic() + seconds, action)
        try:
            yield
        finally:
            with self._changed:
                self._actions.pop(number, None)

    def _set(self, at: float, action: Callable[[], object]) -> int:
        with self._changed:
            number = next(self._numbers)
            self._actions[number] = action
            heappush(self._due, (at, number))
            if self._thread is None or not self._thread.is_alive():  # a fork has no threads
                self._thread = Thread(target=self._watch, name="alarms", daemon=True)
                self._thread.start()
            elif self._due[0][1] == number:
                self._changed.notify()
            return number

    def _watch(self) -> None:
        with self._changed:
            while True:
                self._forget()
                wait = self._due[0][0] - monotonic() if self._due else None
                if wait is None or wait > 0:
                    self._changed.wait(wait)
                    continue
                _, number = heappop(self._due)
                self._actions.pop(number)()

    def _forget(self) -> None:
        while self._due and self._due[0][1] not in self._actions:
            heappop(self._due)


ALARMS = Alarms()
