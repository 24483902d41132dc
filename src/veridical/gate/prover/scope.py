"""The rows and columns that a figure is about, by the names and words around it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from veridical.contracts.input_budget import keep_time
from veridical.gate.prover.facts import Rows
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.names import NameMention


class Scheme(StrEnum):
    """On which side of its figure a passage names the row."""

    BEFORE = "before"
    AFTER = "after"
    IN_ORDER = "inOrder"


ROUND = (100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0)
RowSet = tuple[int, Rows]
"""A table and some of its rows."""


@dataclass(slots=True)
class FigureScope:
    """The rows and columns that one figure may be about, nearest first."""

    bound: list[RowSet] = field(default_factory=list[RowSet])
    """Rows that the figure must be of, if any: those named beside it."""
    named: list[RowSet] = field(default_factory=list[RowSet])
    """All rows that its passage names, separately and together."""
    carried: list[RowSet] = field(default_factory=list[RowSet])
    """Rows named before: by the lead, the passage before, the question."""
    whole: list[RowSet] = field(default_factory=list[RowSet])
    columns: frozenset[ColumnRef] = frozenset()
    """The columns that the words beside it mention."""
    own: bool = False
    """True if the words are the columns' own names."""
    label: frozenset[ColumnRef] = frozenset()
    """The columns that its label mentions: a table's head, the word right beside it."""
    is_total: bool = False
    kinds: frozenset[str] = frozenset()
    """The kinds of the cues in its passage, its lead and its head."""
    mentioned: frozenset[ColumnRef] = frozenset()
    """All columns that the passage, its lead and the question mention."""
    here: frozenset[ColumnRef] = frozenset()
    """All columns that its own passage mentions."""
    around: frozenset[ColumnRef] = frozenset()
    """Columns of the proven figures around it, used where no word names another."""
    shown_here: bool = False
    """True if these figures are in its own passage."""
    in_percent: bool = False
    """True if its head says that figures are in percent."""
    by_key: bool = False
    """True if the rows beside it are named by a unique column."""
    per: float = 1.0
    """The base of a rate: 10,000 in "per 10,000"."""
    counts: bool = False
    """True if the noun behind it names the rows, so that it counts them."""
    in_table: bool = False
    aggregate_words: frozenset[str] = frozenset()
    """Kinds of the aggregate words right before it: on average, in total."""
    after_of: bool = False
    """True right behind words like "out of"."""

    @property
    def may_be_bare(self) -> bool:
        """True if its unit may stand elsewhere: in a table, or in the words of its label."""
        return self.in_table or self.own or self.shown_here

    def says(self, *kinds: str) -> bool:
        """True if the words around it have any of these kinds."""
        return not self.kinds.isdisjoint(kinds)


def row_sets(mentions: Iterable[NameMention]) -> list[RowSet]:
    """The rows of each mention, those in several columns of one table at one place as one."""
    found: list[RowSet] = []
    by_place: dict[tuple[int, int], Rows] = {}
    for each in mentions:
        key = (each.start, each.table)
        by_place[key] = by_place.get(key, frozenset()) | each.rows
    for (_, table), rows in by_place.items():
        if (table, rows) not in found:
            found.append((table, rows))
    return found


def combined(sets: Sequence[RowSet]) -> list[RowSet]:
    """Several selections of a table as one: what they share, and all of them together."""
    found: dict[RowSet, None] = {}  # in order, and each once: an answer may name hundreds of rows
    for table in dict.fromkeys(table for table, _ in sets):
        mine = [rows for each, rows in sets if each == table]
        if len(mine) < 2:
            continue
        found[table, frozenset.intersection(*mine)] = None
        found[table, frozenset.union(*mine)] = None
        for at, one in enumerate(mine):
            for other in mine[at + 1 :]:
                keep_time()
                found[table, one & other] = None
                found[table, one | other] = None
    return [each for each in found if each[1]]


def sharpened(bound: list[RowSet], by: list[RowSet]) -> list[RowSet]:
    """Rows that are named twice, by a name and by a time, are those that both mean."""
    if not bound:
        return by
    found: list[RowSet] = []
    for table, rows in bound:
        others = [each for other, each in by if other == table]
        shared = [rows & each for each in others if rows & each]
        found += [(table, each) for each in shared] or [(table, rows)]
    return found
