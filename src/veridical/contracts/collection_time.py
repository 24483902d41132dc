"""The seconds that full garbage collections delayed a thread.

A collection walks through every object of the process, of all work in it: a limit on one
piece of work must not count it.
"""

import gc
from threading import local
from time import thread_time
from typing import Any

_OLDEST = 2
"""The generation whose collection walks through everything."""


class _Held(local):
    """One thread's collections."""

    began: float | None = None
    seconds: float = 0.0


_HELD = _Held()


def _note(phase: str, info: dict[str, Any]) -> None:
    if info["generation"] < _OLDEST:
        return
    if phase == "start":
        _HELD.began = thread_time()
    elif _HELD.began is not None:
        _HELD.seconds += thread_time() - _HELD.began
        _HELD.began = None


gc.callbacks.append(_note)


def work_time() -> float:
    """The seconds that this thread was busy, but for full collections."""
    return thread_time() - _HELD.seconds
