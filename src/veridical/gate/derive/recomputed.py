"""Formulas that an answer writes out, recomputed from operands that rest on something."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from veridical.contracts.language import Language
from veridical.contracts.proof import Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Reading, Role
from veridical.gate.derive.formula import Formula, Shown, Tree, evaluate
from veridical.gate.derive.known import PERCENT, Known, is_figure, known_figure
from veridical.gate.derive.legal import objection
from veridical.gate.derive.operation import Operation
from veridical.gate.evidence.evidence import Evidence
from veridical.late_pattern import late_pattern

FREE = frozenset({0.0, 1.0, 2.0, 4.0, 10.0, 12.0, 52.0, 100.0, 360.0, 365.0, 1e3, 1e6, 1e9})
_NOISE = 1e-9
_NEAR = 0.005
_FINE = 0.01
_BY_HAND = 0.0005
_PASSES = 4
_HUNDRED = 100.0
_REACH = 24
_SOON = 120
_OPERATOR = late_pattern(
    r"(?:[×*∗·÷/^+({]|\s[-−–]|\\times|\\div|\\cdot|[{(]|\b(?:by|times|mal|durch|mit|um|minus|plus))"
    r"[\s$({]*$|[乘除]以$",
    re.IGNORECASE,
)
"""What stands before an operand."""
_REST = (Role.QUOTED, Role.OPERAND)


def check_formulas(
    formulas: Sequence[Formula],
    bounds: Sequence[Bound],
    text: str,
    evidence: Evidence,
    language: Language,
) -> dict[int, Bound]:
    """The claims in formulas, as far as these settle them; one may rest on another's result."""
    book = _Book(bounds, text, evidence, language)
    book.exempt_constants()
    waiting = list(formulas)
    for _ in range(_PASSES):
        before = len(waiting), len(book.changed)
        waiting = [formula for formula in waiting if not book.settle(formula)]
        book.take_up_parts()
        if (len(waiting), len(book.changed)) == before:
            break
    return book.changed


