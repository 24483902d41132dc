"""TBD: a point that is still open."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Markers of open points; "offen" only where it ends a clause and describes no thing."""
    for hit in phrases(tokens, "TBD"):
        if hit.group != "open" or _stands_alone(tokens, hit.first):
            yield Mark(hit.first, hit.end)


def _stands_alone(tokens: Tokens, place: int) -> bool:
    after, before = tokens.low(place + 1), tokens.low(place - 1)
    return (not after or after in ".,;)") and (not before or before in ":(,-–")
