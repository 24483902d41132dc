"""Where the sample data is kept between processes."""

from os import environ
from pathlib import Path


def sample_folder() -> Path:
    """The folder of the PostgreSQL with the sample data, kept between processes."""
    state = environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "veridical" / "sample"
