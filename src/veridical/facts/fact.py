"""A fact: its claim, the parts that slots print, and the cells that it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.column import CellKind
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.ontology.printed import Noun


class Role(StrEnum):
    """The role of a part in its sentence."""

    FIGURE = "figure"
    COUNT = "count"
    NAME = "name"
    NAMES = "names"
    LIST = "list"
    """names with their figures"""
    LIMIT = "limit"
    """a constant of the fact's condition"""
    FLAG = "flag"
    VERDICT = "verdict"
    """whether a change is for the better"""


@dataclass(slots=True, unsafe_hash=True)  # made by the hundred for each fact, like values
class Part:
    """A value or list that a slot prints. Never changed."""

    role: Role
    value: Value | None = None
    """None for lists, and for a figure that does not exist."""
    items: "tuple[tuple[Part, ...], ...]" = ()
    """The items of a list: a name, or a name with its figures."""
    row: str = ""
    """The row or the end of the fact that it belongs to."""
    unsigned: bool = False
    """True if it prints without its sign, since words give the direction."""
    more: int = 0
    """Items that are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A measure over some rows, with its names."""

    label: "Label"
    names: tuple[str, ...]
    """Its names in slots: its own, its column."""
    vector: Vector

    def ordered(self, places: Sequence[int], *names: str) -> "Measured":
        """The same over these places of its rows, also under these names."""
        return Measured(self.label, (*names, *self.names), self.vector.over(places))


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a measure: its own name, its expression, or both."""

    text: str
    """The name that its author gave it; empty for a column that goes by its own."""
    formula: Any
    """The expression behind it."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a fact, with their measures: parts by place and by name."""

    names: Sequence[Part]
    measures: tuple[Measured, ...]

    def cell(self, measure: int, at: int) -> Part:
        """A figure of a row, by their places."""
        return figure(self.measures[measure].vector.at(at), row=key_of(self.names[at]))

    def part(self, path: str) -> Part | None:
        """``1.row``, ``2.value``, ``North.sales``; none if there is no such part."""
        head, _, tail = path.rpartition(".")
        at = self._place(head)
        if at is None:
            return self._column(path)
        if tail == "row":
            return self.names[at]
        measure = self.measure(tail)
        if measure is None:
            return None
        return figure(measure.vector.at(at), row=key_of(self.names[at]))

    def measure(self, name: str) -> Measured | None:
        """A measure by its name in slots; ``value`` is the first."""
        wanted = plain(name)
        if wanted == "value" and self.measures:
            return self.measures[0]
        return next((each for each in self.measures if wanted in each.names), None)

    def _column(self, path: str) -> Part | None:
        """A measure of the one row that there is."""
        if len(self.names) != 1:
            return None
        measure = self.measure(path)
        found = measure.vector.at(0) if measure else None
        return figure(found, row=key_of(self.names[0])) if measure else None

    def _place(self, text: str) -> int | None:
        if text.isdecimal() and 1 <= int(text) <= len(self.names):
            return int(text) - 1
        wanted = plain(text)
        keys = [plain(key_of(name)) for name in self.names]
        return keys.index(wanted) if wanted and wanted in keys else None


@dataclass(frozen=True, slots=True)
class Claim:
    """The statement of a fact, in terms that others can compute again."""

    form: str
    result: str
    arguments: Mapping[str, Any]
    """The arguments as they were understood, with their defaults."""
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Its results: figures in the units of their columns, shares as fractions."""
    shows: frozenset[str] = frozenset()
    """Claims that a sentence beside it may make: ``up``, ``highest``, ``all`` …"""
    denies: frozenset[str] = frozenset()
    """Claims that it may not make."""


@dataclass(frozen=True, slots=True)
class Population:
    """The rows behind a sentence."""

    count: int
    """In scope, with a value."""
    of: int
    """In the result, before any condition."""
    condition: ex.Expression | None = None
    names: tuple[str, ...] = ()
    """Rows that the fact is limited to by name."""
    missing: int = 0
    """In scope, without a value."""
    by: tuple[str, ...] = ()
    """The columns that its rows are groups of."""
    truncated: bool = False
    total: int | None = None
    """Rows in all, where the result was cut."""
    held: tuple[tuple[str, object], ...] = ()
    nouns: Mapping[Language, Noun] = field(default_factory=dict[Language, Noun])
    """The nouns for its rows."""
    unmatched: int = 0
    """Rows that the other result of a join has no counterpart for."""
    ungrouped: int = 0
    """Rows that are in none of the groups."""
    before: "Population | None" = None
    """The rows that its groups are made of, where a condition chose them."""


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """One fact, computed."""

    form: str
    claim: Claim
    template: str
    """The sentence of its form that states it."""
    words: Mapping[str, Any]
    """The content of the sentence: parts, labels, scopes."""
    parts: Mapping[str, Part]
    grid: Grid | None = None
    extras: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Templates of sentences that are added where a slot prints one of these parts."""
    results: frozenset[str] = frozenset()
    cells: "tuple[Touched, ...]" = ()

    @property
    def population(self) -> Population | None:
        """The rows behind it; none of one that is about no rows."""
        return self.words.get("population")

    @property
    def columns(self) -> frozenset[str]:
        """The columns that it reads."""
        return frozenset(name for touched in self.cells for name in touched.columns)

    @property
    def aliases(self) -> frozenset[str]:
        """The names that its author gave to the measures of its rows."""
        measures = self.grid.measures if self.grid is not None else ()
        return frozenset(each.label.text for each in measures if each.label.text)

    def part(self, path: str) -> Part:
        """The part that a slot names. Raises ``FactError``."""
        wanted = path.strip().casefold()
        found = self.parts.get(wanted) or self.parts.get(plain(wanted))
        if found is None and self.grid is not None:
            found = self.grid.part(wanted)
        if found is None:
            raise FactError(Reason.PART, path, tuple(self.parts))
        return found


@dataclass(frozen=True, slots=True)
class Touched:
    """Cells of one result: these rows in these columns."""

    result: str
    rows: tuple[int, ...]
    columns: frozenset[str]


def figure(value: Value | None, *, row: str = "", unsigned: bool = False) -> Part:
    """The part of a figure."""
    return Part(Role.FIGURE, value, row=row, unsigned=unsigned)


def named(text: str) -> Part:
    """The part of a name."""
    return Part(Role.NAME, Value(CellKind.NAME, text))


def key_of(part: Part) -> str:
    """A name as text, which identifies parts of the same row."""
    if part.items:
        return " ".join(key_of(each) for item in part.items for each in item)
    return str(part.value.value) if part.value is not None else ""


def plain(name: str) -> str:
    """A name without case, underscores and spaces at its ends."""
    return " ".join(name.casefold().replace("_", " ").split())


def listed(names: Sequence[Part], most: int = 60) -> Part:
    """Names one after another."""
    items = tuple((name,) for name in names[:most])
    return Part(Role.NAMES, items=items, more=max(0, len(names) - most))
