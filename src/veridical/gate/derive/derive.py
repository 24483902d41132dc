"""Claims that follow from others: by arithmetic the answer shows, or by an operation it names.

Four steps, each from what the one before has grounded: formulas that the answer writes out; what
follows from a whole table; operations that its words name, over the figures it states; and
operations over the cells that the question or the answer names. Only figures that rest on evidence
are computed with.
"""

from collections.abc import Sequence

from veridical.contracts.language import Language
from veridical.contracts.proof import Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Role
from veridical.gate.derive.asked import Asked
from veridical.gate.derive.course import check_courses
from veridical.gate.derive.formula import find_formulas
from veridical.gate.derive.known import is_figure
from veridical.gate.derive.ledger import derive_from_lines
from veridical.gate.derive.recomputed import check_formulas
from veridical.gate.derive.remainder import derive_remainders
from veridical.gate.derive.rows import derive_from_rows
from veridical.gate.derive.said import derive_said
from veridical.gate.derive.table import derive_from_tables
from veridical.gate.derive.whole import derive_wholes
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.layout import Layout, read_layout


def derive(
    bounds: Sequence[Bound],
    text: str,
    evidence: Evidence,
    question: str = "",
    language: Language = Language.EN,
    layout: Layout | None = None,
) -> dict[int, Bound]:
    """How claims stand after all that can be derived, by their place; others stay as they are.

    Looked at are figures without a ground, and the results of formulas that the answer shows:
    one that does not come out is contradicted, whatever cell it happens to equal.
    """
    current = list(bounds)
    formulas = find_formulas(text)
    courses = check_courses(current, text)
    if not formulas and not _open(current):
        return courses
    changed = check_formulas(formulas, current, text, evidence, language)
    _apply(current, changed)
    if _open(current):
        shape = layout or read_layout(text)
        found = derive_from_tables(current, _open(current), shape, evidence, question, language)
        _apply(current, found)
        changed |= found
        found = derive_said(current, shape, evidence, question, language)
        _apply(current, found)
        changed |= found
        if _open(current):
            asked = Asked(evidence, question, language)
            found = asked.derive(current, _open(current), shape)
            _apply(current, found)
            found |= derive_remainders(current, _open(current), shape, evidence)
            _apply(current, found)
            found |= derive_from_lines(current, _open(current), shape, evidence, language)
            _apply(current, found)
            found |= derive_from_rows(current, _open(current), shape, evidence, language)
            _apply(current, found)
            still = _open(current)
            found |= derive_wholes(current, still, shape, evidence, question, language)
            _apply(current, found)
            changed |= found
            if found and formulas:
                changed |= check_formulas(formulas, current, text, evidence, language)
    return changed | courses


def _open(bounds: Sequence[Bound]) -> list[int]:
    return [
        at
        for at, bound in enumerate(bounds)
        if bound.standing is Standing.UNGROUNDED
        and bound.claim.role is Role.STATED
        and is_figure(bound)
    ]


def _apply(bounds: list[Bound], changed: dict[int, Bound]) -> None:
    for at, bound in changed.items():
        bounds[at] = bound