class _Book:
    """What is settled so far."""

    def __init__(
        self, bounds: Sequence[Bound], text: str, evidence: Evidence, language: Language
    ) -> None:
        self._bounds = bounds
        self._text = text
        self._evidence = evidence
        self._language = language
        self._parts: list[float] = []
        self.changed: dict[int, Bound] = {}

    def exempt_constants(self) -> None:
        """Multiplied by 100, divided by 2, minus 1: constants, not claims."""
        for at, bound in enumerate(self._bounds):
            if bound.standing is Standing.UNGROUNDED and is_figure(bound):
                reading = bound.claim.readings[0]
                before = self._text[max(0, bound.claim.start - _REACH) : bound.claim.start]
                if abs(reading.value) in FREE and not reading.unit and _OPERATOR.search(before):
                    self._exempt(at)

    def settle(self, formula: Formula) -> bool:
        """True when all operands are known, so that the results could be judged."""
        terms = len(formula.operands)
        known = [self._known(operand, terms) for operand in formula.operands]
        if any(each is None for each in known):
            return False
        operands = [each for each in known if each is not None]
        outcomes = list(_outcomes(formula, operands))
        for outcome, _ in outcomes:
            self._parts += outcome
        finals = [(outcome[-1], rate) for outcome, rate in outcomes]
        if finals:
            for result, negative in formula.results:
                self._judge(formula, operands, result, negative, finals)
            if not formula.results:
                self._take_up_result(formula, [final for final, _ in finals])
        return True

    def _take_up_result(self, formula: Formula, finals: Sequence[float]) -> None:
        """The first figure after an expression, in words: "Working this out gives about 0.4 %"."""
        last = max(each.end for each in formula.operands)
        at = next(
            (
                at
                for at, bound in enumerate(self._bounds)
                if last <= bound.claim.start <= last + _SOON
                and is_figure(bound)
                and bound.claim.role is Role.STATED
            ),
            None,
        )
        if at is None or self.changed.get(at, self._bounds[at]).standing is not Standing.UNGROUNDED:
            return
        claim = self._bounds[at].claim
        for reading in claim.readings:
            factor = _HUNDRED if reading.unit == PERCENT else 1.0
            if any(
                abs(abs(final) * factor - abs(reading.value)) <= reading.half_step * (1 + _NOISE)
                for final in finals
            ):
                said = f"{self._expression(formula)} = {finals[0]:.10g}"
                self.changed[at] = Bound(
                    claim, Standing.GROUNDED, Ground.DERIVATION, None, reading.value, said
                )
                return

    def take_up_parts(self) -> None:
        """Claims that go on with what an expression came to, in a line of their own."""
        parts = [part for part in self._parts if abs(part) not in FREE]
        for at, bound in enumerate(self._bounds):
            if at in self.changed or bound.standing is not Standing.UNGROUNDED:
                continue
            for reading in bound.claim.readings if is_figure(bound) else ():
                part = next((each for each in parts if _is_part(reading, each)), None)
                if part is not None:
                    self.changed[at] = Bound(
                        bound.claim,
                        Standing.GROUNDED,
                        Ground.DERIVATION,
                        value=reading.value,
                        derivation=f"{part:.10g}",
                    )
                    break

    def _known(self, shown: Shown, terms: int) -> Known | None:
        """The figure behind an operand: a claim that stands, a computed part, a constant."""
        at = self._claim_at(shown)
        full = shown.value * shown.scale
        unit = PERCENT if shown.percent else ""
        if at is not None:
            bound = self.changed.get(at, self._bounds[at])
            if bound.standing is Standing.GROUNDED or bound.claim.role in _REST:
                return known_figure(at, bound, self._evidence)
            if bound.standing is Standing.CONTRADICTED and not self._only_sign_differs(bound):
                return None
        if shown.value in FREE or (shown.value <= terms and shown.value.is_integer()):
            self._exempt(at)
            return Known(full, full, self._said(shown), shown.start, unit)
        reach = shown.half_step * shown.scale * (1 + _NOISE)
        for part in self._parts:
            for value in (full, shown.value):
                if (
                    abs(abs(part) - value)
                    <= (reach if value == full else shown.half_step) + value * _NOISE
                ):
                    return self._derived(at, shown, full, unit)
        return self._from_cells(at, shown, full, unit)

    def _only_sign_differs(self, bound: Bound) -> bool:
        """True where the cell has the same digits: in a formula the sign may be an operator."""
        cell = self._evidence.figure_at(bound.place) if bound.place is not None else None
        if cell is None:
            return False
        return any(
            abs(abs(cell) * scale - abs(reading.value)) <= reading.half_step * (1 + _NOISE)
            for reading in bound.claim.readings
            for scale in (1.0, reading.scale)
        )

    def _claim_at(self, shown: Shown) -> int | None:
        for at, bound in enumerate(self._bounds):
            claim = bound.claim
            if claim.start < shown.end and shown.start < claim.end and is_figure(bound):
                return at
        return None

    def _said(self, shown: Shown) -> str:
        return self._text[shown.start : shown.end].strip()

    def _exempt(self, at: int | None) -> None:
        if at is not None and self._bounds[at].standing is Standing.UNGROUNDED:
            self.changed[at] = Bound(self._bounds[at].claim, Standing.EXEMPT)

    def _derived(self, at: int | None, shown: Shown, full: float, unit: str) -> Known:
        if at is not None:
            claim = self._bounds[at].claim
            self.changed[at] = Bound(claim, Standing.GROUNDED, Ground.DERIVATION, value=full)
        return Known(full, full, self._said(shown), shown.start, unit, at, derived=True)

    def _from_cells(self, at: int | None, shown: Shown, full: float, unit: str) -> Known | None:
        """An operand whose sign is an operator of the formula may differ in sign from its cell."""
        reach = shown.half_step * (1 + _NOISE) + shown.value * _NOISE
        for value, step in ((shown.value, reach), (full, reach * shown.scale)):
            for sign in (1.0, -1.0):
                middle = value * sign
                codes = self._evidence.figures.between(middle - step, middle + step)
                if len(codes):
                    place = self._evidence.place(codes[0])
                    exact = abs(float(self._evidence.cell(place))) * full / value if value else 0.0
                    if at is not None:
                        self.changed[at] = Bound(
                            self._bounds[at].claim,
                            Standing.GROUNDED,
                            Ground.CELL,
                            place,
                            value=full,
                        )
                    return Known(full, exact, self._said(shown), shown.start, unit, at, place)
        return None

    def _judge(
        self,
        formula: Formula,
        operands: Sequence[Known],
        result: Shown,
        negative: bool,
        finals: Sequence[tuple[float, bool | None]],
    ) -> None:
        at = self._claim_at(result)
        if at is None:
            return
        bound = self.changed.get(at, self._bounds[at])
        if bound.claim.role is not Role.STATED or (
            bound.standing is Standing.GROUNDED and bound.ground is Ground.DERIVATION
        ):
            return
        claim = bound.claim
        indexes = tuple(each.claim for each in operands if each.claim is not None)
        said = f"{self._expression(formula)} = {finals[0][0]:.10g}"
        worked_out = _is_worked_out(formula.tree)
        if any(
            _comes_to(final, rate, result, negative, worked_out=worked_out)
            for final, rate in finals
        ):
            against = self._objection(formula.tree, operands)
            standing = Standing.ILLEGAL if against else Standing.GROUNDED
            value = next((each.value for each in claim.readings), None)
            self.changed[at] = Bound(
                claim, standing, Ground.DERIVATION, None, value, said, indexes, against
            )
        elif bound.standing is not Standing.GROUNDED or not _close(finals, result):
            self.changed[at] = Bound(
                claim, Standing.CONTRADICTED, Ground.DERIVATION, None, None, said, indexes
            )

    def _expression(self, formula: Formula) -> str:
        first = min(each.start for each in formula.operands)
        last = max(each.end for each in formula.operands)
        return " ".join(self._text[first:last].split())

    def _objection(self, tree: Tree, operands: Sequence[Known]) -> str:
        """Only a plain sum, or one divided by the number of its terms, is a sum over rows."""
        summed, divided = tree, False
        if not isinstance(tree, int) and tree[0] == "/" and isinstance(tree[2], int):
            summed, divided = tree[1], operands[tree[2]].place is None
        terms = _terms(summed)
        if len(terms) < 2:
            return _mixed(tree, operands, self._evidence, self._language)
        chosen = [operands[term] for term in terms]
        operation = Operation.MEAN if divided else Operation.SUM
        return objection(operation, chosen, self._evidence, self._language)


