"""TMP: a time that is no time."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, is_quantified, phrases
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Vague times that no figure settles; not the order of two steps."""
    for hit in phrases(tokens, "TMP"):
        if hit.group != "order" and not is_quantified(tokens, hit):
            yield Mark(hit.first, hit.end)
