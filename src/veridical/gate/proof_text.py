"""A proof for a terminal: one line for each claim, with the cell that it rests on."""

from collections.abc import Iterator

from veridical.contracts.language import Language
from veridical.contracts.proof import Binding, Ground, Proof, ProvenClaim, Standing
from veridical.gate.proving import shown_binding
from veridical.gate.width import padded, width
from veridical.messages import message

MARKS = {
    Standing.GROUNDED: "✓",
    Standing.UNGROUNDED: "✗",
    Standing.CONTRADICTED: "✗",
    Standing.ILLEGAL: "✗",
    Standing.EXEMPT: "·",
}
_IN_WORDS = frozenset({Ground.QUESTION, Ground.ROW_COUNT, Ground.ONTOLOGY, Ground.PASSAGE})
_WIDEST = 40


def as_text(proof: Proof, language: Language = Language.EN) -> str:
    """The verdict, each claim with its cell, what is wrong, and how strong the verdict is."""
    return "\n".join(_lines(proof, language))


def told_binding(claim: ProvenClaim, language: Language) -> str:
    """What the claim rests on or what comes closest, in one line."""
    binding = claim.binding or claim.nearest
    if binding is None:
        return message(f"gate.standing_{claim.standing}", language)
    told = _ground(binding, language)
    if claim.standing is Standing.GROUNDED:
        return told
    return f"{message(f'gate.standing_{claim.standing}', language)}; {told}"


def strength(proof: Proof, language: Language) -> str:
    """How much the verdict says: the share of made-up figures that would have passed as well."""
    if proof.coincidence is None:
        return ""
    share = 100 * proof.coincidence
    return message(
        "gate.strength", language, share=f"{share:.0f}" if share >= 10 else f"{share:.1f}"
    )


def _lines(proof: Proof, language: Language) -> Iterator[str]:
    yield message(f"gate.verdict_{proof.verdict}", language)
    widest = min(_WIDEST, max((width(_flat(each.text)) for each in proof.claims), default=0))
    for claim in proof.claims:
        told = told_binding(claim, language)
        yield f"  {MARKS[claim.standing]} {padded(_flat(claim.text), widest)} → {told}"
    if not proof.claims:
        yield f"  {message('gate.no_claims', language)}"
    for finding in proof.findings:
        yield f"  {finding.code} ({finding.mode}): {finding.hint}"
    if proof.coincidence is not None:
        yield strength(proof, language)


def _ground(binding: Binding, language: Language) -> str:
    if binding.ground not in _IN_WORDS:
        return shown_binding(binding, language)
    words = message(f"gate.ground_{binding.ground}", language)
    return f"{words}: {shown_binding(binding, language)}" if binding.column else words


def _flat(text: str) -> str:
    return " ".join(text.split())
