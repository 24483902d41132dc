"""The proof of an answer in facts: each slot as a claim, bound to the cells of its fact."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from veridical.contracts.facts_answer import FactsAnswer, SlotPrint, StatedFact
from veridical.contracts.proof import Binding, CellRef, ClaimKind, Ground, ProvenClaim, Standing
from veridical.evidence.table import EvidenceTable

_WHOLE = frozenset({"sentence", "table"})
"""Parts that are all of a fact."""


def claims_of(answer: FactsAnswer, tables: Sequence[EvidenceTable]) -> tuple[ProvenClaim, ...]:
    """The claims of the text as it is shown."""
    by_name = {table.name: table for table in tables}
    bindings = {name: _binding(fact, by_name) for name, fact in answer.facts.items()}
    return tuple(_claims(answer, bindings))


def _claims(answer: FactsAnswer, bindings: Mapping[str, Binding]) -> Iterator[ProvenClaim]:
    at = 0
    for sentence in answer.sentences:
        for slot in sentence.slots:
            text = sentence.text[slot.start : slot.end]
            if text:
                yield ProvenClaim(
                    kind=_kind(slot, text),
                    text=text,
                    start=at + slot.start,
                    end=at + slot.end,
                    standing=Standing.GROUNDED,
                    binding=bindings.get(slot.fact) or _argument(slot),
                )
        at += len(sentence.text)


def _kind(slot: SlotPrint, text: str) -> ClaimKind:
    if slot.part in _WHOLE:
        return ClaimKind.FACT
    return ClaimKind.NUMBER if any(map(str.isdigit, text)) else ClaimKind.NAME


def _argument(slot: SlotPrint) -> Binding:
    """An argument of a call: ``{r1.year}``."""
    derivation = f"{slot.fact}.{slot.part}"
    return Binding(ground=Ground.DERIVATION, source=_source(slot.fact), derivation=derivation)


def _binding(fact: StatedFact, tables: Mapping[str, EvidenceTable]) -> Binding:
    cells = tuple(
        _cell(tables[each.result], each.row, each.column)
        for each in fact.cells
        if each.result in tables and each.row < len(tables[each.result].rows)
    )
    if len(cells) == 1 and not fact.cells_left_out:
        only = cells[0]
        return Binding(
            ground=Ground.CELL, source=_source(only.result), row=only.row, row_key=only.row_key,
            column=only.column, value=only.value, words=fact.sentence, cells=cells,
        )  # fmt: skip
    result = str(fact.claim.get("result") or (cells[0].result if cells else ""))
    return Binding(
        ground=Ground.DERIVATION, source=_source(result), derivation=fact.sentence,
        words=fact.sentence, cells=cells, cells_left_out=fact.cells_left_out,
    )  # fmt: skip


def _cell(table: EvidenceTable, row: int, column: str) -> CellRef:
    cells, at = table.rows[row], table.column(column)
    naming = table.naming[:1]
    return CellRef(
        result=table.name,
        title=table.title,
        row=row,
        row_key=str(_plain(cells[naming[0]])) if naming else "",
        column=column,
        value=_plain(cells[at]) if at is not None else None,
    )


def _plain(cell: Any) -> Any:
    return cell.isoformat() if isinstance(cell, date) else cell


def _source(result: str) -> int | None:
    """The source of the answer that a result is."""
    number = result[1:]
    return int(number) - 1 if result[:1] == "r" and number.isdecimal() else None
