"""What an earlier answer of the same conversation proved: the next one may rest on it."""

from veridical.contracts.proof import Ground, Proof, Standing
from veridical.gate.evidence.exhibit import Calculation, Exhibit
from veridical.reading.numbers import read_figure


def proven_exhibits(proof: Proof) -> tuple[Exhibit, ...]:
    """The figures that were derived from evidence, each as a calculation.

    What stood in a cell needs no carrying: the cell is still there.
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
