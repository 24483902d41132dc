"""A proof as every rendering shows it: each claim with a sign, words and cells, whichever gate
it is from; and the places of the answer that are marked."""

from dataclasses import dataclass

from veridical.contracts.language import Language
from veridical.contracts.proof import (
    Binding,
    CellRef,
    Ground,
    PassageRef,
    Proof,
    ProvenClaim,
    Standing,
    Verdict,
)
from veridical.gate.proving import shown_value
from veridical.messages import message

SIGNS = {
    Standing.GROUNDED: "✓",
    Standing.UNGROUNDED: "?",
    Standing.CONTRADICTED: "✗",
    Standing.ILLEGAL: "✗",
    Standing.EXEMPT: "·",
}
_WORST_FIRST = ("✗", "?", "✓", "·")
_IN_WORDS = frozenset({Ground.QUESTION, Ground.ROW_COUNT, Ground.ONTOLOGY, Ground.PASSAGE})


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """One claim, numbered as the list below an answer numbers it."""

    number: int
    claim: ProvenClaim
    explanation: str
    """Its basis, or the evidence against it, in one line."""
    cells: tuple[CellRef, ...]
    left_out: int
    """How many more cells there are."""
    passages: tuple[PassageRef, ...] = ()
    """The passages of documents."""

    @property
    def sign(self) -> str:
        """The sign of its standing, readable without colours."""
        return SIGNS[self.claim.standing]


@dataclass(frozen=True, slots=True)
class Marked:
    """A place of the answer with the claims that are made there."""

    start: int
    end: int
    claims: tuple[ShownClaim, ...]

    @property
    def sign(self) -> str:
        """The sign of the worst of its claims."""
        return min((each.sign for each in self.claims), key=_WORST_FIRST.index)


def with_words(proof: Proof, language: Language = Language.EN) -> Proof:
    """The proof with words and cells in every binding, as JSON shows it."""
    claims = tuple(_with_words(claim, language) for claim in proof.claims)
    return proof.model_copy(update={"claims": claims})


def shown_claims(proof: Proof, language: Language) -> tuple[ShownClaim, ...]:
    """All claims, in the order of the proof."""
    worded = with_words(proof, language).claims
    return tuple(_shown(number, claim, language) for number, claim in enumerate(worded, 1))


def marked_places(claims: tuple[ShownClaim, ...], answer: str) -> tuple[Marked, ...]:
    """The places to mark, in order; claims that overlap share one."""
    found: list[Marked] = []
    for each in sorted(claims, key=lambda each: (each.claim.start, each.number)):
        start, end = each.claim.start, each.claim.end
        if not 0 <= start < end <= len(answer):
            continue
        if found and start < found[-1].end:
            last = found.pop()
            found.append(Marked(last.start, max(last.end, end), (*last.claims, each)))
        else:
            found.append(Marked(start, end, (each,)))
    return tuple(found)


def shown_cell(cell: CellRef, language: Language) -> str:
    """A cell in one line: ``r1: sales[2025-03] = 1'234.50 CHF``."""
    result = f"{cell.result}: " if cell.result else ""
    key = f"[{cell.row_key}]" if cell.row_key else ""
    unit = f" {cell.unit}" if cell.unit else ""
    return f"{result}{cell.column}{key} = {shown_value(cell.value, language)}{unit}"


def shown_passage(ref: PassageRef) -> str:
    """A passage of a document in one line: ``c3[120:161] = “rose by 5 %”``."""
    text = " ".join(ref.text.split())
    return f"{ref.chunk}[{ref.start}:{ref.end}] = “{text}”" if ref.end else ref.chunk


def verdict_words(proof: Proof, language: Language) -> str:
    """The verdict in a word or two; an answer that claims nothing has passed and proves nothing."""
    passed = proof.verdict is Verdict.PASS
    name = "nothing" if passed and not proof.proves else proof.verdict
    return message(f"gate.verdict_{name}", language)


def _shown(number: int, claim: ProvenClaim, language: Language) -> ShownClaim:
    binding = claim.binding or claim.nearest
    stands = message(f"gate.standing_{claim.standing}", language)
    if binding is None:
        return ShownClaim(number, claim, stands, (), 0)
    explanation = _with_arithmetic(binding)
    if claim.standing is not Standing.GROUNDED:
        explanation = f"{stands}; {explanation}"
    return ShownClaim(
        number, claim, explanation, binding.cells, binding.cells_left_out, binding.passages
    )


def _with_arithmetic(binding: Binding) -> str:
    words, computed = binding.words, binding.derivation
    if not computed:
        return words
    return computed if computed.startswith(words) else f"{words}: {computed}"


def _with_words(claim: ProvenClaim, language: Language) -> ProvenClaim:
    update = {
        name: _explained(binding, language)
        for name, binding in (("binding", claim.binding), ("nearest", claim.nearest))
        if binding is not None and not binding.words
    }
    return claim.model_copy(update=update) if update else claim


def _explained(binding: Binding, language: Language) -> Binding:
    """A binding that points at one cell at most, as those of known questions do."""
    cells: tuple[CellRef, ...] = ()
    if binding.column:
        cell = CellRef(
            result="" if binding.source is None else f"r{binding.source + 1}",
            row=binding.row,
            row_key=binding.row_key,
            column=binding.column,
            value=binding.value,
            unit=binding.unit,
        )
        cells = (cell,)
    return binding.model_copy(update={"words": _words(binding, language), "cells": cells})


def _words(binding: Binding, language: Language) -> str:
    if binding.ground in _IN_WORDS:
        return message(f"gate.ground_{binding.ground}", language)
    if binding.derivation:
        return binding.derivation
    if not binding.column:
        return shown_value(binding.value, language)
    if not binding.row_key:
        return binding.column
    return message("proof.cell", language, column=binding.column, row=binding.row_key)
