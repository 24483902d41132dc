"""QNT: a quantity that is no number."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, overlaps, phrases
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Vague quantifiers; not "at most", "as many as" or "so viele"."""
    sets = tokens.words.sets
    for hit in phrases(tokens, "QNT"):
        before, after = tokens.low(hit.first - 1), tokens.low(hit.end)
        if before in sets["before_quantity"] or after in sets["after_quantity"]:
            continue
        if tokens.is_in("comparative_quantities", hit.first) and before not in sets["genitive"]:
            continue  # weniger Wasser; but: innerhalb weniger Minuten
        if overlaps(tokens, hit, "SUP", "ESC", "TMP", "OPN") or after[:1].isdigit():
            continue
        yield Mark(hit.first, hit.end)
