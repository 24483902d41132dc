"""The folder of the sample data."""

import os
from pathlib import Path


def sample_folder() -> Path:
    """Where the PostgreSQL with the sample data is kept from one process to the next."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "veridical" / "sample"
