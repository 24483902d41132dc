"""Subjects: the answer must be about the row that the question names."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.gate.prover.claim import Claim, Stand

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_FAR = 12


def subject_claims(prover: "Prover") -> Iterator[Claim]:
    """A claim for an answer that names other rows than the question's, and never that one."""
    subjects = [each for each in prover.question.names if each.is_key and each.whole]
    for each in subjects:
        column = prover.ready.tables[each.table].columns[each.column] if each.column >= 0 else None
        if column is None or not column.is_key:
            continue
        mine = [
            name
            for name in prover.answer.names
            if (name.table, name.column) == (each.table, each.column) and name.is_key
        ]
        if not mine or any(name.rows & each.rows for name in mine):
            continue
        if any(name.rows & each.rows for name in prover.answer.names if name.table == each.table):
            continue
        first = mine[0]
        starts = [each.start for each in prover.answer.figures]
        if starts and min(starts) < first.start and first.start - min(starts) > _FAR:
            continue
        yield Claim(first.start, first.end, "subject", Stand.CONTRADICTED, "another was asked for")
        return
