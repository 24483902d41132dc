"""Names and times of the evidence: proven where the figure beside one belongs to its rows."""

from bisect import bisect_left
from collections.abc import Iterator

from veridical.contracts.input_budget import keep_time
from veridical.evidence.moment import FoundMoment, Moment
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.prover import Prover
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import Passage, PassageKind, passage_at
from veridical.gate.text.taken import Taken
from veridical.reading.punctuation import marks

_NEGATED = 15
_OPENING = marks("(")
Figures = dict[int, Claim]
"""The claims of figures by their places."""


def is_of(basis: Basis, named: NameMention) -> bool:
    """True if the evaluated rows are those of a name: of a part and its whole, the part."""
    touched = [(fact.table, fact.rows) for fact in basis.facts] or [(basis.table, basis.rows)]
    return any(
        table == named.table
        and rows & named.rows
        and not any(table == other and its < rows for other, its in touched)
        for table, rows in touched
    )


def time_claims(prover: Prover, figures: Figures) -> Iterator[Claim]:
    """Each time of the text: of the rows that it names, of a call, a column or the question."""
    for found in prover.answer.moments:
        keep_time()
        named = [
            each
            for each in prover.answer.names
            if each.start < found.end and found.start < each.end and each.column >= 0
        ]
        if named:
            shown = _is_shown(prover, found, named, figures)
            yield _claim(found, "time", named[0] if shown else None)
        elif _is_in_question(prover, found.moment):
            yield Claim(found.start, found.end, "time", Stand.PROVEN, Basis(How.QUESTION))
        else:
            known = [moment for _, moment in prover.ready.call_moments]
            known += prover.ready.measures.moments.values()
            stand = Stand.PROVEN if any(map(found.moment.meets, known)) else Stand.UNPROVEN
            yield Claim(found.start, found.end, "time", stand)


def _is_shown(
    prover: Prover, found: FoundMoment, named: list[NameMention], figures: Figures
) -> bool:
    """True if the figure beside a time is of the rows that it names."""
    at = passage_at(prover.answer.passages, found.start)
    if at is None or any(len(prover.ready.tables[each.table].rows) == 1 for each in named):
        return True  # a record has one time of each kind, and a figure needs none
    passage = prover.answer.passages[at]
    if _is_attribute(prover, passage, found, named):
        return True
    figure = _beside(prover, found, passage)
    claim = figures.get(figure.start) if figure else None
    if claim is None or claim.stand is not Stand.PROVEN or claim.basis is None:
        return False
    basis = claim.basis
    return any(is_of(basis, each) for each in named)


def _is_attribute(
    prover: Prover, passage: Passage, found: FoundMoment, named: list[NameMention]
) -> bool:
    """True if the passage names one row alone, and the time is in that row."""
    names = prover.answer.within(prover.answer.names, *passage.span)
    keys = {(each.table, each.rows) for each in names if each.is_key and each.start != found.start}
    return len(keys) == 1 and any((each.table, each.rows) in keys for each in named)


def _beside(prover: Prover, found: FoundMoment, passage: Passage) -> Figure | None:
    """The figure that a time belongs to: the first behind it before another time, else the last
    before it."""
    figures = prover.answer.within(prover.answer.figures, *passage.span)
    times = prover.answer.within(prover.answer.moments, found.end, passage.end)
    stop = times[0].start if times else passage.end
    behind = [each for each in figures if found.end <= each.start < stop]
    before = [each for each in figures if each.end <= found.start]
    return behind[0] if behind else before[-1] if before else next(iter(figures), None)


def _is_in_question(prover: Prover, moment: Moment) -> bool:
    moments = (each.moment for each in prover.question.moments)
    return any(moment.covers(each) or each.meets(moment) for each in moments)


def name_claims(prover: Prover, figures: Figures, others: list[Claim]) -> list[Claim]:
    """Each name with a figure beside it, green where the figure is of its rows, and each value of
    a row's name; a name without a figure claims nothing that could be looked up."""
    taken = Taken(len(prover.answer.text), ((each.start, each.end) for each in others))
    found: dict[tuple[int, int], Claim] = {}
    for passage in prover.answer.passages:
        if passage.kind is PassageKind.HEADING:
            continue
        names = prover.answer.within(prover.answer.names, *passage.span)
        for name, figure in _named_figures(prover, passage, names):
            keep_time()
            claim, span = figures.get(figure.start), (name.start, name.end)
            if claim is None or claim.stand is not Stand.PROVEN or claim.basis is None:
                continue  # the figure is marked already
            if not claim.basis.facts and claim.basis.table < 0:
                continue  # it is of no rows
            shown = is_of(claim.basis, name)
            if not taken.meets(*span) and (shown or span not in found):
                found[span] = _claim(name, "name", name if shown else None)
        for claim in _attributes(prover, names):
            if not taken.meets(claim.start, claim.end):
                found.setdefault((claim.start, claim.end), claim)
    return list(found.values())


def _named_figures(
    prover: Prover, passage: Passage, names: list[NameMention]
) -> Iterator[tuple[NameMention, Figure]]:
    """The names of a passage, each with the figures that may belong to it: those up to the next
    name, or the last before it; in a table's row all of them."""
    keys = [each for each in names if each.is_key and each.column >= 0]
    figures = prover.answer.within(prover.answer.figures, *passage.span)
    for name in keys:
        if passage.kind is PassageKind.ROW:
            yield from ((name, figure) for figure in figures)
            continue
        after = bisect_left(keys, name.end, key=lambda each: each.start)
        stop = keys[after].start if after < len(keys) else passage.end
        behind = prover.answer.within(prover.answer.figures, name.end, stop)[:1]
        before = [each for each in figures if each.end <= name.start][-1:]
        text = prover.answer.text[before[0].end : name.start].strip() if before else ""
        in_brackets = bool(text) and text in _OPENING  # 38.00 (Economy)
        yield from ((name, figure) for figure in (before if in_brackets else behind or before))


def _attributes(prover: Prover, names: list[NameMention]) -> Iterator[Claim]:
    """Each value behind the only row that a passage names: it must be a value of that row."""
    for table in {each.table for each in names}:
        mine = [each for each in names if each.table == table and each.whole]
        columns = prover.ready.tables[table].columns
        keys = [each for each in mine if each.is_key and columns[each.column].is_key]
        if not keys or len({each.rows for each in keys}) > 1:
            continue
        key = keys[0]
        places = {each.start for each in mine if each.start > key.start} - {k.start for k in keys}
        for start in sorted(places):
            here = [each for each in mine if each.start == start]
            near = prover.answer.within(prover.answer.cues, start - _NEGATED, start)
            if any(cue.has("negation") for cue in near):
                continue
            its = next((each for each in here if each.rows & key.rows), None)
            yield _claim(here[0], "attribute", its)


def _claim(place: NameMention | FoundMoment, kind: str, shown: NameMention | None) -> Claim:
    if shown is None:
        return Claim(place.start, place.end, kind, Stand.UNPROVEN)
    columns = (ColumnRef(shown.table, shown.column),) if shown.column >= 0 else ()
    basis = Basis(How.NAME, (), shown.table, shown.rows, columns)
    return Claim(place.start, place.end, kind, Stand.PROVEN, basis)
