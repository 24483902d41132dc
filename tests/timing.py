"""How long a piece of work takes by itself, whatever else the test process holds."""

import gc
from collections.abc import Callable
from time import thread_time
from typing import TypeVar

_T = TypeVar("_T")


def timed(work: Callable[[], _T]) -> tuple[_T, float]:
    """What the work gave, and the seconds that its thread was busy with it.

    The objects that earlier tests left are set aside: a collection that walks through them took
    longer than the work itself, once in a few runs.
    """
    gc.freeze()
    try:
        started = thread_time()
        given = work()
        return given, thread_time() - started
    finally:
        gc.unfreeze()


def least_time(work: Callable[[], object], enough: float) -> float:
    """The seconds of the quickest of three tries, or of the first one that was quick enough: what
    the machine does beside it, such as fetching memory back, counts as the thread's time too."""
    found = timed(work)[1]
    for _ in range(2):
        if found < enough:
            break
        found = min(found, timed(work)[1])
    return found
