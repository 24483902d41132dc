"""Whether a figure is certainly of the rows that it was proven by."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.evidence.moment import find_moments
from veridical.gate.languages.vocabulary import language_file
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import COUNTS, How
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.passage import Passage, PassageKind, passage_at
from veridical.reading.punctuation import LIST_MARKS, marks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_SAYS_NOTHING = (How.LIMIT, How.BASE, How.PERIODS)
"""Kinds of figures in a text that do not come from the evidence."""
_PAIR = 2
_PARTING = marks(",;.") + LIST_MARKS


def is_certain(prover: "Prover", claim: Claim) -> bool:
    """True if nothing beside the figure points to other rows than those that prove it."""
    basis = claim.basis
    at = passage_at(prover.answer.passages, claim.start)
    figure = prover.answer.figure_at(claim.start)
    if basis is None or at is None or figure is None:
        return True
    if basis.how in _SAYS_NOTHING or (basis.how is How.ROWS_OF_ROWS and figure.is_whole):
        return False
    passage = prover.answer.passages[at]
    if _is_of_a_part(prover, basis) and not _says_part(prover, passage, figure):
        return False
    if _hides_filter(prover, basis, passage):
        return False
    if not basis.facts:
        return True
    if any(_is_unclear(prover, fact) for fact in basis.facts):
        return False
    if _goes_in_circles(prover, basis.facts) or _is_of_unnamed(prover, basis, passage):
        return False
    if passage.kind is PassageKind.ROW:
        return True
    return not _is_of_another(prover, basis.facts, figure, passage)


def _is_unclear(prover: "Prover", fact: Fact) -> bool:
    """True if only the query named its column, or if it adds up several currencies."""
    if fact.table < 0 or fact.column < 0:
        return False
    mixed = fact.over is Over.SUM and len(prover.ready.facts.currencies(fact.table, fact.rows)) > 1
    return mixed or prover.ready.facts.column(fact.ref).coined


def _goes_in_circles(prover: "Prover", facts: tuple[Fact, ...]) -> bool:
    """True if one of two sides contains the other, so that a value is added and subtracted again,
    or if a sum mixes two columns."""
    if len(facts) < _PAIR:
        return False
    leaves = [set(_leaves(fact)) for fact in facts]
    if any(each.how is How.ADDED and _is_mixed(prover, each.parts) for each in facts):
        return True
    return len(set[Fact]().union(*leaves)) < sum(map(len, leaves))


def _is_mixed(prover: "Prover", parts: tuple[Fact, ...]) -> bool:
    named = [each for each in parts if each.table >= 0 and each.column >= 0]
    return len({prover.ready.facts.column(each.ref).name for each in named}) > 1


def _leaves(fact: Fact) -> Iterator[Fact]:
    if not fact.parts:
        yield fact
    for part in fact.parts:
        yield from _leaves(part)


def _is_of_unnamed(prover: "Prover", basis: Basis, passage: Passage) -> bool:
    """True if it combines two rows of which the passage, its lead and the question name only one,
    or none."""
    cells = {
        (fact.table, fact.rows)
        for fact in basis.facts
        if fact.over is Over.CELL and fact.table >= 0 and len(fact.rows) == 1
    }
    if len({rows for _, rows in cells}) < len(basis.facts) or len(cells) < _PAIR:
        return False
    names = prover.answer.within(prover.answer.names, passage.start, passage.end)
    if passage.lead is not None:
        lead = prover.answer.passages[passage.lead]
        names += prover.answer.within(prover.answer.names, lead.start, lead.end)
    names += prover.question.names
    return not all(any(n.table == t and n.rows == rows for n in names) for t, rows in cells)


def _is_of_a_part(prover: "Prover", basis: Basis) -> bool:
    """True if it is over all rows of a result that was cut off."""
    touched = [(fact.table, fact.rows) for fact in basis.facts if fact.over is not Over.CELL]
    if basis.how in COUNTS and basis.how is not How.ROWS_THERE_ARE:
        touched.append((basis.table, basis.rows))
    if basis.how is How.LISTED and any(table.truncated for table in prover.ready.tables):
        return True
    return any(
        table >= 0
        and prover.ready.tables[table].truncated
        and rows >= prover.ready.facts.members[table]
        for table, rows in touched
    )


def _hides_filter(prover: "Prover", basis: Basis, passage: Passage) -> bool:
    """True if the figure is called a total, but its call had a filter that neither the text nor
    the question names."""
    cues = prover.answer.within(prover.answer.cues, passage.start, passage.end)
    if not any(cue.has("quantity.all") or cue.has("aggregate.total") for cue in cues):
        return False
    named = f"{prover.answer.text}\n{prover.question.text}".casefold()
    tables = {*(fact.table for fact in basis.facts), basis.table}
    values = (v for at in tables if at >= 0 for v in prover.ready.tables[at].held.values())
    return any(
        isinstance(value, str) and value.casefold() not in named and not find_moments(value)
        for value in values
    )


def _says_part(prover: "Prover", passage: Passage, figure: Figure) -> bool:
    """True if the passage says that these are not all rows, or how many rows it covers."""
    words = language_file(prover.answer.words.language)["binding"]["incomplete"]
    text = prover.answer.text[passage.start : passage.end].casefold()
    sizes = {len(members) for members in prover.ready.facts.members}
    others = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    cues = prover.answer.within(prover.answer.cues, passage.start, passage.end)
    counted = not any(cue.has("quantity.all") for cue in cues) and any(
        each.is_whole and each.readings[0].value in sizes for each in others if each != figure
    )
    return counted or any(word in text for word in words)


def _is_of_another(
    prover: "Prover", facts: tuple[Fact, ...], figure: Figure, passage: Passage
) -> bool:
    """True if the name right beside the figure is of other rows than its facts."""
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    here = prover.answer.within(prover.answer.names, passage.start, passage.end)
    tables = {fact.table for fact in facts}
    beside = [
        each
        for each in here
        if each.table in tables and each.is_key and _stands_beside(prover, each, figure, figures)
    ]
    before = [each for each in beside if each.end <= figure.start]
    if before and any(each.start > figure.start for each in figures):
        beside = before  # a name behind it may belong to the figure that follows
    single = len(facts) == 1
    return bool(beside) and not any(
        fact.table == each.table and (fact.rows <= each.rows if single else fact.rows & each.rows)
        for fact in facts
        for each in beside
    )


def _stands_beside(
    prover: "Prover", name: NameMention, figure: Figure, figures: list[Figure]
) -> bool:
    """True if neither another figure nor a clause mark is between them."""
    start, end = min(name.end, figure.end), max(name.start, figure.start)
    between = prover.answer.text[start:end]
    parted = any(sign in between for sign in _PARTING)
    return not parted and not any(start <= each.start < end for each in figures if each != figure)
