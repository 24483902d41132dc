"""The basis of a claim as a wire binding: expression in words, arithmetic, cells."""

from collections.abc import Sequence

from veridical.contracts.language import Language
from veridical.contracts.proof import Binding, Ground
from veridical.evidence.table import EvidenceTable
from veridical.gate.basis_cells import cells_of
from veridical.gate.basis_words import BasisWords
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import Over
from veridical.gate.prover.how import COUNTS, How

_UNDERIVED = frozenset(
    {
        How.RUNNING_NUMBER,
        How.LIMIT,
        How.ARGUMENT,
        How.RANK,
        How.NAME,
        How.QUESTION,
        How.TEXT,
    }
)


def binding_of(basis: Basis, tables: Sequence[EvidenceTable], language: Language) -> Binding:
    """The binding of a claim with this basis."""
    wording = BasisWords(tables, language)
    words = wording.words(basis)
    cells, left_out = cells_of(basis, tables)
    ground = _ground(basis)
    computed = wording.arithmetic(basis) or ("" if basis.how in _UNDERIVED else words)
    found = Binding(
        ground=ground,
        value=basis.facts[0].raw if basis.how is How.ITSELF else None,
        derivation=computed if ground is Ground.DERIVATION else "",
        words=words,
        cells=cells,
        cells_left_out=left_out,
    )
    if ground is not Ground.CELL or len(cells) != 1:
        return found
    (cell,) = cells
    place = {"row": cell.row, "row_key": cell.row_key, "column": cell.column}
    return found.model_copy(update={**place, "value": cell.value, "unit": cell.unit})


def _ground(basis: Basis) -> Ground:
    if basis.how is How.QUESTION:
        return Ground.QUESTION
    if basis.how in COUNTS:
        return Ground.ROW_COUNT
    single = basis.how is How.ITSELF and basis.facts[0].over is Over.CELL
    return Ground.CELL if single or basis.how is How.NAME else Ground.DERIVATION
