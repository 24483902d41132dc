"""Ranks: the most, the lowest, second; the row given a rank must have it."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING

from veridical.contracts.language import Language
from veridical.evidence.dimension import comparable
from veridical.gate.languages.forms import forms
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.facts import Rows
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.passage import Passage, PassageKind
from veridical.gate.prover.scope import RowSet, row_sets
from veridical.reading.punctuation import LIST_MARKS

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_SEVERAL = 2
_HAN_REACH = 8
_BESIDE = 25
_TOUCHING = 2
Values = dict[frozenset[int], float]
"""Figures by their rows: single rows, or groups."""


class _RankedBy(Enum):
    """How a passage states the column of a rank."""

    UNSTATED = auto()
    WORDS = auto()
    NAME = auto()


def rank_claims(
    prover: "Prover", at: int, passage: Passage, cues: Sequence[Cue]
) -> Iterator[Claim]:
    """Each rank that the passage gives to a row it names."""
    if passage.kind is PassageKind.HEADING:
        return
    names = prover.answer.within(prover.answer.names, passage.start, passage.end)
    for cue in cues:
        if not cue.has("rank"):
            continue
        subjects = _subjects(prover, at, passage, cue, names)
        if not subjects:
            continue
        columns, ranked_by = _columns(prover, passage, cue)
        place = _place(prover, cue)
        if not any(each.end <= cue.start for each in names):
            subjects = [*subjects, *_carried(prover, at)]
        pairs = _pairs(prover, passage, cue)
        for table, rows in subjects:
            ranked = [*_of_pairs(prover, table, pairs)]
            across = [*_across(prover, table, columns)] if _is_change(cue, cues) else []
            combined = _is_combined(prover, _nearest(prover, passage, cue))
            if any(_is_extreme(cue, values, rows, place) for values in (*ranked, *across)) or (
                not combined and _holds(prover, cue, table, rows, columns, names, cues, place)
            ):
                by = tuple(ref for ref in columns if ref.table == table)
                basis = Basis(How.RANK, (), table, rows, by)
                yield Claim(cue.start, cue.end, "rank", Stand.PROVEN, "rank", basis)
                break
        else:
            if ranked_by is _RankedBy.UNSTATED:
                continue  # without a stated column there is nothing to contradict
            certain = ranked_by is _RankedBy.NAME and _is_certain(subjects, columns, names, cues)
            stand = Stand.CONTRADICTED if certain else Stand.UNPROVEN
            yield Claim(cue.start, cue.end, "rank", stand, f"rank of {subjects}")


def _is_certain(
    subjects: Sequence[RowSet],
    columns: frozenset[ColumnRef],
    names: Sequence[NameMention],
    cues: Sequence[Cue],
) -> bool:
    """True if only one row by one column can be meant: one name, one rank, and no word that could
    make the rank one of changes, rates, parts or of some rows only."""
    single = len(subjects) == 1 and len(subjects[0][1]) == 1 and len(columns) == 1
    one_name = len({each.start for each in names}) == 1 and all(each.is_key for each in names)
    ranks = sum(each.has("rank") for each in cues)
    others = any(each.has(kind) for each in cues for kind in _REFINING)
    return single and one_name and ranks == 1 and not others


_REFINING = ("direction", "delta", "aggregate", "compare", "negation", "missing")


def _subjects(
    prover: "Prover", at: int, passage: Passage, cue: Cue, names: list[NameMention]
) -> list[RowSet]:
    """The rows that may be meant: the nearest name on each side, else the one named before."""
    text = prover.answer.text
    before = [each for each in names if each.end <= cue.start]
    after = [each for each in names if each.start >= cue.end]
    near: list[NameMention] = []
    if before:
        last = before[-1].start
        near += [each for each in before if each.start == last or _joined(text, each, last)]
    if after:
        near += [each for each in after if each.start == after[0].start]
    if near:
        return [each for each in row_sets(near) if each[1]]
    if passage.kind is PassageKind.ROW or at == 0:
        return []
    return _carried(prover, at)


def _carried(prover: "Prover", at: int) -> list[RowSet]:
    """The only row that the passage before names."""
    if at == 0:
        return []
    earlier = prover.answer.passages[at - 1]
    carried = prover.answer.within(prover.answer.names, earlier.start, earlier.end)
    places = {each.start for each in carried}
    return row_sets(carried) if len(places) == 1 else []


def _nearest(prover: "Prover", passage: Passage, cue: Cue) -> Figure | None:
    """The figure that a rank belongs to: the first behind it, else the last before."""
    figures = [
        each
        for each in prover.answer.within(prover.answer.figures, passage.start, passage.end)
        if prover.matches.get(each.start)
    ]
    behind = [each for each in figures if each.start >= cue.end]
    before = [each for each in figures if each.end <= cue.start]
    if before and cue.start - before[-1].end <= _TOUCHING:
        return before[-1]  # with 17.65 it ranks first
    return behind[0] if behind else before[-1] if before else None


def _pairs(prover: "Prover", passage: Passage, cue: Cue) -> set[tuple[int, int, int]]:
    """Columns that the figure beside combines: a rate shown with its two numbers."""
    figures = prover.answer.within(prover.answer.figures, cue.end, passage.end)
    cues = prover.answer.within(prover.answer.cues, cue.end, passage.end)
    stop = min((each.start for each in cues if each.has("rank")), default=passage.end)
    near = [each for each in figures if each.start < stop] or [
        each for each in (_nearest(prover, passage, cue),) if each
    ]
    return {
        (match.sides[0].table, match.sides[0].column, match.sides[1].column)
        for figure in near
        for match in prover.matches.get(figure.start, [])[:2]
        if len(match.sides) == 2 and match.sides[0].table == match.sides[1].table >= 0
    }


def _place(prover: "Prover", cue: Cue) -> int:
    """The place that an ordinal before the word gives: second for second-best."""
    before = prover.answer.text[max(0, cue.start - _ORDINAL_REACH) : cue.start].lower()
    words = prover.answer.words
    found = list(words.ordinal.finditer(before))
    stem = next((w for w in words.ordinals if found and found[-1][0].startswith(w)), "")
    return words.ordinals.get(stem, 1)


_ORDINAL_REACH = 8


def _is_combined(prover: "Prover", figure: Figure | None) -> bool:
    """True if the figure beside combines two columns, so that neither alone decides."""
    matches = prover.matches.get(figure.start, []) if figure else []
    return bool(matches) and len(matches[0].sides) == 2


def _is_change(cue: Cue, cues: Sequence[Cue]) -> bool:
    return any(
        (each.has("direction") or each.has("delta") or each.has("aggregate.difference"))
        and abs(each.start - cue.start) <= _WIDELY
        for each in cues
    )


def _across(prover: "Prover", table: int, columns: frozenset[ColumnRef]) -> Iterator[Values]:
    """How rows changed from one result to another of the same columns."""
    facts = prover.ready.facts
    mine = prover.ready.tables[table]
    for other, theirs in enumerate(prover.ready.tables):
        if other == table or not mine.naming or not theirs.naming:
            continue
        named = {cells[theirs.naming[0]]: row for row, cells in enumerate(theirs.rows)}
        for column in facts.figures[table]:
            place = theirs.column(mine.columns[column].name)
            if place is None:
                continue
            pairs = {
                frozenset({row}): (a.value, b.value)
                for row in facts.members[table]
                if (name := mine.rows[row][mine.naming[0]]) in named
                and (a := facts.cell(table, row, column))
                and (b := facts.cell(other, named[name], place))
            }
            yield {key: a - b for key, (a, b) in pairs.items()}
            yield {key: a / b for key, (a, b) in pairs.items() if b}


_WIDELY = 40


def _of_pairs(prover: "Prover", table: int, pairs: set[tuple[int, int, int]]) -> Iterator[Values]:
    facts = prover.ready.facts
    for mine, one, other in pairs:
        if mine != table or one == other:
            continue
        cells = {
            frozenset({row}): (a.value, b.value)
            for row in facts.members[table]
            if (a := facts.cell(table, row, one)) and (b := facts.cell(table, row, other))
        }
        yield {key: a / b for key, (a, b) in cells.items() if b}
        yield {key: a - b for key, (a, b) in cells.items()}


def _joined(text: str, mention: NameMention, last: int) -> bool:
    between = text[mention.end : last]
    return len(between) <= 5 and any(sign in between for sign in _JOINTS)


_JOINTS = (",", "&", "(", *LIST_MARKS, *forms().name_joint)


def _columns(
    prover: "Prover", passage: Passage, cue: Cue
) -> tuple[frozenset[ColumnRef], _RankedBy]:
    """The columns of a rank: those of the words right behind it, else of the passage and its
    figures; and how they are stated."""
    near = [
        each
        for each in prover.answer.within(prover.answer.measures, cue.end, passage.end)
        if each.start - cue.end <= 45
    ]
    if prover.answer.words.language is Language.ZH:
        near = [
            each
            for each in prover.answer.within(prover.answer.measures, passage.start, cue.start)
            if cue.start - each.end <= _HAN_REACH
        ][-1:]
    beside = frozenset(ref for each in near for ref in each.columns)
    figure = _nearest(prover, passage, cue)
    shown = frozenset(
        ref
        for match in (prover.matches.get(figure.start, [])[:3] if figure else ())
        for ref in match.columns
    )
    figures = {
        ColumnRef(table, column)
        for table, columns in enumerate(prover.ready.facts.figures)
        for column in columns
    }
    beside &= figures
    shown &= figures
    if beside:
        own = any(each.own for each in near)
        return beside & shown or beside, _RankedBy.NAME if own else _RankedBy.WORDS
    if shown:
        every = frozenset(
            ref
            for each in prover.answer.within(prover.answer.figures, passage.start, passage.end)
            for match in prover.matches.get(each.start, [])[:1]
            for ref in match.columns
        )
        return shown | (every & figures if len(every) > _SEVERAL else frozenset()), _RankedBy.WORDS
    here = prover.answer.within(prover.answer.measures, passage.start, passage.end)
    here_columns = frozenset(ref for each in here for ref in each.columns) & figures
    wanted = frozenset(ref for each in prover.question.measures for ref in each.columns) & figures
    return here_columns | wanted, _RankedBy.WORDS if here_columns else _RankedBy.UNSTATED


def _holds(
    prover: "Prover",
    cue: Cue,
    table: int,
    rows: Rows,
    columns: frozenset[ColumnRef],
    names: list[NameMention],
    around: Sequence[Cue],
    place: int,
) -> bool:
    others = [
        each for number, each in row_sets([n for n in names if not n.is_key]) if number == table
    ]
    carried = [each for number, each in row_sets(prover.question.names) if number == table]
    members = prover.ready.facts.members[table]
    bases = [members, *(each for each in (*others, *carried) if rows <= each and len(each) > 1)]
    excluded = [
        members - each for number, each in row_sets(prover.question.names) if number == table
    ]
    bases += [each for each in excluded if rows <= each]
    wanted = [ref.column for ref in columns if ref.table == table]
    derived = not wanted or any(
        (each.has("direction") or each.has("aggregate.difference") or each.has("aggregate.per"))
        and -_BESIDE <= each.start - cue.end <= _BESIDE
        for each in around
    )
    for values in _rankings(prover, table, wanted, rows, derived=derived):
        for base in bases:
            inside = {key: value for key, value in values.items() if key <= base}
            if _is_extreme(cue, inside, rows, place):
                return True
    return False


def _rankings(
    prover: "Prover", table: int, columns: list[int], rows: Rows, *, derived: bool
) -> Iterator[Values]:
    """Rows by each column and by two columns combined; groups by their sums and counts."""
    facts = prover.ready.facts
    members = facts.members[table]
    figures = facts.figures[table]
    for column in columns or figures:
        cells = {
            frozenset({row}): cell.value
            for row in members
            if (cell := facts.cell(table, row, column))
        }
        yield cells
    typed = prover.ready.tables[table].columns
    for one in figures if derived else ():
        for other in figures:
            if one == other or (columns and one not in columns and other not in columns):
                continue
            first, second = typed[one].dimension, typed[other].dimension
            same = first is not None and second is not None and comparable(first, second)
            pairs = {
                frozenset({row}): (a.value, b.value)
                for row in members
                if (a := facts.cell(table, row, one)) and (b := facts.cell(table, row, other))
            }
            if same:
                yield {key: a - b for key, (a, b) in pairs.items()}
            yield {key: a / b for key, (a, b) in pairs.items() if b}
    yield from _grouped(prover, table, columns, rows)


def _grouped(prover: "Prover", table: int, columns: list[int], rows: Rows) -> Iterator[Values]:
    """Groups of rows that share a value, by how many they are and by the sums of a column."""
    facts = prover.ready.facts
    if len(rows) < 2:
        return
    cells = prover.ready.tables[table].rows
    for number, _ in enumerate(prover.ready.tables[table].columns):
        groups: dict[object, set[int]] = {}
        for row in facts.members[table]:
            groups.setdefault(cells[row][number], set()).add(row)
        if frozenset(rows) not in {frozenset(each) for each in groups.values()} or len(
            groups
        ) == len(facts.members[table]):
            continue
        keys = [frozenset(each) for each in groups.values()]
        if len({len(key) for key in keys}) > 1:
            yield {key: float(len(key)) for key in keys}
        for column in columns or facts.figures[table]:
            for over in ("sum", "mean"):
                yield {
                    key: fact.value
                    for key in keys
                    for fact in facts.over(table, key)
                    if fact.column == column and fact.over.value in (over, "cell")
                }


def _is_extreme(cue: Cue, values: Values, rows: Rows, place: int = 1) -> bool:
    mine = [value for key, value in values.items() if key <= rows]
    if not mine or len(values) < 2 or len(set(values.values())) < 2:
        return False
    others = [value for key, value in values.items() if not key <= rows]
    high = sum(value > min(mine) for value in others) == place - 1
    low = sum(value < max(mine) for value in others) == place - 1
    if cue.has("rank.either"):
        return high or low
    return (high and cue.has("rank.high")) or (low and cue.has("rank.low"))
