"""The facts of a query, in the same terms for a structured call and for any SQL.

A *use* is one mention of a base table. An *origin* is a column of a use: through aliases, CTEs and
sub-queries, a value is traced back to the origins that it was made from.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from veridical.contracts.language import Text
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard, TableCard
from veridical.ontology.model import Constraint


class Origin(NamedTuple):
    """A column of one use of a table."""

    use: int
    column: ColumnCard

    @property
    def place(self) -> tuple[int, str]:
        """The use and the column's name."""
        return self.use, self.column.name


class Use(NamedTuple):
    """One mention of a base table."""

    id: int
    table: TableCard


class LiteralKind(StrEnum):
    """The kinds of literal values."""

    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    NULL = "null"
    DATE = "date"
    OTHER = "other"
    """A single value that is not written out: a parameter, a scalar sub-query, a function."""


class Literal(NamedTuple):
    """A value that a column is compared with."""

    kind: LiteralKind
    value: Any = None


class Filter(NamedTuple):
    """A column compared with values."""

    origin: Origin
    op: str
    values: tuple[Literal, ...]
    through: str = ""
    """Set where not the column itself is compared but another spelling of it: ``LOWER(x)``."""
    parts: "tuple[Filter, ...]" = ()
    """The operands of ``or`` and ``and``; for ``within``, the test of a function of the column."""

    @property
    def pins(self) -> bool:
        """True when only one value can pass."""
        return len(self.values) == 1 and self.op in _PINNING

    @property
    def keeps_ties(self) -> bool:
        """True for a rank that keeps all rows of the first value."""
        return self.op == "rank" and any(value.value is not None for value in self.values)


Filters = tuple[Filter, ...]
_PINNING = frozenset({"=", "in", "is null", "rank"})


class Equality(NamedTuple):
    """Two columns that must be equal."""

    left: Origin
    right: Origin
    joins: bool = True
    """False for a value looked up in a sub-query: it joins no rows."""


class Term(NamedTuple):
    """A column that flows into a value, under which extra conditions, and through what."""

    origin: Origin
    conditions: Filters = ()
    via: str = ""
    """The last aggregate it went through; ``difference`` of two snapshots or times; ``factor`` for
    a rate that scales an amount; ``shifted`` for another row's value; empty when plain."""
    rate: Origin | None = None
    """The rate that it is multiplied with."""
    factors: frozenset[Origin] = frozenset()
    """The columns that it is multiplied with."""
    divisors: frozenset[Origin] = frozenset()
    """The columns that it is divided by."""
    or_else: bool = False
    """True when a value that is written out stands in for it: ``COALESCE(rate, 1)``."""
    converted: bool = False
    """True when each row is multiplied by a number that is written out for what the row is."""
    times: float = 1.0
    """The number that it is multiplied with: 0.01 for ``cents / 100``."""


Terms = tuple[Term, ...]


class Aggregate(NamedTuple):
    """An aggregate, the columns it is taken over, and the columns that keep its rows apart."""

    function: str
    terms: Terms
    block: int
    keys: frozenset[Origin] = frozenset()
    distinct: bool = False
    type: ValueType | None = None
    """The type of what it is taken over, where that is known."""
    mean_over: frozenset[Origin] = frozenset()
    """The columns whose number of distinct values divides it: a mean over them."""
    divided: bool = False
    """True for a mean that is written as a sum by a number of rows."""
    by_times: bool = False
    """True for a sum by a number of times that is written out: the mean of the times' sums."""
    ratio: bool = False
    """True when it is taken over one column divided by another, row by row."""
    weighs: bool = False
    """True when it divides a sum that it weighs: a weighted mean."""
    conditions: Filters = ()
    """Conditions on the rows that it takes: of FILTER, or of a CASE that leaves others out."""


class Reading(NamedTuple):
    """A column that the query reads, and in which clause."""

    origin: Origin
    clause: str


CONDITIONS = frozenset({"where", "on"})
"""The clauses that choose rows."""
ORDERS = frozenset({"<", "<=", ">", ">=", "between", "not between"})
"""Comparisons for which values need an order."""
EXTREMES = frozenset({"min", "max"})
"""Aggregates that give one of the values, and add nothing up."""
AS_TEXT = "TEXT"
FROM_DATE_TEXT = "DATETIME"
FROM_SECONDS = "TO_TIMESTAMP"
FROM_MILLISECONDS = "TO_TIMESTAMP(… / 1000)"


class Applied(NamedTuple):
    """A function that reads a column directly."""

    function: str
    origin: Origin


class Exclusion(NamedTuple):
    """``NOT IN``: a value that none of these may be."""

    origin: Origin | None
    """The column of the sub-query that lists them; none for a list that is written out."""
    null: bool = False
    """True when NULL is written in the list."""
    kept: Origin | None = None
    """The column that is compared with them."""


class Respelling(NamedTuple):
    """A column in one case of letters, compared with a text in another."""

    function: str
    origin: Origin
    text: str


class Side(NamedTuple):
    """One source of a block's FROM: the uses inside it, and which of its columns are unique."""

    uses: frozenset[int]
    keys: tuple[frozenset[Origin], ...]


