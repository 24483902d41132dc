"""ROL: a user story from the view of those who build the system, not of a user."""

from collections.abc import Iterator

from veridical.requirements.form import Form
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """The role, where it makes or studies the system."""
    if tokens.form is not Form.STORY:
        return
    roles = range(tokens.hits["STOWANT"][0].first)
    for place in tokens.at("makers", roles):
        yield Mark(place, place + 1)
        return
