"""The rows and columns that one figure may be about, by the names and words around it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from veridical.contracts.input_budget import keep_time
from veridical.gate.prover.facts import Rows, RowSet
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.names import NameMention

_MOST_PAIRED = 40


class Scheme(StrEnum):
    """On which side of its figure a passage names the row."""

    BEFORE = "before"
    AFTER = "after"
    IN_ORDER = "inOrder"


@dataclass(slots=True)
class FigureScope:
    """The rows and columns that one figure may be about, nearest first."""

    bound: list[RowSet] = field(default_factory=list[RowSet])
    """Rows that the figure must be of, if any: those named beside it."""
    by_key: bool = False
    """True if these rows are named by a unique column."""
    named: list[RowSet] = field(default_factory=list[RowSet])
    """All rows that its passage names, separately and together."""
    carried: list[RowSet] = field(default_factory=list[RowSet])
    """Rows named before: by the lead, the passages before, the question."""
    label: frozenset[ColumnRef] = frozenset()
    """The columns that the head of its table or the words beside it name."""
    hint: frozenset[ColumnRef] = frozenset()
    """The columns that these words may mean, where they name none."""
    around: frozenset[ColumnRef] = frozenset()
    """Columns of the proven figures around it, used where no word names another."""
    here: frozenset[ColumnRef] = frozenset()
    """All columns that its own passage mentions."""
    mentioned: frozenset[ColumnRef] = frozenset()
    """All columns that the passage, its lead and the question mention."""
    kinds: frozenset[str] = frozenset()
    """The kinds of the cues in its passage, its lead and its head."""
    per: float = 1.0
    """The base of a rate: 10,000 in "per 10,000"."""
    in_table: bool = False
    """True in a table or a list, where labels are short."""
    in_percent: bool = False
    """True if its head says that figures are in percent."""
    is_total: bool = False
    """True in a row that sums up a table."""
    after_of: bool = False
    """True right behind words like "out of"."""
    over_all: bool = False
    """True right behind words like "in total" and "on average"."""
    counts: bool = False
    """True if the noun behind it names the rows, so that it counts them."""

    def says(self, *kinds: str) -> bool:
        """True if the words around it have any of these kinds."""
        return not self.kinds.isdisjoint(kinds)

    @property
    def wanted(self) -> frozenset[ColumnRef]:
        """The columns that it should be of; any where there are none."""
        return self.label or self.hint | self.around


def row_sets(mentions: Iterable[NameMention]) -> list[RowSet]:
    """The rows of each mention, those in several columns of one table at one place as one."""
    by_place: dict[tuple[int, int], Rows] = {}
    for each in mentions:
        key = (each.start, each.table)
        by_place[key] = by_place.get(key, frozenset()) | each.rows
    return list(dict.fromkeys((table, rows) for (_, table), rows in by_place.items()))


def combined(sets: Sequence[RowSet]) -> list[RowSet]:
    """Several selections of a table as one: what they share, and all of them together."""
    found: dict[RowSet, None] = {}  # in order, and each once: an answer may name hundreds of rows
    for table in dict.fromkeys(table for table, _ in sets):
        mine = [rows for each, rows in sets if each == table]
        if len(mine) < 2:
            continue
        found[table, frozenset.intersection(*mine)] = None
        found[table, frozenset.union(*mine)] = None
        for at, one in enumerate(mine[:_MOST_PAIRED]):
            for other in mine[at + 1 : _MOST_PAIRED]:
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
        shared = [rows & each for other, each in by if other == table and rows & each]
        found += [(table, each) for each in shared] or [(table, rows)]
    return found
