"""All claims of an answer, in order, each with what it does there."""

from veridical.contracts.language import Language
from veridical.gate.claim import Claim
from veridical.gate.claims.draft import Draft, finished
from veridical.gate.claims.lists import find_lists
from veridical.gate.claims.names import names
from veridical.gate.claims.places import places, plain_digits
from veridical.gate.claims.quoted import mark_quoted
from veridical.gate.claims.roles import give_roles
from veridical.gate.claims.tongue import tongue
from veridical.gate.claims.years import give_years


def find_claims(
    text: str, question: str = "", language: Language | None = None
) -> tuple[Claim, ...]:
    """Every figure, date, period, name, code and list of the text, ordered by its start.

    Claims do not overlap, but for lists, which span their items.
    """
    said = plain_digits(text)
    language = tongue(said, language)
    drafts = places(said, tuple(names(said, language)))
    if language is Language.EN or language is Language.ZH:
        _only_likeliest(drafts)
    give_years(drafts, question)
    give_roles(said, drafts)
    if question:
        mark_quoted(said, drafts, question)
    claims = [finished(draft, text) for draft in drafts]
    lists = list(find_lists(text))
    if lists:
        claims = sorted((*claims, *lists), key=lambda each: (each.start, -each.end))
    return tuple(claims)


def _only_likeliest(drafts: list[Draft]) -> None:
    """Where a comma parts thousands and a point decimals, 1,234 and 1.234 have one reading."""
    for draft in drafts:
        if len(draft.digits) > 1:
            draft.digits = draft.digits[:1]
