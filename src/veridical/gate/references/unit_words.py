"""Units: a unit that is written beside a figure is its own."""

from collections.abc import Iterator
from dataclasses import replace

from veridical.evidence.column import Kind
from veridical.evidence.dimension import Dimension, Quantity, paid
from veridical.evidence.unit import unit_dimension
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.value import Figure
from veridical.gate.prover.names import tokens
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.labelled import (
    LabelledText,
)
from veridical.gate.references.sentences import Sentence
from veridical.gate.references.shown import Part, Piece
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN

_AFTER = late_pattern(r"[*_]*[ \u00a0]?(°C|℃|[^\W\d_]+|[%€$£¥])")
_BEFORE = late_pattern(r"([€$£¥])[ \u00a0]?[*_]*$")
_TIMES = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)
_WHOLE = 1e-9
_HAN = late_pattern(f"[{HAN}]")
_SHORTEST_HAN, _LONGEST_HAN = 2, 4


def _unit(said: str) -> Dimension | None:
    """The unit that a word is, or that a run of Chinese signs begins with."""
    if not _HAN.match(said):
        return unit_dimension(said)
    shortest = min(len(said), _SHORTEST_HAN)  # a sign alone is often the beginning of a verb
    found = (unit_dimension(said[:length]) for length in range(_LONGEST_HAN, shortest - 1, -1))
    return next((each for each in found if each is not None), None)


class UnitChecker:
    """Checks the units that an answer writes itself."""

    def __init__(self, text: LabelledText) -> None:
        self._text = text

    def findings(self) -> Iterator[Finding]:
        """All figures beside a unit that is not theirs."""
        for sentence in self._text.sentences:
            for piece in sentence.pieces:
                if piece.part is Part.FIGURE and isinstance(piece.value, Figure):
                    value = replace(piece.value, dimension=paid(piece.value.dimension))
                    yield from self._unit(sentence, piece, value)

    def _unit(self, sentence: Sentence, piece: Piece, value: Figure) -> Iterator[Finding]:
        after = _AFTER.match(sentence.text, piece.end - sentence.start)
        before = _BEFORE.search(sentence.text[: piece.start - sentence.start])
        for match in (after, before):
            if match is not None and not self._is_unit(match[1], piece, value):
                yield Finding(Problem.UNIT, piece.start, piece.end, match[1])
                return

    def _is_unit(self, said: str, piece: Piece, value: Figure) -> bool:
        """Whether a word beside a figure is its unit, or none at all."""
        quantity = value.dimension.quantity
        counters = self._text.words.base.counters
        if said[0] in counters:
            united = quantity not in (Quantity.COUNT, Quantity.NUMBER)
            whole = abs(value.value - round(value.value)) < _WHOLE
            averaged = isinstance(piece.expression, ex.Arithmetic | ex.Reduced)
            return not united and (whole or averaged or said[0] != said)
        unit = _unit(said)
        if unit is None or unit.quantity is Quantity.COUNT:
            return True
        if unit.quantity is not quantity:
            return self._is_counted_in(said, unit, piece, value)
        if unit.unit and value.dimension.unit:
            rated = quantity is Quantity.MONEY or bool(value.dimension.per)
            same = rated or unit.factor == value.scale
            return same and unit.unit == value.dimension.unit
        if quantity is Quantity.DURATION:
            return unit.factor == value.scale
        return True

    def _is_counted_in(self, said: str, unit: Dimension, piece: Piece, value: Figure) -> bool:
        """Whether a count is one of days or months: by its rows, its column or the question."""
        if unit.quantity is not Quantity.DURATION:
            return False
        if value.dimension.quantity not in (Quantity.COUNT, Quantity.NUMBER):
            return False
        if said.casefold() in self._text.question:
            return True
        tables = [leaf.rows.table for leaf in piece.leaves]
        timed = any(column.kind in _TIMES for table in tables for column in table.columns)
        if isinstance(piece.expression, ex.Count):
            stems = {token.stem for token in tokens(said)}
            names = {c.name for table in tables for c in table.columns if c.kind is not Kind.FIGURE}
            named = {t.stem for name in names for t in tokens(name.replace("_", " "))}
            return timed or bool(stems & named)
        return any(said.casefold() in name.casefold() for name in self._text.columns(piece))
