"""How much of everything is measured."""

from typing import NamedTuple

from benchmarks.walls.worst import KINDS, SPILLING


class Size(NamedTuple):
    """How much of everything."""

    statements: int
    """Hidden calls and their twins that are checked in this process, all dialects together."""
    raw: int
    """Statements that carry raw text, run on two databases of each engine."""
    asks: int
    """Of the victim, alone and again beside the attack."""
    phases: int
    """Into which both are divided, in turn."""
    pause: float
    """Seconds between two questions: a tenant has so many in a minute."""
    warming: float
    """Seconds of attack that nobody measures."""
    lines: int
    """Hostile connections of each kind."""
    watchers: int
    """Hostile streams that are held open."""
    hidden: int
    """Statements that are sent to the server."""
    slow: int
    spilling: int

    @property
    def lines_of_all_kinds(self) -> int:
        """Hostile connections that send one request after the other."""
        return self.lines * len(KINDS)


FULL = Size(
    statements=1_000_000,
    raw=35_000,
    asks=240,
    phases=4,
    pause=0.1,
    warming=10,
    lines=8,
    watchers=150,
    hidden=400,
    slow=1_200,
    spilling=len(SPILLING),
)
SMOKE = Size(
    statements=400,
    raw=700,
    asks=20,
    phases=2,
    pause=0.05,
    warming=2,
    lines=2,
    watchers=10,
    hidden=8,
    slow=20,
    spilling=1,
)
