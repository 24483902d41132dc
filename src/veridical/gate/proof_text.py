"""A proof for a terminal: the answer with its claims marked, and below it each claim with its
basis and cells."""

import unicodedata
from collections.abc import Iterator

from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.gate.proof_view import (
    ShownClaim,
    marked_places,
    shown_cell,
    shown_claims,
    shown_passage,
    verdict_words,
)
from veridical.messages import message

_WIDEST = 40


def as_text(proof: Proof, language: Language = Language.EN, answer: str = "") -> str:
    """The verdict, the answer where it is given, each claim with its expression and cells, the
    findings, and how strong the verdict is."""
    return "\n".join(_lines(proof, language, answer))


def _lines(proof: Proof, language: Language, answer: str) -> Iterator[str]:
    yield verdict_words(proof, language)
    claims = shown_claims(proof, language)
    if answer:
        yield from ("", *(f"  {line}".rstrip() for line in _marked(claims, answer)), "")
    widest = min(_WIDEST, max((width(_flat(each.claim.text)) for each in claims), default=0))
    places = len(str(len(claims)))
    for each in claims:
        text = padded(_flat(each.claim.text), widest)
        yield f"  {each.number:>{places}} {each.sign} {text} → {each.explanation}"
        yield from (f"{' ' * (places + 7)}{line}" for line in _cells(each, language))
    if not claims:
        yield f"  {message('gate.no_claims', language)}"
    for finding in proof.findings:
        yield f"  {finding.code} ({finding.mode}): {finding.hint}"


def _marked(claims: tuple[ShownClaim, ...], answer: str) -> list[str]:
    parts: list[str] = []
    at = 0
    for place in marked_places(claims, answer):
        signs = " ".join(f"{each.sign}{each.number}" for each in place.claims)
        parts += answer[at : place.end], f" [{signs}]"
        at = place.end
    return "".join((*parts, answer[at:])).splitlines()


def _cells(shown: ShownClaim, language: Language) -> Iterator[str]:
    for cell in shown.cells:
        yield _flat(shown_cell(cell, language))
    yield from map(shown_passage, shown.passages)
    if shown.left_out:
        yield message("proof.more_cells", language, count=shown.left_out)


def _flat(text: str) -> str:
    return " ".join(text.split())


def width(text: str) -> int:
    """The number of columns."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def padded(text: str, columns: int) -> str:
    """The text with blanks up to this width."""
    return text + " " * (columns - width(text))
