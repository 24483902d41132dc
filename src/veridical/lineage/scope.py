"""The names that one SELECT can see, each with what is known of its values and rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum

from sqlglot import exp

from veridical.lineage.cell import COLUMN, NUMBER, UNKNOWN, Cell, Value, either, literal


class Rows(IntEnum):
    """The origins of a row count; the larger wins."""

    READ = 0
    ONE = 1
    """a single row, with any data"""
    LIMITED = 2
    """tables, up to a number that the statement sets"""
    WRITTEN = 3
    """the statement alone"""


@dataclass(frozen=True, slots=True)
class Output:
    """One output of a query; ``star`` stands for all columns of a table that are not listed."""

    name: str
    cell: Cell
    star: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """The output of a query or a table."""

    outputs: tuple[Output, ...] = ()
    rows: Rows = Rows.READ

    @property
    def is_table(self) -> bool:
        """True where every name may be one of its columns."""
        return any(output.star for output in self.outputs)

    @property
    def reads(self) -> bool:
        """True where some output comes from data."""
        return any(output.cell.is_data for output in self.outputs)

    def cell(self, name: str) -> Cell | None:
        """The cell of this name."""
        found = [each.cell for each in self.outputs if not each.star and each.name == name]
        if found:
            cell = found[0]
            for other in found[1:]:
                cell = either(cell, other)
            return cell
        return COLUMN if self.is_table else None

    def renamed(self, names: list[str]) -> "Relation":
        """The relation with an alias's names for its columns."""
        if not names:
            return self
        if self.is_table:
            safe = all(each.star for each in self.outputs)
            return self if safe else Relation((Output("", UNKNOWN),), self.rows)
        kept = tuple(
            Output(names[at] if at < len(names) else each.name, each.cell)
            for at, each in enumerate(self.outputs)
        )
        return Relation(kept, self.rows)


Relations = dict[str, Relation]
TABLE = Relation((Output("", COLUMN, star=True),))


@dataclass(slots=True)
class LineageScope:
    """One SELECT while it is read."""

    relations: Relations
    parent: "LineageScope | None" = None
    sources: Relations = field(default_factory=dict)
    aliases: dict[str, Cell] = field(default_factory=dict)
    """The aliases before it in the same list."""
    met: set[tuple[str, str]] = field(default_factory=set)
    """Columns of literal sources that every row has in common with a column of a table."""
    rows: Rows = Rows.READ
    equal_to: frozenset[Value] = frozenset()
    """The values that a condition holds a column to."""

    def column(self, node: exp.Column) -> Cell:
        """The cell that a column's name stands for."""
        name, table = node.name.casefold(), node.table.casefold()
        found = list(self._named(name, table))
        alias = self.aliases.get(name) if not table else None
        if alias is not None and all(relation.is_table for relation in self.sources.values()):
            found.append(alias)
        if found:
            cell = found[0]
            for other in found[1:]:
                cell = either(cell, other)
            return self._quoted(node, cell)
        if not table and name in self.sources and self.sources[name].outputs:
            return self._whole_row(self.sources[name])
        return self.parent.column(node) if self.parent is not None else UNKNOWN

    def _named(self, name: str, table: str) -> Iterator[Cell]:
        sources = self.sources
        chosen = {table: sources[table]} if table in sources else {} if table else sources
        listed = {
            key: cell
            for key, relation in chosen.items()
            if not relation.is_table and (cell := relation.cell(name)) is not None
        }
        if listed:
            for key, cell in listed.items():
                yield COLUMN if cell.is_literal and (key, name) in self.met else cell
        else:
            for relation in chosen.values():
                cell = relation.cell(name)
                if cell is not None:
                    yield cell
                    return

    def _quoted(self, node: exp.Column, cell: Cell) -> Cell:
        """Some engines take a quoted name that is no column for a text."""
        if node.table or not node.this.args.get("quoted") or not cell.is_data:
            return cell
        if NUMBER.fullmatch(node.name.strip()):
            return either(cell, literal(node.name))
        return replace(cell, spelt=cell.spelt | {node.name})

    def _whole_row(self, relation: Relation) -> Cell:
        cells = [output.cell for output in relation.outputs]
        return cells[0] if len(cells) == 1 else UNKNOWN


ReadQuery = Callable[[exp.Expr, Relations, LineageScope | None], Relation]
