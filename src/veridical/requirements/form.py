"""The forms that requirements are written in."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from veridical.requirements.lexicon import Hit


class Form(StrEnum):
    """The form of a requirement."""

    STORY = "story"
    """As a role, I want a goal, so that there is a benefit."""
    SCENARIO = "scenario"
    """Given a state, when something happens, then there is a result."""
    EARS = "ears"
    """A condition (while, when, where, if), then what the system shall do."""
    SENTENCE = "sentence"
    """A plain sentence that obliges."""
    FRAGMENT = "fragment"
    """Nothing in it obliges."""


def form_of(lows: Sequence[str], hits: Mapping[str, Sequence[Hit]]) -> Form:
    """The form of a requirement with these words."""
    wants = hits.get("STOWANT", ())
    roles = hits.get("STOROLE", ())
    if wants and (wants[0].first == 0 or (roles and roles[0].first == 0)):
        return Form.STORY
    if any(hit.first == 0 for hit in hits.get("GIVEN", ())):
        return Form.SCENARIO
    if any(hit.group != "weak" for hit in hits.get("IMP", ())):
        opened = any(hit.first == 0 for hit in hits.get("CONDITION", ()))
        return Form.EARS if opened else Form.SENTENCE
    return Form.SENTENCE if hits.get("IMP") and lows else Form.FRAGMENT
