"""The origin of a result's cells, as the check recorded it."""

from enum import StrEnum

from veridical.contracts.wire import Wire


class OriginKind(StrEnum):
    """The origin of the cells of one column of a result."""

    COLUMN = "column"
    """columns of tables, as they are"""
    AGGREGATE = "aggregate"
    """a sum, mean or extreme of columns"""
    COUNT = "count"
    """the number of rows that were read"""
    COMPUTED = "computed"
    """an expression over columns"""
    LITERAL = "literal"
    """the text of the statement: proves nothing"""
    MIXED = "mixed"
    """columns and numbers of the statement that change them: proves nothing by itself"""
    TOOL = "tool"
    """cells as a tool of a pack or of an embedding program gave them"""
    PASSAGE = "passage"
    """running text that such a tool found: evidence as a text"""
    UNKNOWN = "unknown"
    """an unforeseen form: proves nothing"""


class ColumnOrigin(Wire):
    """The origin of one column's cells."""

    kind: OriginKind
    written: tuple[float | str, ...] = ()
    """The literals that stand in some of its cells as the statement has them."""
    constants: tuple[float, ...] = ()
    """For ``mixed``, ``tool`` and ``passage``: it proves something where all of these
    have a source."""
    redeemable: bool = False
    """For ``mixed``: whether ``constants`` are all that is mixed in."""


class Lineage(Wire):
    """The origin of a result's cells, column by column."""

    columns: tuple[ColumnOrigin, ...] = ()
    rows_read: bool = True
    """False where the statement itself decides how many rows there are."""
    stars: bool = False
    """True where ``*`` stands for the columns of tables: see ``star_at``."""
    star_at: int = 0
    """The index in ``columns`` before which those of ``*`` stand."""

    def over(self, width: int) -> tuple[ColumnOrigin, ...]:
        """The origins of a result this wide; unknown ones where it does not fit."""
        known = self.columns
        if self.stars and width >= len(known):
            read = (ColumnOrigin(kind=OriginKind.COLUMN),) * (width - len(known))
            return (*known[: self.star_at], *read, *known[self.star_at :])
        if not self.stars and width == len(known):
            return known
        return (ColumnOrigin(kind=OriginKind.UNKNOWN),) * width
