"""The verdict of the search prover: claims evaluated over typed evidence, each with its tick."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.contracts.proof import Binding, ClaimKind, Finding, GateCode, Ground, ProvenClaim
from veridical.contracts.violation import Mode
from veridical.evidence.read import typed_tables
from veridical.gate.answer_value import AnswerValue, CellValues, has_value, value_in
from veridical.gate.basis_binding import binding_of
from veridical.gate.basis_cells import cell_ref
from veridical.gate.basis_words import BasisWords
from veridical.gate.bound import Bound
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.prove import Proven, prove
from veridical.gate.prover.claim import STANDINGS, Claim, Stand
from veridical.gate.prover.facts import Over
from veridical.gate.prover.how import How
from veridical.gate.prover.prepared import Prepared, prepare_tables
from veridical.gate.prover.strangers import STRANGER
from veridical.gate.prover.words import OPEN_WORD, OWN_WORDS
from veridical.gate.proving import shown_binding
from veridical.gate.text.figures import Figure
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

    bounds: tuple[Bound, ...]
    """Its claims as the rules about a run see them."""
    claims: tuple[ProvenClaim, ...]
    findings: tuple[Finding, ...]
    """About the claims alone; they never block."""


def check_typed(
    answer: str,
    evidence: Evidence,
    question: str,
    language: Language | None,
    earlier: str = "",
) -> TypedAnswer:
    """The claims of an answer in plain text; may raise ``OverBudgetError``.

    ``earlier`` are the user's questions before. Only certainly bound claims are green.
    """
    if Prepared not in evidence.derived:  # typed once for several answers
        evidence.derived[Prepared] = prepare_tables(typed_tables(evidence.exhibits))
    ready: Prepared = evidence.derived[Prepared]
    proven = prove(answer, ready, question, language, earlier)
    figures = {figure.start: figure for figure in proven.reading.figures}
    bounds = [_bound(claim, figures.get(claim.start), proven) for claim in proven.claims]
    each = list(zip(proven.claims, bounds, strict=True))
    return TypedAnswer(
        tuple(bound for claim, bound in each if claim.kind not in _NO_DATA),
        tuple(bound._replace(binding=_binding(claim, proven)).on_wire for claim, bound in each),
        tuple(_findings(proven, figures)),
    )


def _bound(claim: Claim, figure: Figure | None, proven: Proven) -> Bound:
    start, end = proven.reading.clean.span(claim.start, claim.end)
    readings, mark = (figure.readings, figure.mark) if figure else ((), "")
    ground = None
    if claim.stand is Stand.PROVEN:
        how = claim.basis.how if claim.basis is not None else None
        ground = _GROUNDS.get(how, Ground.DERIVATION) if how else Ground.DERIVATION
    return Bound(
        _KINDS.get(claim.kind, ClaimKind.FACT),
        proven.reading.clean.shown[start:end],
        start,
        end,
        STANDINGS[claim.stand],
        ground,
        _cell(claim),
        readings,
        mark,
    )


_GROUNDS = {How.ALL_ROWS: Ground.ROW_COUNT, How.QUESTION: Ground.QUESTION}
"""What is only repeated from the question proves nothing."""


def _cell(claim: Claim) -> Binding | None:
    """Result and row of a figure that is a cell, for the rule about lists that were cut."""
    basis = claim.basis
    if claim.stand is not Stand.PROVEN or basis is None or basis.how is not How.ITSELF:
        return None
    fact = basis.facts[0]
    if fact.over is not Over.CELL:
        return None
    return Binding(ground=Ground.CELL, source=fact.table, row=min(fact.rows))


def _findings(proven: Proven, figures: Mapping[int, Figure]) -> Iterator[Finding]:
    language = proven.reading.words.language
    cells = CellValues(table.rows for table in proven.tables)
    for claim in proven.claims:
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
        figure = figures.get(claim.start)
        value = value_in(text, figure.readings if figure else ())
        cell = _against(claim, value, proven, language)
        if not cell and claim.kind not in ("list", STRANGER):
            cell, kind = _elsewhere(value, cells, proven, language)
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


def _against(claim: Claim, value: AnswerValue, proven: Proven, language: Language) -> str:
    """The evidence that a claim contradicts, unless it has the very same value."""
    if claim.basis is None or claim.stand is not Stand.CONTRADICTED:
        return ""
    found = binding_of(claim.basis, proven.tables, language)
    if any(has_value(each.value, value) for each in found.cells):
        return ""
    return shown_binding(found, language)


def _elsewhere(
    value: AnswerValue, cells: CellValues, proven: Proven, language: Language
) -> tuple[str, str]:
    """The cell with the very value of an unproven claim, and the suffix of its message."""
    if not value.is_value:
        return "", "_word"
    found = cells.first_place(value)
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


def _binding(claim: Claim, proven: Proven) -> Binding | None:
    language = proven.reading.words.language
    if claim.basis is not None:
        return binding_of(claim.basis, proven.tables, language)
    if claim.stand is not Stand.PROVEN:
        return None
    words = BasisWords(proven.tables, language).of_kind(claim.kind)
    return Binding(ground=Ground.DERIVATION, words=words)
