"""Stops statements when their time is up: one thread for all of them.

A thread for each statement would make it wait until the machine has a turn to start that.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from time import monotonic


class Alarms:
    """Calls due functions, unless they were cancelled."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._actions: dict[int, Callable[[], object]] = {}
        self._due: list[tuple[float, int]] = []
        self._numbers = count()
        self._thread: Thread | None = None

    def after(self, seconds: float, action: Callable[[], object]) -> "Alarm":
        """Calls this, once, if the block takes longer; never after its end. It must not wait."""
        return Alarm(self, seconds, action)

    def take_back(self, number: int) -> None:
        """Cancels the call of this number."""
        with self._changed:
            self._actions.pop(number, None)

    def set(self, at: float, action: Callable[[], object]) -> int:
        """Calls this at that time, unless it is cancelled by its number."""
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


class Alarm:
    """A block with a time limit. Every statement has one, so it is made plainly."""

    __slots__ = ("_action", "_alarms", "_number", "_seconds")

    def __init__(self, alarms: Alarms, seconds: float, action: Callable[[], object]) -> None:
        self._alarms = alarms
        self._seconds = seconds
        self._action = action

    def __enter__(self) -> None:
        self._number = self._alarms.set(monotonic() + self._seconds, self._action)

    def __exit__(self, *raised: object) -> None:
        self._alarms.take_back(self._number)


ALARMS = Alarms()
