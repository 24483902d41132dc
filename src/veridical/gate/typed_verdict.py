"""The verdict of the search prover: claims evaluated over typed evidence, each with its tick."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.contracts.input_budget import keep_time
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
from veridical.gate.answer_value import AnswerValue, first_place, has_value, value_in
from veridical.gate.basis_binding import binding_of
from veridical.gate.basis_cells import cell_ref
from veridical.gate.basis_words import BasisWords
from veridical.gate.bound import Bound
from veridical.gate.claim import StatedClaim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.prove import Proven, prove
from veridical.gate.prover.claim import STANDINGS, Claim, Stand
from veridical.gate.prover.facts import Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.prepared import Prepared, prepare_tables
from veridical.gate.proving import shown_binding
from veridical.gate.ticks.strangers import STRANGER
from veridical.gate.ticks.unproven_words import OPEN_WORD, OWN_WORDS
from veridical.gate.typed_evidence import typed_tables
from veridical.messages import message

_KINDS = {
    "figure": ClaimKind.NUMBER,
    "time": ClaimKind.DATE,
    "list": ClaimKind.LIST,
    "attribute": ClaimKind.NAME,
    "subject": ClaimKind.NAME,
    "name": ClaimKind.NAME,
    STRANGER: ClaimKind.NAME,
}


_NO_DATA = frozenset({OWN_WORDS, OPEN_WORD})
"""Kinds of claims that are only marked, since no result could prove them."""


@dataclass(frozen=True, slots=True)
class TypedAnswer:
    """An answer with its evaluated claims, before the policy is applied."""

    proven: Proven
    claims: tuple[Claim, ...]

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """Its claims as the rules about a run see them."""
        figures = {figure.start: figure for figure in self.proven.reading.figures}
        return tuple(
            _bound(claim, figures.get(claim.start), self.proven)
            for claim in self.claims
            if claim.kind not in _NO_DATA
        )

    @property
    def proof(self) -> Proof:
        """The proof of the claims alone; its findings never block."""
        findings = tuple(_findings(self))
        claims = tuple(_shown(claim, self.proven) for claim in self.claims)
        return Proof(verdict=verdict_of(findings), claims=claims, findings=findings)


def check_typed(
    answer: str,
    evidence: Any,
    question: str,
    language: Language | None,
    earlier: str = "",
) -> TypedAnswer:
    """The claims of an answer in plain text; may raise ``OverBudgetError``.

    ``earlier`` are the user's questions before. Only certainly bound claims are green.
    """
    ready = _prepared(evidence)
    proven = prove(answer, ready, question, language, earlier, only_certain=True)
    return TypedAnswer(proven, tuple(proven.claims))


def _bound(claim: Claim, figure: Figure | None, proven: Proven) -> Bound:
    start, end = proven.reading.clean.span(claim.start, claim.end)
    kind = _KINDS.get(claim.kind, ClaimKind.FACT)
    text = proven.reading.clean.shown[start:end]
    readings, mark = (figure.readings, figure.mark) if figure else ((), "")
    stated = StatedClaim(kind, text, start, end, readings=readings, mark=mark)
    ground = None
    if claim.stand is Stand.PROVEN:
        of_rows = claim.basis is not None and claim.basis.how in _ROW_COUNTS
        ground = Ground.ROW_COUNT if of_rows else Ground.DERIVATION
        if _is_from_question(claim):
            ground = Ground.QUESTION
    return Bound(stated, STANDINGS[claim.stand], ground, _cell(claim))


def _cell(claim: Claim) -> Binding | None:
    """Result and row of a figure that is a cell, for the rule about lists that were cut."""
    basis = claim.basis
    if claim.stand is not Stand.PROVEN or basis is None or basis.how is not How.ITSELF:
        return None
    fact = basis.facts[0]
    if fact.over is not Over.CELL:
        return None
    return Binding(ground=Ground.CELL, source=fact.table, row=min(fact.rows))


_ROW_COUNTS = frozenset({How.ALL_ROWS})


def _prepared(evidence: Any) -> Prepared:
    """The evidence as typed tables; evidence prepared for several answers is typed once."""
    if not isinstance(evidence, Evidence):
        return prepare_tables(typed_tables(evidence))
    if Prepared not in evidence.derived:
        evidence.derived[Prepared] = prepare_tables(typed_tables(evidence))
    return evidence.derived[Prepared]


def _findings(answer: TypedAnswer) -> Iterator[Finding]:
    proven = answer.proven
    language = proven.reading.words.language
    for claim in answer.claims:
        keep_time()
        if claim.stand is Stand.PROVEN or claim.kind == OWN_WORDS:
            continue  # nothing to look up: it is only marked
        wrong = claim.stand is Stand.CONTRADICTED
        text = proven.reading.text[claim.start : claim.end]
        code = GateCode.CONTRADICTED_CLAIM if wrong else GateCode.UNGROUNDED_CLAIM
        key = f"gate.{code}"
        if claim.kind == "list":
            code, key = GateCode.LIST_MISMATCH, "gate.LIST_MISMATCH_incomplete"
        elif claim.kind == STRANGER:
            code = GateCode.UNKNOWN_NAME
            key = f"gate.{code}"
        figure = next((each for each in proven.reading.figures if each.start == claim.start), None)
        value = value_in(text, figure.readings if figure else ())
        cell = _against(claim, value, proven, language)
        if not cell and claim.kind not in ("list", STRANGER):
            cell, kind = _elsewhere(value, proven, language)
            key += kind if kind != "_word" or not wrong else ""
        nearest = message("gate.instead", language, cell=cell) if cell else ""
        yield Finding(
            code=code,
            mode=Mode.WARN,
            hint=message(key, language, claim=text, nearest=nearest, found=cell).strip(),
            claim=text,
            start=proven.reading.clean.span(claim.start, claim.end)[0],
            nearest=cell,
        )


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """The verdict of findings: one that blocks holds the answer back."""
    modes = {finding.mode for finding in findings}
    if Mode.BLOCK in modes:
        return Verdict.BLOCK
    return Verdict.WARN if Mode.WARN in modes else Verdict.PASS


def _against(claim: Claim, value: AnswerValue, proven: Proven, language: Language) -> str:
    """The evidence that a claim contradicts, unless it has the very same value."""
    if claim.basis is None or claim.stand is not Stand.CONTRADICTED:
        return ""
    found = binding_of(claim.basis, proven.tables, language)
    if any(has_value(each.value, value) for each in found.cells):
        return ""
    return shown_binding(found, language)


def _elsewhere(value: AnswerValue, proven: Proven, language: Language) -> tuple[str, str]:
    """The cell with the very value of an unproven claim, and the suffix of its message."""
    if not value.is_value:
        return "", "_word"
    found = first_place(value, (table.rows for table in proven.tables))
    cell = cell_ref(proven.tables[found[0]], *found[1:]) if found else None
    if cell is None or not value.fits(cell.unit):
        return "", ""
    found_there = Binding(
        ground=Ground.CELL,
        row_key=cell.row_key,
        column=cell.column,
        value=cell.value,
        unit=cell.unit,
    )
    return shown_binding(found_there, language), "_elsewhere"


def _shown(claim: Claim, proven: Proven) -> ProvenClaim:
    start, end = proven.reading.clean.span(claim.start, claim.end)
    stands = claim.stand is Stand.PROVEN
    found = _binding(claim, proven)
    return ProvenClaim(
        kind=_KINDS.get(claim.kind, ClaimKind.FACT),
        text=proven.reading.clean.shown[start:end],
        start=start,
        end=end,
        standing=Standing.EXEMPT if _is_from_question(claim) else STANDINGS[claim.stand],
        binding=found if stands else None,
        nearest=None if stands else found,
    )


def _is_from_question(claim: Claim) -> bool:
    """True for a claim that is only repeated from the question, which proves nothing."""
    from_question = claim.basis is not None and claim.basis.how is How.QUESTION
    return from_question and claim.stand is Stand.PROVEN


def _binding(claim: Claim, proven: Proven) -> Binding | None:
    language = proven.reading.words.language
    if claim.basis is not None:
        found = binding_of(claim.basis, proven.tables, language)
        if claim.stand is Stand.UNPROVEN and claim.basis.chance is not None:
            share = f"{100 * claim.basis.chance:.0f}"
            words = f"{found.words}; {message('proof.by_chance', language, share=share)}"
            found = found.model_copy(update={"words": words})
        return found
    if claim.stand is not Stand.PROVEN:
        return None
    words = BasisWords(proven.tables, language).of_kind(claim.kind)
    return Binding(ground=Ground.DERIVATION, words=words)
