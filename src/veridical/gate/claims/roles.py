"""What a figure does in the answer: states, ranks, marks a list item, stands in a heading."""

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Role
from veridical.gate.claims.draft import Draft

_LINE_STARTS = " \t*_#>-•("
_GERMAN_ARTICLES = frozenset({"der", "die", "das", "dem", "den", "des", "am", "zum", "im", "vom"})
_BARE = frozenset({ClaimKind.NUMBER, ClaimKind.COUNT})
_LONGEST_LIST = 100


def give_roles(text: str, drafts: list[Draft]) -> None:
    """Tell markers and ordinals from what is stated."""
    for draft in drafts:
        if draft.kind in _BARE and draft.role is Role.STATED:
            _give(text, draft)


def _give(text: str, draft: Draft) -> None:
    follows = text[draft.end : draft.end + 2]
    if follows[:1] in (".", ")", "]") and draft.digits[0][0] < _LONGEST_LIST:
        if _opens_line(text, draft.start) and follows[1:] in (" ", "", "\t", "*"):
            draft.role = Role.MARKER
        elif follows == ". " and _follows_article(text, draft.start):
            draft.role = Role.ORDINAL


def _opens_line(text: str, start: int) -> bool:
    line = text.rfind("\n", 0, start) + 1
    return not text[line:start].strip(_LINE_STARTS)


def _follows_article(text: str, start: int) -> bool:
    words = text[max(0, start - 6) : start].split()
    return bool(words) and words[-1].lower() in _GERMAN_ARTICLES
