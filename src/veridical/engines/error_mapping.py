"""Maps a driver's errors to ours, which contain none of its own text but a safe reason."""

from collections.abc import Callable
from typing import TypeVar

from veridical.engines.reason import safe_reason
from veridical.statement.errors import EngineError, Problem

Result = TypeVar("Result")


def mapped(
    work: Callable[[], Result],
    problem_of: Callable[[Exception], Problem | None],
    reason_of: Callable[[Exception], str] | None = None,
    statement: str = "",
) -> Result:
    """The result of the work. Raises ``EngineError`` for a driver's error that has a problem.

    It is raised outside of the handler, so that its context does not have the driver's error: that
    may quote values of rows. ``reason_of`` returns the database's message if the error was found
    while parsing the statement, and nothing for later errors.
    """
    problem: Problem
    reason = ""
    try:
        return work()
    except Exception as error:
        found = problem_of(error)
        if found is None:
            raise
        problem = found
        if reason_of is not None:
            reason = safe_reason(reason_of(error), statement)
    raise EngineError(problem, reason=reason)
