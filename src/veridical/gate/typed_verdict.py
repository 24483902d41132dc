"""The verdict of the search prover: claims evaluated over typed evidence, by a policy's name."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.proof import (
    Binding,
    ClaimKind,
    Finding,
    GateCode,
    Ground,
    Proof,
    ProvenClaim,
    Standing,
    Verdict,
)
from veridical.contracts.violation import Mode
from veridical.gate.policy import PolicyError
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.prove import Proven, prove
from veridical.messages import message


class ProofPolicy(StrEnum):
    """What becomes of an answer that is not proven throughout."""

    STRICT = "strict"
    """anything unproven holds it back"""
    MARK = "mark"
    """shown with what is unproven marked; what is contradicted holds it back"""
    OFF = "off"


def read_name(name: str) -> ProofPolicy:
    """The policy of this name. Raises ``PolicyError`` where there is none."""
    try:
        return ProofPolicy(name)
    except ValueError:
        known = ", ".join(ProofPolicy)
        raise PolicyError(f"no policy {name!r}: known are {known}") from None


_STANDINGS = {
    Stand.PROVEN: Standing.GROUNDED,
    Stand.CONTRADICTED: Standing.CONTRADICTED,
    Stand.UNPROVEN: Standing.UNGROUNDED,
}
_KINDS = {
    "figure": ClaimKind.NUMBER,
    "time": ClaimKind.DATE,
    "list": ClaimKind.LIST,
    "attribute": ClaimKind.NAME,
    "subject": ClaimKind.NAME,
}


def check_typed(
    answer: str, evidence: Any, question: str, language: Language | None, policy: ProofPolicy
) -> Proof:
    """The proof of an answer in plain text; may raise what goes beyond the time that is set."""
    proven = prove(answer, evidence, question, language)
    findings = tuple(_findings(proven, policy))
    modes = {finding.mode for finding in findings}
    verdict = Verdict.PASS
    if modes:
        verdict = Verdict.BLOCK if Mode.BLOCK in modes else Verdict.WARN
    claims = tuple(_shown(claim, proven) for claim in proven.claims)
    return Proof(verdict=verdict, claims=claims, findings=findings)


def _findings(proven: Proven, policy: ProofPolicy) -> Iterator[Finding]:
    if policy is ProofPolicy.OFF:
        return
    language = proven.reading.words.language
    for claim in proven.wrong:
        wrong = claim.stand is Stand.CONTRADICTED
        blocks = wrong or policy is ProofPolicy.STRICT
        text = proven.reading.text[claim.start : claim.end]
        code = GateCode.CONTRADICTED_CLAIM if wrong else GateCode.UNGROUNDED_CLAIM
        key = f"gate.{code}"
        if claim.kind == "list":
            code, key = GateCode.LIST_MISMATCH, "gate.LIST_MISMATCH_incomplete"
        yield Finding(
            code=code,
            mode=Mode.BLOCK if blocks else Mode.WARN,
            hint=message(key, language, claim=text, nearest="").strip(),
            claim=text,
            start=proven.reading.clean.span(claim.start, claim.end)[0],
        )


def _shown(claim: Claim, proven: Proven) -> ProvenClaim:
    start, end = proven.reading.clean.span(claim.start, claim.end)
    stands = claim.stand is Stand.PROVEN
    binding = Binding(ground=Ground.DERIVATION, derivation=claim.reason) if stands else None
    return ProvenClaim(
        kind=_KINDS.get(claim.kind, ClaimKind.FACT),
        text=proven.reading.text[claim.start : claim.end],
        start=start,
        end=end,
        standing=_STANDINGS[claim.stand],
        binding=binding,
    )
