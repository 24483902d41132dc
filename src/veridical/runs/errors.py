"""Errors of runs, for callers that start or read one."""


class RunsError(Exception):
    """An error about runs that the caller can act on."""


class IdempotencyConflictError(RunsError):
    """The key was used before, for another request."""

    def __init__(self, key: str) -> None:
        super().__init__("this idempotency key was used for another request")
        self.key = key


class RunNotFoundError(RunsError):
    """The tenant has no such run."""

    def __init__(self, run_id: str) -> None:
        super().__init__("there is no such run")
        self.run_id = run_id


class RunsUnavailableError(RunsError):
    """The database of the runs is unavailable, or has not been prepared."""


class NotInRunError(RunsError):
    """An effect was requested outside of a run."""

    def __init__(self) -> None:
        super().__init__("an effect belongs to a run, and none is going on here")
