"""ESC: a clause that lets the builder off."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, overlaps, phrases
from veridical.requirements.rules.sup import is_possible_degree
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Escape clauses; no references to a norm and no degrees ("möglichst leise")."""
    for hit in phrases(tokens, "ESC"):
        if hit.group == "reference":
            continue
        degree = hit.group == "degree" and is_possible_degree(tokens, hit.first)
        if not degree and not overlaps(tokens, hit, "TMP", "OPN"):
            yield Mark(hit.first, hit.end)
