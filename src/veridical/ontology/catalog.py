"""Schema and ontology merged into cards, which the check looks up by name in constant time.

Globs are expanded here, once; a check never searches. Names are found without regard to case,
as SQL does it, an exact spelling first. A card is compared by identity, which keeps its hash cheap.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.contracts.language import Text
from veridical.contracts.schema import ValueType, table_place
from veridical.ontology.metrics import MetricGraph
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    Encoding,
    Percent,
    Purpose,
    Role,
)
from veridical.ontology.name_kinds import NameKind
from veridical.ontology.row_condition import RowCondition

_USUAL_SCHEMAS = frozenset({"public", "main"})
"""The qualifier of a table in a database whose schemas are not known."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCard:
    """One column with all constraints on its use."""

    name: str
    table: str
    type: ValueType
    role: Role = Role.DIMENSION
    description: Text = ""
    encoding: Encoding | None = None
    encoding_guard: Constraint | None = None
    never_aggregate: Constraint | None = None
    semi_additive: Constraint | None = None
    same_unit: Constraint | None = None
    one_level: tuple[Constraint, ...] = ()
    """One for each column that holds totals beside their parts."""
    fan_out: Constraint | None = None
    allowed_values: Constraint | None = None
    purpose: Constraint | None = None
    empty_counts: Constraint | None = None
    local_days: Constraint | None = None
    not_kept: Constraint | None = None
    not_unique: Constraint | None = None
    signed: Constraint | None = None
    includes: Constraint | None = None
    spellings: Constraint | None = None
    named_total: bool = False
    """True if it is a balance or a total by its name."""
    named: frozenset[NameKind] = frozenset()
    """Further kinds by its name, where the ontology declares nothing."""
    numeric_text: bool = False
    """True if its texts are numbers."""
    timed: bool = False
    """True if its texts contain the time of day, beside the day."""
    nullable: bool = False
    """True if a row may have no value, in a table whose columns declare it."""
    allowed_texts: frozenset[str] | None = None
    """The closed list of values as text, if there is one."""
    values: frozenset[str | int | float] | None = None
    """All values of the column, if they were counted."""
    scale: float = 1.0
    """The factor of its figures: 0.01 for cents."""
    percent: Percent | None = None

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every constraint on its use."""
        slots = (
            self.encoding_guard,
            self.never_aggregate,
            self.semi_additive,
            self.same_unit,
            *self.one_level,
            self.fan_out,
            self.allowed_values,
            self.purpose,
            self.empty_counts,
            self.local_days,
            self.not_kept,
            self.not_unique,
            self.signed,
            self.includes,
            self.spellings,
        )
        return tuple(each for each in slots if each is not None)


@dataclass(frozen=True, slots=True)
class JoinCard:
    """A declared way to join this table to another."""

    target: str
    pairs: tuple[tuple[str, str], ...]
    cardinality: Cardinality


@dataclass(frozen=True, slots=True, eq=False)
class TableCard:
    """One table with its columns, its keys, and the constraints on reading it."""

    name: str
    columns: Mapping[str, ColumnCard]
    folded: Mapping[str, ColumnCard]
    """The same columns by casefolded name."""
    entity: str | None = None
    description: Text = ""
    keys: tuple[frozenset[str], ...] = ()
    joins: tuple[JoinCard, ...] = ()
    required_filters: tuple[Constraint, ...] = ()
    counted: tuple[RowCondition, ...] = ()
    """The conditions of the rows that count."""
    things: tuple[Constraint, ...] = ()
    """The constraints on its figures: per thing by its first or last row or the row that it was
    merged into, and by the time that they are of."""
    purpose: Constraint | None = None
    schema: str | None = None
    """Its schema, if that is known."""
    own_name: str = ""
    """Its name in that schema, if another schema has a table of the same name."""
    named: Mapping[NameKind, tuple[str, ...]] = field(init=False, repr=False)
    """The columns by the kinds of their names, in their order."""

    def __post_init__(self) -> None:
        found: dict[NameKind, list[str]] = {}
        for column in self.columns.values():
            for kind in column.named:
                found.setdefault(kind, []).append(column.name)
        object.__setattr__(self, "named", {kind: tuple(names) for kind, names in found.items()})

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every constraint on reading the table; those of its columns are theirs."""
        counted = (each.constraint for each in self.counted)
        own = (self.purpose,) if self.purpose is not None else ()
        return (*self.required_filters, *counted, *self.things, *own)

    def column(self, name: str) -> ColumnCard | None:
        """The column of this name, regardless of case."""
        return self.columns.get(name) or self.folded.get(name.casefold())

    def place(self, namespace: tuple[str, ...]) -> tuple[str, ...]:
        """Its full name, part by part, in a database whose tables are in this namespace."""
        return table_place(namespace, self.schema, self.own_name or self.name)

    def lives_in(self, schema: str) -> bool:
        """True if a statement may write this schema before its name."""
        folded = schema.casefold()
        return folded == self.schema.casefold() if self.schema else folded in _USUAL_SCHEMAS


@dataclass(frozen=True, slots=True)
class Catalog:
    """The catalog against which one caller's queries are checked."""

    tables: Mapping[str, TableCard] = field(default_factory=dict[str, TableCard])
    folded: Mapping[str, TableCard] = field(default_factory=dict[str, TableCard])
    """The same tables by casefolded name."""
    metrics: MetricGraph | None = None
    purposes: tuple[Purpose, ...] = ()
    notions: frozenset[str] = frozenset()
    """The purposes that only say which rows are meant, and nothing of tables."""
    ontology_hash: str = ""
    hidden: frozenset[str] = frozenset()
    """Folded names of tables and ``table.column`` that exist but are hidden from this caller."""
    written: Mapping[str, tuple[TableCard, ...]] = field(init=False, repr=False, compare=False)
    """The tables by the folded name that they have in their own schema."""

    def __post_init__(self) -> None:
        found: dict[str, tuple[TableCard, ...]] = {}
        for card in self.tables.values():
            folded = (card.own_name or card.name).casefold()
            found[folded] = (*found.get(folded, ()), card)
        object.__setattr__(self, "written", found)

    def table(self, name: str, schema: str = "") -> TableCard | None:
        """The table of this name, regardless of case; with a schema, the one that lives there."""
        if not schema:
            return self.tables.get(name) or self.folded.get(name.casefold())
        there = [card for card in self.written.get(name.casefold(), ()) if card.lives_in(schema)]
        exact = (card for card in there if (card.own_name or card.name) == name)
        return next(exact, there[0] if there else None)
