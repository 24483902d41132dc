"""Whether a figure is certainly of the rows that it was proven by, and not found by chance."""

from collections.abc import Iterator
from dataclasses import replace

from veridical.evidence.moment import find_moments
from veridical.gate.languages.vocabulary import language_file
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.how import COUNTS, How
from veridical.gate.prover.prover import Prover
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import Passage, PassageKind, passage_at
from veridical.reading.punctuation import LIST_MARKS, marks

_PAIR = 2
_PARTING = marks(",;.") + LIST_MARKS
_STEPS = (1, -2, 3, -5, 7, -11, 13, -17)
_PARTS = 100
_MOST = {How.ITSELF: 0.2, How.RATIO: 0.2, How.CHANGE: 0.2}
_MOST_ELSE = 0.5
"""The share of other figures that may be found: counts are small, and so near one another."""


def sure(prover: Prover, claim: Claim) -> Claim:
    """The claim of a figure, green only where its binding is certain."""
    basis, figure = claim.basis, prover.answer.figure_at(claim.start)
    at = passage_at(prover.answer.passages, claim.start)
    if claim.stand is not Stand.PROVEN or basis is None or figure is None or at is None:
        return claim
    passage = prover.answer.passages[at]
    if _is_bound(prover, basis, figure, passage) and not _is_by_chance(prover, basis, figure, at):
        return claim
    return replace(claim, stand=Stand.UNPROVEN)


def _is_bound(prover: Prover, basis: Basis, figure: Figure, passage: Passage) -> bool:
    """True if nothing beside the figure points to other rows than those that prove it."""
    if _is_of_a_part(prover, basis) and not _says_part(prover, figure, passage):
        return False
    if any(_is_unclear(prover, fact) for fact in _leaves(basis.facts)):
        return False
    if _hides_filter(prover, basis, passage) or _is_of_unnamed(prover, basis, passage):
        return False
    return passage.kind is PassageKind.ROW or not _is_of_another(prover, basis, figure, passage)


def _leaves(facts: tuple[Fact, ...]) -> Iterator[Fact]:
    for fact in facts:
        yield from _leaves(fact.parts) if fact.parts else (fact,)


def _is_unclear(prover: Prover, fact: Fact) -> bool:
    """True if only the query named its column, or if it adds up several currencies."""
    if fact.table < 0 or fact.column < 0:
        return False
    mixed = fact.over is Over.SUM and len(prover.ready.facts.currencies(fact.table, fact.rows)) > 1
    return mixed or prover.ready.facts.column(fact.ref).coined


def _is_of_unnamed(prover: Prover, basis: Basis, passage: Passage) -> bool:
    """True if it combines two rows of which the passage, its lead and the question name only one,
    or none."""
    cells = {
        (fact.table, fact.rows)
        for fact in basis.facts
        if fact.over is Over.CELL and fact.table >= 0 and len(fact.rows) == 1
    }
    if len({rows for _, rows in cells}) < len(basis.facts) or len(cells) < _PAIR:
        return False
    spans = [passage.span]
    if passage.lead is not None:
        spans.append(prover.answer.passages[passage.lead].span)
    names = [name for span in spans for name in prover.answer.within(prover.answer.names, *span)]
    named = {(each.table, each.rows) for each in (*names, *prover.question.names)}
    return not cells <= named


def _is_of_a_part(prover: Prover, basis: Basis) -> bool:
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


def _says_part(prover: Prover, figure: Figure, passage: Passage) -> bool:
    """True if the passage says that these are not all rows, or how many rows it covers."""
    words = language_file(prover.answer.words.language)["binding"]["incomplete"]
    text = prover.answer.text[slice(*passage.span)].casefold()
    sizes = {len(members) for members in prover.ready.facts.members}
    others = prover.answer.within(prover.answer.figures, *passage.span)
    cues = prover.answer.within(prover.answer.cues, *passage.span)
    counted = not any(cue.has("quantity.all") for cue in cues) and any(
        each.is_whole and each.readings[0].value in sizes for each in others if each != figure
    )
    return counted or any(word in text for word in words)


def _hides_filter(prover: Prover, basis: Basis, passage: Passage) -> bool:
    """True if the figure is called a total, but its call had a filter that neither the text nor
    the question names."""
    cues = prover.answer.within(prover.answer.cues, *passage.span)
    if not any(cue.has("quantity.all") or cue.has("aggregate.total") for cue in cues):
        return False
    named = f"{prover.answer.text}\n{prover.question.text}".casefold()
    tables = {*(fact.table for fact in basis.facts), basis.table}
    values = (v for at in tables if at >= 0 for v in prover.ready.tables[at].held.values())
    return any(
        isinstance(value, str) and value.casefold() not in named and not find_moments(value)
        for value in values
    )


def _is_of_another(prover: Prover, basis: Basis, figure: Figure, passage: Passage) -> bool:
    """True if the name right beside the figure is of other rows than its facts."""
    answer, facts = prover.answer, basis.facts
    figures = answer.within(answer.figures, *passage.span)
    beside = [
        name
        for name in answer.within(answer.names, *passage.span)
        if name.is_key and name.table in {fact.table for fact in facts}
        and _stands_beside(answer.text, name.start, name.end, figure, figures)
    ]  # fmt: skip
    before = [each for each in beside if each.end <= figure.start]
    if before and any(each.start > figure.start for each in figures):
        beside = before  # a name behind it may belong to the figure that follows
    single = len(facts) == 1
    return bool(beside) and not any(
        fact.table == each.table and (fact.rows <= each.rows if single else fact.rows & each.rows)
        for fact in facts
        for each in beside
    )


def _stands_beside(text: str, start: int, end: int, figure: Figure, figures: list[Figure]) -> bool:
    """True if neither another figure nor a clause mark is between them."""
    first, last = min(end, figure.end), max(start, figure.start)
    parted = any(sign in text[first:last] for sign in _PARTING)
    return not parted and not any(first <= each.start < last for each in figures if each != figure)


def _is_by_chance(prover: Prover, basis: Basis, figure: Figure, at: int) -> bool:
    """True if too many other figures of its size and precision would be proven in its place."""
    shown = prover.facts_in(prover.answer.passages[at])
    if len(basis.facts) == _PAIR and all(fact in shown for fact in basis.facts):
        return False  # the passage shows both: 94 of 151 (62 %)
    others = _like(figure)
    room = _MOST.get(basis.how, _MOST_ELSE) * len(others)
    left, found = len(others), 0
    for is_found in prover.finds(others, at) if others else ():
        found, left = found + is_found, left - 1
        if found + left <= room:
            return False
    return found > room


def _like(figure: Figure) -> list[Figure]:
    """Figures with as many digits, a little more or less."""
    reading = figure.readings[0]
    unit = 2 * reading.half_step or 1.0
    step = unit * max(1, round(abs(reading.value) / unit / _PARTS))
    values = [reading.value + each * step for each in _STEPS]
    kept = [each for each in values if (each > 0) == (reading.value > 0) and each]
    return [replace(figure, readings=(reading._replace(value=each),)) for each in kept]