def uses_in(sides: Iterable[Side]) -> frozenset[int]:
    """The uses of all these sources."""
    return frozenset().union(*(side.uses for side in sides))


class Nested(NamedTuple):
    """A sub-query inside an expression."""

    inner: frozenset[int]
    """Its uses."""
    outer: frozenset[int]
    """Those of the FROM around it."""
    chooses: bool
    """True when it is part of a condition, not only a value that is shown."""


class Problem(NamedTuple):
    """One fault. ``message`` picks the variant of the code's text."""

    code: Code
    field: str
    suggestion: str | None = None
    message: str = ""
    values: tuple[tuple[str, str], ...] = ()
    text: Text = ""
    """The data owner's own words, which win over the catalogue's."""
    soft: bool = False
    """Never more than a warning, in any mode of its code."""
    rule: str = ""
    """The title of the violated constraint."""


def violated(
    constraint: Constraint,
    code: Code,
    name: str,
    suggestion: str | None = None,
    message: str = "",
    /,
    *,
    soft: bool = False,
    **values: str,
) -> Problem:
    """The violation of a constraint, in the words of the data owner who set it."""
    soft = constraint.warns or soft
    given, text, rule = tuple(values.items()), constraint.message, constraint.title
    return Problem(code, name, suggestion, message, given, text, soft, rule)


@dataclass(slots=True)
class Block:
    """One SELECT: its sources, and the columns it groups by."""

    index: int
    sides: list[Side] = field(default_factory=list)
    grouped: bool = False
    keys: frozenset[Origin] = frozenset()
    crosses: bool = False
    """True for an explicit CROSS JOIN, which means every pair of rows."""
    ungrouped: list[Origin] = field(default_factory=list)
    """Columns shown beside an aggregate although the block does not group by them."""
    optional: frozenset[int] = frozenset()
    """The uses that an outer join leaves empty where nothing matches."""
    demands: list[Filter] = field(default_factory=list)
    """Conditions of WHERE, or of the ON of an inner join, on every row."""
    cut: int | None = None
    """The number of rows that LIMIT keeps; 0 if that is not a plain number."""
    ordered: bool = False
    merged: bool = False
    """True when it reads a UNION that keeps equal rows only once, and no key identifies rows."""


@dataclass(slots=True)
class Facts:
    """The input of the rules."""

    uses: list[Use] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    """Conditions that every row must meet."""
    comparisons: list[Filter] = field(default_factory=list)
    """Comparisons with literals anywhere in the query, required or not."""
    equalities: list[Equality] = field(default_factory=list)
    computed: list[tuple[Origin, frozenset[int]]] = field(
        default_factory=list[tuple[Origin, frozenset[int]]]
    )
    """Columns that equal an expression of columns of these uses."""
    links: list[frozenset[int]] = field(default_factory=list)
    """The uses that one condition of any other kind compares with each other."""
    aggregates: list[Aggregate] = field(default_factory=list)
    denominators: list[Aggregate] = field(default_factory=list[Aggregate])
    """The aggregates that something is divided by."""
    added: list[tuple[Terms, Terms]] = field(default_factory=list[tuple[Terms, Terms]])
    """What is added to what."""
    days: list[Origin] = field(default_factory=list[Origin])
    """The columns of times whose day, month or year is taken as it is stored."""
    shown_terms: list[tuple[str, Terms]] = field(default_factory=list[tuple[str, Terms]])
    """The columns of the result by name."""
    readings: list[Reading] = field(default_factory=list)
    applied: list[Applied] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    sql: str = ""
    """The statement as it was written; empty for a structured call."""
    nested: list[Nested] = field(default_factory=list[Nested])
    """The sub-queries of expressions."""
    negated: set[int] = field(default_factory=set[int])
    """The uses of sub-queries whose rows are left out: NOT IN, NOT EXISTS."""
    windowed: list[Origin] = field(default_factory=list)
    """The columns that a window keeps rows apart by, or goes along."""
    sorted: list[Origin] = field(default_factory=list)
    """The columns by which rows are ordered of which LIMIT keeps the first."""
    exclusions: list[Exclusion] = field(default_factory=list)
    respellings: list[Respelling] = field(default_factory=list)
    whole_divisions: list[str] = field(default_factory=list)
    """Whole numbers divided by whole numbers, by the name of what is divided."""
    problems: list[Problem] = field(default_factory=list)
    inspects: bool = False
    """True for a look at a table's rows, which claims nothing about their sum."""

    @property
    def has_same_tables(self) -> bool:
        """True when a table is mentioned twice."""
        return len({id(each.table) for each in self.uses}) < len(self.uses)

    def shown(self, use: int) -> set[str]:
        """The columns of a use that the query reads other than to choose rows."""
        return {
            each.origin.column.name
            for each in self.readings
            if each.origin.use == use and each.clause not in CONDITIONS
        }

    def chosen_by(self, use: int) -> set[str]:
        """The columns of a use that conditions read."""
        return {
            each.origin.column.name
            for each in self.readings
            if each.origin.use == use and each.clause in CONDITIONS
        }
