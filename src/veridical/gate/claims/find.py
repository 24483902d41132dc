"""All claims of an answer, in order, each with what it does there."""

from veridical.contracts.language import Language
from veridical.gate.claim import Claim
from veridical.gate.claims.draft import finished
from veridical.gate.claims.roles import give_roles
from veridical.gate.claims.scan import scan
from veridical.gate.claims.sharing import share_units


def find_claims(
    text: str, question: str = "", language: Language | None = None
) -> tuple[Claim, ...]:
    """Every figure, date, period, name, code and list of the text, ordered by its start."""
    drafts = scan(text)
    share_units(text, drafts)
    give_roles(text, drafts)
    return tuple(finished(draft, text) for draft in drafts)
