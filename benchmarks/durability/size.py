"""How much is done to how many runs."""

from typing import NamedTuple


class Size(NamedTuple):
    """One size of the benchmark."""

    runs: int
    """Runs that wait for nobody; more where the disturbances last longer."""
    approvals: int
    """Runs that wait for a person while all the rest happens."""
    unattended: int
    """Runs whose time is over while no worker is there."""
    kills: int
    crashes: int
    freezes: int
    quiet_seconds: float
    """The longest time between two disturbances."""
    lease_seconds: float = 3.0
    evidence_seconds: float = 25.0
    patience_seconds: float = 300.0
    """How long nothing may happen before what is unfinished counts as lost."""


FULL = Size(
    runs=1000, approvals=120, unattended=60, kills=20, crashes=5, freezes=5, quiet_seconds=4.0
)
SMOKE = Size(
    runs=40,
    approvals=8,
    unattended=4,
    kills=2,
    crashes=1,
    freezes=1,
    quiet_seconds=1.0,
    lease_seconds=1.5,
    evidence_seconds=3.0,
    patience_seconds=120.0,
)
