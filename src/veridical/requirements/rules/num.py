"""NUM: a quality that is demanded without a figure."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Quality nouns with what qualifies them, where the text has no number."""
    hits = list(phrases(tokens, "NUM"))
    if not hits or _is_data(tokens):
        return
    for hit in hits:
        sentence = tokens.sentence_of(hit.first)
        if any(each.unit and each.first in sentence for each in tokens.quantities):
            continue
        lead = hit.first - 1
        leads = tokens.is_in("quality_leads", lead)
        if not leads and not _is_demanded(tokens, hit.first, hit.end):
            continue
        yield Mark(lead if leads else hit.first, hit.end)


def _is_data(tokens: Tokens) -> bool:
    """Whether the noun is something to show, log or measure."""
    return any(True for _ in tokens.at("shows", range(len(tokens.all))))


def _is_demanded(tokens: Tokens, first: int, end: int) -> bool:
    """Bare, and no part of a name: not after a comparative or superlative, before no other noun."""
    taken = {
        place
        for rule in ("CMP", "SUP")
        for hit in phrases(tokens, rule)
        for place in range(hit.first, hit.end)
    }
    before, after = tokens.low(first - 1), end
    if first - 1 in taken or before in tokens.words.sets["names_quality"]:
        return False
    if tokens.language == "de":
        return not tokens.is_noun(after)
    follows = tokens.low(after)
    return not follows or not follows[0].isalpha() or follows in tokens.words.sets["phrase_ends"]
