"""Figures proven by an earlier answer of the conversation, as evidence for the next one."""

from veridical.contracts.proof import Ground, Proof, Standing
from veridical.evidence.exhibit import Calculation, Exhibit
from veridical.reading.numbers import read_figure


def proven_exhibits(proof: Proof) -> tuple[Exhibit, ...]:
    """The figures that were derived from evidence, each as a calculation.

    Cells are left out: they are still part of the evidence.
    """
    return tuple(
        Exhibit(calculation=Calculation(claim.binding.derivation, reading.value))
        for claim in proof.claims
        if claim.standing is Standing.GROUNDED
        and claim.binding is not None
        and claim.binding.ground is Ground.DERIVATION
        and claim.binding.derivation
        for reading in read_figure(claim.text)[:1]
    )
