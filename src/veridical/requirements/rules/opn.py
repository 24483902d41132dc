"""OPN: a list that does not end."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, marked
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Phrases that leave a list open."""
    return marked(tokens, "OPN")
