"""Codes with a form of their own: addresses, account numbers, phone numbers, code spans."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern

_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("@", late_pattern(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")),
    ("://", late_pattern(r"(?<!\w)https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]")),
    ("www.", late_pattern(r"www\.[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]")),
    ("`", late_pattern(r"`[^`\n]+`")),
    (
        "+",
        late_pattern(
            r"(?<![0-9)%])\+(?=(?:[ ./()-]{0,2}[0-9]){7})[0-9]{1,3}"
            r"(?:[ ./-]?\(?[0-9]{1,4}\)?){2,6}(?![0-9])"
        ),
    ),
)
_DASHED = (
    late_pattern(r"\(?\b[0-9]{3}\)?[ -][0-9]{3}-[0-9]{4}\b"),
    late_pattern(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"),
)
_DASHED_HINT = late_pattern("-[0-9a-fA-F]{4}")
_IBAN = late_pattern(r"\b[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]{4}){2,7}(?: ?[0-9A-Z]{1,4})?\b")
_IBAN_HINT = late_pattern(r"[A-Z]{2}[0-9]{2}[ 0-9A-Z]{4}")


def marked_codes(text: str) -> Iterator[Draft]:
    """All codes of these forms; each form is only looked for where its sign occurs."""
    for sign, form in _FORMS:
        if sign in text:
            for match in form.finditer(text):
                yield Draft(ClaimKind.IDENTIFIER, match.start(), match.end())
    if _DASHED_HINT.search(text):
        for form in _DASHED:
            for match in form.finditer(text):
                yield Draft(ClaimKind.IDENTIFIER, match.start(), match.end())
    if _IBAN_HINT.search(text):
        for match in _IBAN.finditer(text):
            yield Draft(ClaimKind.IDENTIFIER, match.start(), match.end())
