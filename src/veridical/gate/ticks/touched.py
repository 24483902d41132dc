"""The rows that a claim was evaluated over."""

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.names import NameMention


def is_of(basis: Basis, named: NameMention) -> bool:
    """True if the evaluated rows are those of a name: of a part and its whole, the part."""
    touched = [(fact.table, fact.rows) for fact in basis.facts] or [(basis.table, basis.rows)]
    return any(
        table == named.table
        and rows & named.rows
        and not any(table == other and its < rows for other, its in touched)
        for table, rows in touched
    )
