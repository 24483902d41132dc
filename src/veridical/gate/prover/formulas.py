"""Arithmetic that an answer shows: each of its figures must be there, and the result must follow.

Shown arithmetic states what a figure is made of. Its figures are cells of the evidence, proven
elsewhere in the answer, results of arithmetic before, or arithmetic constants; a result that
follows from them is proven, and so is each repetition of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.gate.formula import Formula, Shown, Tree, evaluate, find_formulas
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.how import How
from veridical.reading.figure import Reading

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_CONSTANTS = frozenset({1.0, 4.0, 12.0, 100.0, 360.0, 365.0})
_FULL = 100.0
_DUST = 1e-9


def with_formulas(prover: "Prover") -> Iterator[tuple[int, Claim]]:
    """Claims that shown arithmetic proves, by their places among the claims."""
    reader = _FormulaReader(prover)
    for formula in find_formulas(prover.answer.text):
        yield from reader.proven(formula)
    yield from reader.repeated_results()


class _FormulaReader:
    def __init__(self, prover: "Prover") -> None:
        self._prover = prover
        self._text = prover.answer.text
        self._claims = list(prover.claims)
        self._results: set[float] = set()

    def proven(self, formula: Formula) -> Iterator[tuple[int, Claim]]:
        """The claims that an expression and its results prove, if all its figures are there."""
        terms = _terms(formula.tree)
        if not all(self._is_there(each, terms) for each in formula.operands):
            return
        expression = self._text[formula.operands[0].start : formula.operands[-1].end]
        basis = Basis(How.FORMULA, values=(expression,))
        for operand in formula.operands:
            yield from self._as_proven(operand, basis)
        for result, is_negative in formula.results:
            if _follows(formula, result, is_negative=is_negative):
                self._results.add(result.value)
                yield from self._as_proven(result, basis)

    def repeated_results(self) -> Iterator[tuple[int, Claim]]:
        """Figures that repeat a result."""
        for figure, claim in self._figures():
            values = {abs(each.value / each.scale) for each in figure}
            if claim.stand is Stand.UNPROVEN and not values.isdisjoint(self._results):
                at = self._claims.index(claim)
                yield at, replace(claim, stand=Stand.PROVEN, reason=How.FORMULA, basis=_AGAIN)

    def _is_there(self, operand: Shown, terms: int) -> bool:
        if operand.value in _CONSTANTS or operand.value == terms:
            return True
        if operand.value in self._results:
            return True
        claim = self._claim(operand)
        if claim is not None and claim.stand is not Stand.UNPROVEN:
            return claim.stand is Stand.PROVEN
        return self._prover.ready.facts.holds(operand.value, operand.half_step)

    def _as_proven(self, shown: Shown, basis: Basis) -> Iterator[tuple[int, Claim]]:
        claim = self._claim(shown)
        if claim is not None and claim.stand is Stand.UNPROVEN:
            at = self._claims.index(claim)
            made = replace(claim, stand=Stand.PROVEN, reason=How.FORMULA, basis=basis)
            self._claims[at] = made
            yield at, made

    def _claim(self, shown: Shown) -> Claim | None:
        return next((each for each in self._claims if each.start <= shown.start < each.end), None)

    def _figures(self) -> Iterator[tuple[Sequence[Reading], Claim]]:
        by_start = {figure.start: figure.readings for figure in self._prover.answer.figures}
        for claim in self._claims:
            if claim.kind == "figure" and claim.start in by_start:
                yield by_start[claim.start], claim


_AGAIN = Basis(How.FORMULA, values=("",))


def _terms(tree: Tree) -> int:
    """How many figures are added up: a mean is divided by as many."""
    if isinstance(tree, int):
        return 1
    sign, left, right = tree
    if sign in ("+", "-"):
        return _terms(left) + _terms(right)
    return max(_terms(left), _terms(right))


def _follows(formula: Formula, result: Shown, *, is_negative: bool) -> bool:
    """True if the expression gives the shown result, in its scale or that of its figures."""
    plain = [each.value for each in formula.operands]
    scaled = [each.value * each.scale for each in formula.operands]
    shown = -result.value if is_negative else result.value
    for values, target, room in (
        (plain, shown, result.half_step),
        (scaled, shown * result.scale, result.half_step * result.scale),
    ):
        made = evaluate(formula.tree, values)[-1:]
        candidates = [*made, *(_FULL * each for each in made if result.percent)]
        if any(abs(abs(each) - abs(target)) <= room * (1 + _DUST) + _DUST for each in candidates):
            return True
    return False
