"""How much load there is, and for how long."""

from typing import NamedTuple


class Size(NamedTuple):
    """One size of the benchmark."""

    watchers: int
    """Streams that are open at the same time."""
    watched_runs: int
    waves: int
    """How often all watchers come, with new runs each time."""
    ask_turns: int
    asks: int
    """Questions in one turn."""
    run_turns: int
    runs: int
    """Runs in one turn."""
    flood: int
    """Runs of the tenant that floods the queue."""
    small_runs: int
    """Runs of the small tenant, alone and beside the flood."""
    patience_seconds: float = 300.0
    """How long any single part may take."""


FULL = Size(
    watchers=400,
    watched_runs=100,
    waves=3,
    ask_turns=20,
    asks=100,
    run_turns=10,
    runs=60,
    flood=500,
    small_runs=40,
)
SMOKE = Size(
    watchers=10,
    watched_runs=4,
    waves=1,
    ask_turns=2,
    asks=6,
    run_turns=2,
    runs=3,
    flood=10,
    small_runs=2,
    patience_seconds=180.0,
)
