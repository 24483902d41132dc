"""INF: an ability is demanded where the action is meant."""

from collections.abc import Iterator

from veridical.requirements.form import Form
from veridical.requirements.rules.mark import Mark, in_main, phrases
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Phrases of ability in main clauses; German "können" behind another modal."""
    for hit in phrases(tokens, "INF"):
        if not in_main(tokens, hit):
            continue
        if hit.group != "can" or _follows_modal(tokens, hit.first):
            yield Mark(hit.first, hit.end)


def _follows_modal(tokens: Tokens, place: int) -> bool:
    sentence = tokens.sentence_of(place)
    before = range(sentence.start, place)
    others = [p for p in tokens.at("modals", before) if p in tokens.main]
    return bool(others) or tokens.form is Form.STORY
