"""How much a test tries: a part of it on every build, all of it with ``make test-full``."""

import os

FULL = os.environ.get("VERIDICAL_TESTS") == "full"
"""Whether time does not matter."""
LEAST = 30
_PART = 0.3


def examples(everything: int) -> int:
    """How many examples of a property are tried where all of it are so many."""
    return everything if FULL else max(min(everything, LEAST), int(everything * _PART))
