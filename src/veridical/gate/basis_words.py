"""The expression that a claim rests on, in words that a reader understands."""

from collections.abc import Iterable, Sequence

from veridical.contracts.language import Language
from veridical.evidence.column import Column
from veridical.evidence.dimension import Quantity
from veridical.evidence.table import EvidenceTable
from veridical.evidence.unit import unit_dimension
from veridical.gate.basis_cells import row_name
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import Fact, Over, Rows
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.proving import shown_value
from veridical.messages import message
from veridical.ontology.terms import split_name

_MOST_NAMED = 3
_MOST_COLUMNS = 2
_SIGNIFICANT = 12
_SHOWN = 4
_OPERATORS = {How.ADDED: "+", How.DIFFERENCE: "-", How.RATIO: "/", How.PRODUCT: "*"}
_COMBINED = frozenset({*_OPERATORS, How.CHANGE})


class BasisWords:
    """Words over these tables, in one language."""

    def __init__(self, tables: Sequence[EvidenceTable], language: Language) -> None:
        self._tables = tables
        self._language = language

    def words(self, basis: Basis) -> str:
        """The expression: ``sum of revenue over all 4 rows (region)``."""
        if basis.how is How.ITSELF:
            return self._fact(basis.facts[0])
        if basis.how in _COMBINED:
            return self._combined(basis.how, basis.facts)
        name = f"how_{basis.how}"
        if basis.how is How.RANK and len(basis.columns) == 1:
            name += "_by"
        first, second = (*basis.values, "", "")[:2]
        return self._message(
            name,
            first=first,
            second=second,
            column=self._columns(basis.columns),
            rows=self._rows(basis.table, basis.rows) if basis.table >= 0 else first,
        )

    def arithmetic(self, basis: Basis) -> str:
        """The arithmetic in full; empty where nothing is combined."""
        if basis.how is How.ROWS_OF_ROWS:
            part, whole = map(int, basis.values)
            return f"{part} / {whole} = {part / whole:.{_SHOWN}g}"
        if basis.how is How.ITSELF:
            return f"{self.words(basis)} = {self._figure(basis.facts[0].raw)}"
        if basis.how not in _COMBINED or len(basis.facts) != 2:
            return ""
        one, other = basis.facts
        # in one unit the figures are as the results have them, else in base units
        alike = one.dimension.factor == other.dimension.factor and one.dimension == other.dimension
        first, second = (one.raw, other.raw) if alike else (one.value, other.value)
        left, right = self._figure(first), self._figure(second)
        if basis.how is How.CHANGE:
            return f"{left} / {right} - 1 = {self._figure(first / second - 1, _SHOWN)}"
        value = _computed(basis.how, first, second)
        digits = _SHOWN if basis.how is How.RATIO else _SIGNIFICANT
        return f"{left} {_OPERATORS[basis.how]} {right} = {self._figure(value, digits)}"

    def of_kind(self, kind: str) -> str:
        """The basis of a claim of this kind in words, where there is no expression."""
        known = ("time", "direction", "order", "compare", "proportion", "cause")
        return self._message(f"kind_{kind if kind in known else 'other'}")

    def _combined(self, how: How, facts: Sequence[Fact]) -> str:
        if len(facts) != 2:
            return " + ".join(map(self._fact, facts))
        one, other = facts
        part = one.ref == other.ref and one.table >= 0 and one.rows < other.rows
        name = "how_share" if how is How.RATIO and part else f"how_{how}"
        return self._message(name, one=self._fact(one), other=self._fact(other))

    def _fact(self, fact: Fact) -> str:
        if fact.table < 0:
            if fact.how is not None and fact.how in _COMBINED and fact.parts:
                return f"({self._combined(fact.how, fact.parts)})"
            return self._fact(fact.parts[0]) if fact.parts else self._figure(fact.raw)
        table = self._tables[fact.table]
        column = self._label(table.columns[fact.column])
        if fact.over in (Over.CELL, Over.DERIVED):
            rows = self._rows(fact.table, fact.rows)
            return self._message("cell", column=column, row=rows) if len(table.rows) > 1 else column
        return self._message(
            f"over_{fact.over}", column=column, rows=self._rows(fact.table, fact.rows)
        )

    def _rows(self, at: int, rows: Rows) -> str:
        """All rows, a few by their names, else how many."""
        table = self._tables[at]
        every = len(rows) > 1 and rows >= frozenset(table.members)
        if not every and len(rows) <= _MOST_NAMED:
            return self._message("separator").join(row_name(table, row) for row in sorted(rows))
        name = "rows_all" if every else "rows_some"
        if not table.naming:
            return self._message(name, count=len(rows))
        noun = self._label(table.columns[table.naming[0]])
        return self._message(f"{name}_named", count=len(rows), noun=noun)

    def _columns(self, columns: Iterable[ColumnRef]) -> str:
        names = [self._label(self._tables[each.table].columns[each.column]) for each in columns]
        return self._message("separator").join(list(dict.fromkeys(names))[:_MOST_COLUMNS])

    def _label(self, column: Column) -> str:
        """The name of a column for readers; of its labels only Chinese ones are used, since the
        language of the others is unknown."""
        chinese = self._language is Language.ZH
        called = next((each for each in column.labels if chinese and not each.isascii()), "")
        if called:
            return called
        words = split_name(column.name).replace("_", " ").split()
        typed = column.dimension
        if len(words) > 1 and typed and (typed.unit or typed.quantity is Quantity.SHARE):
            words = words[:-1] if unit_dimension(words[-1]) else words  # the cells show it
        return " ".join(words)

    def _figure(self, value: float, digits: int = _SIGNIFICANT) -> str:
        return shown_value(float(f"{value:.{digits}g}"), self._language)

    def _message(self, name: str, **values: object) -> str:
        return message(f"proof.{name}", self._language, **values)


def _computed(how: How, one: float, other: float) -> float:
    match how:
        case How.ADDED:
            return one + other
        case How.DIFFERENCE:
            return one - other
        case How.PRODUCT:
            return one * other
        case _:
            return one / other
