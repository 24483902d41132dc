"""Ranks: a row is first or last of all rows by the expression or the column beside the word."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.contracts.language import Language
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.facts import Over, Rows, RowSet
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.prover import Prover
from veridical.gate.prover.scope import row_sets
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import Passage, PassageKind, Span

_ENDS = ("rank.high", "rank.low", "rank.either")
_OF_ROW = (Over.CELL, Over.MIN, Over.MAX)
_COMPUTED = (How.ITSELF, How.RATIO, How.DIFFERENCE, How.CHANGE)
_FIGURE_REACH, _LABEL_REACH, _HAN_REACH, _ORDINAL_REACH = 40, 45, 8, 8


def rank_claim(prover: Prover, at: int, cue: Cue, figures: dict[int, Claim]) -> Claim | None:
    """The claim of a word such as "highest"; none where nothing decides it."""
    passage = prover.answer.passages[at]
    subjects, named = _subjects(prover, at, passage, cue), _columns(prover, passage, cue)
    single = len(subjects) == len(named) == 1 and len(subjects[0][1]) == 1
    for found in _decided(prover, at, cue, figures, subjects, named):
        if found is None or found.stand is Stand.PROVEN:
            return found
        certain = single and _place(prover, cue) == 1 and _is_alone(prover, passage)
        against = replace(found, stand=Stand.CONTRADICTED) if certain else found
        return replace(against, basis=None)
    return None


def _decided(
    prover: Prover, at: int, cue: Cue, figures: dict[int, Claim],
    subjects: list[RowSet], named: frozenset[ColumnRef],
) -> Iterator[Claim | None]:  # fmt: skip
    """What decides a rank: the expression of the figure beside it, else a column; a column that
    shows it before those that do not."""
    near, place = prover.rows.near(at), _place(prover, cue)
    figure = _beside(prover, prover.answer.passages[at], cue)
    claim = figures.get(figure.start) if figure else None
    basis = claim.basis if claim is not None and claim.stand is Stand.PROVEN else None
    ends = ends_of(prover, basis, near) if basis is not None and place == 1 else None
    if basis is not None and ends is not None:
        yield _claim(cue, ends, basis)
        return
    shown = {fact.ref for fact in basis.facts if fact.table >= 0} if basis else set[ColumnRef]()
    columns = (named & shown or named or shown) & prover.ready.facts.refs
    refuted: list[Claim] = []
    for table, rows in subjects:
        for ref in sorted(each for each in columns if each.table == table):
            ends = _ends_within(_cells(prover, ref), rows, near, table, place)
            if ends is None:
                continue
            found = _claim(cue, ends, Basis(How.RANK, (), table, rows, (ref,)))
            if found is None or found.stand is Stand.PROVEN:
                yield found
            else:
                refuted.append(found)
    yield from refuted


def ends_of(prover: Prover, basis: Basis, near: Sequence[RowSet] = ()) -> frozenset[str] | None:
    """``rank.high``, ``rank.low``, both or neither: where the row of an expression is among all
    rows, or those named nearby; none if the expression is not of one row."""
    rows, tables = {fact.rows for fact in basis.facts}, {fact.table for fact in basis.facts}
    known = len(rows) == len(tables) == 1 and basis.how in _COMPUTED and tables != {-1}
    if not known or any(fact.over not in _OF_ROW for fact in basis.facts):
        return None
    (table,), (its,) = tables, rows
    members = prover.ready.facts.members[table]
    if len(its) != 1 or not its <= members:
        return None
    values = {row: _of_row(prover, basis, row) for row in members}
    filled = {row: value for row, value in values.items() if value is not None}
    return _ends_within(filled, its, near, table, 1)


def misplaced(prover: Prover, figures: dict[int, Claim]) -> Span | None:
    """The first passage that names a row with its figure, where the question asks which row is at
    an end and this one is not; none where it is, or where that is unknown."""
    asked = prover.last_question
    cues = [cue for cue in asked.cues if any(cue.has(end) for end in _ENDS)]
    if len(cues) != 1 or any(not each.is_key for each in asked.names):
        return None
    for passage in prover.answer.passages:
        names = prover.answer.within(prover.answer.names, *passage.span)
        if passage.kind is PassageKind.HEADING or not any(each.is_key for each in names):
            continue
        here = prover.answer.within(prover.answer.figures, *passage.span)
        claim = figures[here[0].start] if here else None
        if passage.kind is not PassageKind.SENTENCE or claim is None or claim.basis is None:
            return None
        ends = ends_of(prover, claim.basis) if claim.stand is Stand.PROVEN else None
        return passage.span if ends is not None and not ends else None
    return None


def _claim(cue: Cue, ends: frozenset[str], basis: Basis) -> Claim | None:
    """The claim of a word, where a row is at these ends; none where the end that it means is
    unknown, as with "best"."""
    if cue.has("rank.either"):
        return None if ends else Claim(cue.start, cue.end, "rank", Stand.UNPROVEN)
    stand = Stand.PROVEN if any(cue.has(end) for end in ends) else Stand.UNPROVEN
    return Claim(cue.start, cue.end, "rank", stand, basis)


def _cells(prover: Prover, ref: ColumnRef) -> dict[int, float]:
    return {
        row: cell.value
        for row in prover.ready.facts.members[ref.table]
        if (cell := prover.ready.facts.cell(ref.table, row, ref.column))
    }


def _ends_within(
    values: dict[int, float], rows: Rows, near: Sequence[RowSet], table: int, place: int
) -> frozenset[str] | None:
    """The ends at which rows are among all rows, or else among those named nearby."""
    found = _ends(values, rows, place)
    for other, base in near:
        if not found and other == table and rows < base:
            among = {row: value for row, value in values.items() if row in base}
            found = _ends(among, rows, place)
    return found


def _ends(values: dict[int, float], rows: Rows, place: int) -> frozenset[str] | None:
    mine = [value for row, value in values.items() if row in rows]
    others = [value for row, value in values.items() if row not in rows]
    if not mine or not others:
        return None
    high = sum(value > min(mine) for value in others) == place - 1
    low = sum(value < max(mine) for value in others) == place - 1
    return frozenset(end for end, there in ((_ENDS[0], high), (_ENDS[1], low)) if there)


def _of_row(prover: Prover, basis: Basis, row: int) -> float | None:
    """The value of the expression in another row; none where a cell is empty."""
    cells = [prover.ready.facts.cell(fact.table, row, fact.column) for fact in basis.facts]
    values = [cell.value for cell in cells if cell is not None]
    if len(values) < len(cells):
        return None
    if len(values) == 1:
        return values[0]
    one, other = values
    if basis.how is How.DIFFERENCE:
        return one - other
    return one / other if other else None


def _subjects(prover: Prover, at: int, passage: Passage, cue: Cue) -> list[RowSet]:
    """The rows that may be meant: the nearest name on each side, else the one named before."""
    names = prover.answer.within(prover.answer.names, *passage.span)
    before = [each for each in names if each.end <= cue.start]
    after = [each for each in names if each.start >= cue.end]
    near = [each for each in before if each.start == before[-1].start]
    near += [each for each in after if each.start == after[0].start]
    if near or not at or passage.kind is PassageKind.ROW:
        return row_sets(near)
    earlier = prover.answer.passages[at - 1]
    carried = prover.answer.within(prover.answer.names, *earlier.span)
    return row_sets(carried) if len({each.start for each in carried}) == 1 else []


def _beside(prover: Prover, passage: Passage, cue: Cue) -> Figure | None:
    """The figure that a rank belongs to: the next one, else the last."""
    figures = prover.answer.within(prover.answer.figures, *passage.span)
    near = [each for each in figures if abs(each.start - cue.end) <= _FIGURE_REACH]
    near.sort(key=lambda each: (each.start < cue.end, abs(each.start - cue.end)))
    return near[0] if near else None


def _columns(prover: Prover, passage: Passage, cue: Cue) -> frozenset[ColumnRef]:
    """The columns that the words beside a rank name."""
    if prover.answer.words.language is Language.ZH:
        near = prover.answer.within(prover.answer.measures, passage.start, cue.start)
        near = [each for each in near if cue.start - each.end <= _HAN_REACH][-1:]
    else:
        near = prover.answer.within(prover.answer.measures, cue.end, passage.end)
        near = [each for each in near if each.start - cue.end <= _LABEL_REACH]
    refs = frozenset(ref for each in near for ref in each.columns)
    return refs & prover.ready.facts.refs


def _place(prover: Prover, cue: Cue) -> int:
    """The place that an ordinal before the word gives: second for second-best."""
    before = prover.answer.text[max(0, cue.start - _ORDINAL_REACH) : cue.start].lower()
    words = prover.answer.words
    found = list(words.ordinal.finditer(before))
    stem = next((w for w in words.ordinals if found and found[-1][0].startswith(w)), "")
    return words.ordinals.get(stem, 1)


_REFINING = ("direction", "delta", "aggregate", "compare", "negation", "missing")


def _is_alone(prover: Prover, passage: Passage) -> bool:
    """True if only one row is named, and no other word refines what is ranked."""
    names = prover.answer.within(prover.answer.names, *passage.span)
    cues = prover.answer.within(prover.answer.cues, *passage.span)
    others = any(each.has(kind) for each in cues for kind in _REFINING)
    ranks = sum(each.has("rank") for each in cues)
    return len({each.start for each in names}) == 1 and ranks == 1 and not others
