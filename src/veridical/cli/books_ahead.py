"""The sample books, which start while the rest of a command is imported."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from veridical.contracts.settings_file import SETTINGS_FILE

if TYPE_CHECKING:
    from veridical.testing.postgres_ahead import Started


@contextmanager
def books_ahead(*named: str) -> "Generator[Started | None]":
    """Starts them where they are sure to be asked: nobody ``named`` or set up anything else."""
    configured = any(name.startswith("VERIDICAL_") for name in os.environ)
    if any(named) or configured or SETTINGS_FILE.exists():
        yield None
        return
    from veridical.testing.postgres_ahead import postgres_ahead
    from veridical.testing.sample_folder import sample_folder

    with postgres_ahead(sample_folder()) as started:
        yield started
