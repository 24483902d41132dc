"""A local PostgreSQL that starts while the rest of a command is imported."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from veridical.testing.postgres import LocalPostgres, load_programs, local_postgres

Started = Callable[[], LocalPostgres]
"""Waits for the server. Raises what kept it from starting."""


@contextmanager
def postgres_ahead(directory: Path) -> Generator[Started]:
    """Begins to start the server of this directory at once; it runs until the block ends.

    Raises ``MissingExtraError`` where the package with the server is not installed.
    """
    load_programs()  # here: it changes how all threads warn
    with ExitStack() as stack, ThreadPoolExecutor(1, "veridical-postgres") as starting:
        begun = starting.submit(lambda: stack.enter_context(local_postgres(directory)))
        yield begun.result
