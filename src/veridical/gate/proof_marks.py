"""An answer with its unproven claims marked in the text, for clients that show only text."""

from bisect import bisect_left, bisect_right

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, Proof, ProvenClaim, Standing
from veridical.gate.proof_view import marked_places, shown_claims
from veridical.messages import message

SIGN = "‹?›"
_STANDS = (Standing.GROUNDED, Standing.EXEMPT)


def is_open(claim: ProvenClaim) -> bool:
    """True if the claim gets a mark: it is not proven, or is a figure that only the question has.
    Times and names of the question say what an answer is about."""
    repeated = claim.standing is Standing.EXEMPT and claim.kind is ClaimKind.NUMBER
    return repeated or claim.standing not in _STANDS


def with_marks(answer: str, proof: Proof, language: Language) -> tuple[str, Proof]:
    """The answer with a sign behind each unproven claim and a line that explains it, and the proof
    with its places in that text; both unchanged where all claims are proven."""
    ends = [
        place.end
        for place in marked_places(shown_claims(proof, language), answer)
        if any(is_open(each.claim) for each in place.claims)
    ]
    if not ends:
        return answer, proof
    pieces = [answer[start:end] for start, end in zip((0, *ends), (*ends, None), strict=True)]
    note = message("proof.unproven_note", language, sign=SIGN)
    return f"{SIGN.join(pieces)}\n\n{note}", _moved(proof, ends)


def _moved(proof: Proof, ends: list[int]) -> Proof:
    """The proof with its places behind the signs that come before them."""
    claims = tuple(
        claim.model_copy(
            update={
                "start": claim.start + len(SIGN) * bisect_right(ends, claim.start),
                "end": claim.end + len(SIGN) * bisect_left(ends, claim.end),
            }
        )
        for claim in proof.claims
    )
    findings = tuple(
        finding
        if finding.start is None
        else finding.model_copy(
            update={"start": finding.start + len(SIGN) * bisect_right(ends, finding.start)}
        )
        for finding in proof.findings
    )
    return proof.model_copy(update={"claims": claims, "findings": findings})
