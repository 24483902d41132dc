"""User stories: without their role, goal or benefit (STO), or seen by the builders (ROL)."""

from collections.abc import Iterator

from veridical.requirements.form import Form
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens

ROLE, BENEFIT = "role", "benefit"


def missing_parts(tokens: Tokens) -> Iterator[Mark]:
    """The whole story; the variant says what is missing."""
    if tokens.form is not Form.STORY:
        return
    roles = tokens.hits.get("STOROLE", ())
    want = tokens.hits["STOWANT"][0]
    if not (roles and roles[0].first == 0 and roles[0].first < want.first):
        yield Mark(0, len(tokens.all), ROLE)
    elif not _has_benefit(tokens, want.end):
        yield Mark(0, len(tokens.all), BENEFIT)


def _has_benefit(tokens: Tokens, start: int) -> bool:
    if any(hit.first >= start for hit in tokens.hits.get("STOBENEFIT", ())):
        return True
    later = tokens.at("purpose", range(start + 2, len(tokens.all)))
    return any(tokens.is_in("action_verbs", place + 1) for place in later)


def builder_roles(tokens: Tokens) -> Iterator[Mark]:
    """The role, where it makes or studies the system."""
    if tokens.form is not Form.STORY:
        return
    roles = range(tokens.hits["STOWANT"][0].first)
    for place in tokens.at("makers", roles):
        yield Mark(place, place + 1)
        return


def benefit_places(tokens: Tokens) -> range:
    """The places of the benefit that ends the requirement: so that I need not wait."""
    hits = [hit.first for hit in tokens.hits.get("STOBENEFIT", ()) if hit.first]
    if not hits:
        return range(0)
    begun = hits[0]
    return range(begun, tokens.sentence_of(begun).stop)
