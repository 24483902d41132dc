"""A verdict for tests: whatever a reader sees marked counts as held back."""

from typing import Any

from veridical import gate
from veridical.contracts.proof import Proof, Verdict
from veridical.gate.proof_marks import is_open


def strictly(answer: str, evidence: Any, **given: Any) -> Proof:
    """The proof, blocked where anything is found or a claim is open."""
    proof = gate.check(answer, evidence, **given)
    wrong = proof.findings or any(map(is_open, proof.claims))
    return proof.model_copy(update={"verdict": Verdict.BLOCK if wrong else Verdict.PASS})
