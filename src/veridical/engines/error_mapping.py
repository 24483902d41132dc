"""Maps a driver's errors to ours, which carry nothing of the database's own text."""

from collections.abc import Callable
from typing import TypeVar

from veridical.statement.errors import EngineError, Problem

Result = TypeVar("Result")


def mapped(work: Callable[[], Result], problem_of: Callable[[Exception], Problem | None]) -> Result:
    """What the work gives. Raises ``EngineError`` where the driver raised what has a problem.

    It is raised outside of the handler, so that its context does not hold the driver's error: that
    may quote values of rows.
    """
    problem: Problem
    try:
        return work()
    except Exception as error:
        found = problem_of(error)
        if found is None:
            raise
        problem = found
    raise EngineError(problem)
