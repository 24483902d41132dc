"""Names that two cells of one row make together: first and last name, city and team."""

from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place

_MOST_CELLS = 200
_MOST_WORDS = 40
"""What has more is no name; each of them is a place where two cells might meet."""


def composed_name(key: str, evidence: Evidence) -> Place | None:
    """The first of two cells of one row whose folded words in turn are the key."""
    words = key.split(maxsplit=_MOST_WORDS)
    if len(words) > _MOST_WORDS:
        return None
    texts = evidence.texts
    for cut in range(1, len(words)):
        first, second = texts.codes(" ".join(words[:cut])), texts.codes(" ".join(words[cut:]))
        if not first or not second:
            continue
        rows = {(place.sheet, place.row) for place in map(evidence.place, second[:_MOST_CELLS])}
        for place in map(evidence.place, first[:_MOST_CELLS]):
            if (place.sheet, place.row) in rows:
                return place
    return None