def _mixed(tree: Tree, operands: Sequence[Known], evidence: Evidence, language: Language) -> str:
    if isinstance(tree, int) or tree[0] != "-":
        return ""
    return objection(Operation.DIFFERENCE, operands, evidence, language)


def _is_worked_out(tree: Tree) -> bool:
    if isinstance(tree, int):
        return False
    return tree[0] in "*/^" or _is_worked_out(tree[1]) or _is_worked_out(tree[2])


def _terms(tree: Tree) -> list[int]:
    """The operands of a plain sum; nothing for any other tree."""
    if isinstance(tree, int):
        return [tree]
    if tree[0] != "+":
        return []
    left, right = _terms(tree[1]), _terms(tree[2])
    return [*left, *right] if left and right else []


def _outcomes(
    formula: Formula, known: Sequence[Known]
) -> Iterator[tuple[list[float], bool | None]]:
    """The values of the expression and its parts, for each way its operands may be meant.

    Beside them, whether percentages were taken as shares of one; none where there are none.
    """
    shown = formula.operands
    scaled = any(each.scale != 1.0 for each in shown)
    rates = any(each.percent for each in shown)
    hundredfold = any(each.value == _HUNDRED and not each.percent for each in shown)
    bracketed = any(each.bracketed for each in shown)
    rounded = any(each.exact != each.value for each in known)
    for exact, full, rate, flip in product(
        (False, True) if rounded else (False,),
        (True, False) if scaled else (True,),
        (False, True) if rates else (False,),
        (False, True) if bracketed else (False,),
    ):
        values: list[float] = []
        for each, figure in zip(shown, known, strict=True):
            value = abs(figure.exact) if exact else each.value * each.scale
            if not full:
                value /= each.scale
            if rate and each.percent:
                value /= 100
            values.append(-value if flip and each.bracketed else value)
        found = evaluate(formula.tree, values)
        if found:
            yield found, rate if rates and not hundredfold else None


def _comes_to(
    final: float, rate: bool | None, result: Shown, negative: bool, *, worked_out: bool
) -> bool:
    """True when the result is the value, rounded as shown; a loss may be told without its sign.

    A quotient or product, which is seldom even, may also be cut off, and be worked out by hand.
    """
    for value, reach in _targets(result, rate):
        if worked_out:
            reach = _by_hand(value, reach)
        if negative and abs(final + value) <= reach:
            return True
        if not negative and abs(abs(final) - value) <= reach:
            return True
    return False


def _by_hand(value: float, reach: float) -> float:
    """The reach of a figure that may be cut off instead of rounded, or worked out by hand."""
    cut = 2 * reach if 2 * reach <= _FINE * value else reach
    return max(cut, _BY_HAND * value)


def _is_part(reading: Reading, part: float) -> bool:
    for scale in {1.0, reading.scale}:
        value = abs(reading.value) / scale
        reach = _by_hand(value, reading.half_step / scale)
        if reach <= _FINE * value and abs(abs(part) - value) <= reach:
            return True
        if reading.unit == PERCENT and abs(abs(part) * 100 - value) <= reach <= _FINE * value:
            return True
    return False


def _targets(result: Shown, rate: bool | None) -> Iterator[tuple[float, float]]:
    """What the result may be compared with: a percentage as such, or as a share of one."""
    for scale in {1.0, result.scale}:
        value = result.value * scale
        reach = result.half_step * scale + value * _NOISE
        if not (result.percent and rate):
            yield value, reach
        if result.percent and rate is not False:
            yield value / 100, reach / 100


def _close(finals: Sequence[tuple[float, bool | None]], result: Shown) -> bool:
    """True when a figure that a cell bears out is off by the rounding of its operands only."""
    return any(
        abs(abs(final) - value) <= _NEAR * abs(final)
        for final, rate in finals
        for value, _ in _targets(result, rate)
    )
