"""Lists: a list of the rows that meet a condition must have all of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.facts import Rows
from veridical.gate.prover.how import How
from veridical.gate.prover.passage import Passage, listed_blocks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_LEAST = 2


def list_claims(prover: "Prover") -> Iterator[Claim]:
    """Each list or table of the answer that names rows of one result."""
    for passages in listed_blocks(prover.answer.passages):
        claim = _claim(prover, passages)
        if claim is not None:
            yield claim


def _claim(prover: "Prover", passages: list[Passage]) -> Claim | None:
    listed = _listed(prover, passages)
    if listed is None:
        return None
    table, rows, complete = listed
    start = passages[0].start
    end = start + min(20, passages[0].end - start)
    members = prover.ready.facts.members[table]
    if rows >= members or len(rows) < _LEAST or not complete:
        return None
    inside = [(each.start, each.end) for each in passages]
    rows |= (
        frozenset[int]().union(
            *(
                name.rows
                for name in prover.answer.names
                if name.table == table
                and name.is_key
                and not any(begin <= name.start < stop for begin, stop in inside)
            )
        )
        if len(members) - len(rows) <= 2
        else frozenset()
    )
    if rows >= members:
        return None
    expected = list(_expected(prover, passages, table))
    if rows in expected:
        return Claim(start, end, "list", Stand.PROVEN, "list", Basis(How.NAME, (), table, rows))
    nearly = [each for each in expected if rows < each and len(each) - len(rows) <= 2]
    missing = len(members) - len(rows)
    if nearly or (
        missing <= max(1, len(members) // 8) and len(rows) >= 3 and not _says_how_many(prover, rows)
    ):
        return Claim(start, end, "list", Stand.CONTRADICTED, "rows are missing")
    return None


def _says_how_many(prover: "Prover", rows: Rows) -> bool:
    """True if the answer or the question says how many are listed, or that not all are."""
    figures = [*prover.answer.figures, *prover.last_question.figures]
    counted = any(
        each.is_whole and any(reading.value == len(rows) for reading in each.readings)
        for each in figures
    )
    return counted or any(cue.has("quantity.only") for cue in prover.last_question.cues)


def _listed(prover: "Prover", passages: list[Passage]) -> tuple[int, Rows, bool] | None:
    """The rows that a list names, one an item; whether every item names one."""
    by_table: dict[int, list[Rows]] = {}
    for passage in passages:
        for name in prover.answer.within(prover.answer.names, passage.start, passage.end):
            if name.is_key:
                by_table.setdefault(name.table, []).append(name.rows)
                break
    if not by_table:
        return None
    table = max(by_table, key=lambda each: len(by_table[each]))
    rows = frozenset[int]().union(*by_table[table]) & prover.ready.facts.members[table]
    total = any(
        cue.has("aggregate.total")
        for cue in prover.answer.within(prover.answer.cues, passages[-1].start, passages[-1].end)
    )
    named = len(by_table[table])
    return table, rows, named >= len(passages) - int(total)


def _expected(prover: "Prover", passages: list[Passage], table: int) -> Iterator[Rows]:
    """The rows that the list should have, by limits and values of its lead or the question."""
    members = prover.ready.facts.members[table]
    lead = passages[0].lead
    at = prover.answer.passages.index(passages[0])
    for limit, cue, columns in prover.counts.limits(at):
        for column in prover.ready.facts.figures[table]:
            if columns and not any(r.table == table and r.column == column for r in columns):
                continue
            met = prover.counts.meeting(table, members, column, limit, cue)
            if met:
                yield met
    spans = [prover.answer.passages[lead]] if lead is not None else []
    values = [
        name
        for span in spans
        for name in prover.answer.within(prover.answer.names, span.start, span.end)
    ]
    values += list(prover.question.names)
    for name in values:
        if name.table == table and not name.is_key and len(name.rows) > 1:
            yield name.rows & members
