"""IMP0: nothing in the requirement is obligatory."""

from collections.abc import Iterator

from veridical.requirements.form import Form
from veridical.requirements.rules import istzu
from veridical.requirements.rules.mark import Mark, in_main, phrases
from veridical.requirements.rules.permission import permits
from veridical.requirements.tokens import Tokens

_WITHOUT_MODAL = (Form.STORY, Form.SCENARIO)


def find(tokens: Tokens) -> Iterator[Mark]:
    """The whole text, where no main clause has a modal or its like."""
    if not tokens.all or tokens.form in _WITHOUT_MODAL or _obliges(tokens):
        return
    yield Mark(0, len(tokens.all))


def _obliges(tokens: Tokens) -> bool:
    return (
        any(in_main(tokens, hit) for hit in phrases(tokens, "IMP"))
        or permits(tokens)
        or any(tokens.is_defined(place) for place in tokens.at("modals", range(len(tokens.all))))
        or _forbids(tokens)
        or any(True for _ in istzu.find(tokens))
        or _has_to(tokens)
    )


def _forbids(tokens: Tokens) -> bool:
    """German "darf … nicht" and "darf … höchstens", however far apart."""
    return any(hit.first in tokens.main for hit in phrases(tokens, "PERMIT")) and (
        any(other.first in tokens.main for other in phrases(tokens, "NEG", "words"))
        or any(place in tokens.main for place in tokens.at("limits", range(len(tokens.all))))
    )


def _has_to(tokens: Tokens) -> bool:
    """German "hat … zu löschen"."""
    return any(
        end is not None
        for place in tokens.at("have_to", sorted(tokens.main))
        for end in (istzu.infinitive_after(tokens, place),)
    )
