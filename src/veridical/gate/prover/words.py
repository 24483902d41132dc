"""Words that claim something: whether the figures beside them show it; and the writer's own
words."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations

from veridical.contracts.input_budget import keep_time
from veridical.evidence.dimension import Quantity
from veridical.gate.languages.forms import forms
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.facts import Fact
from veridical.gate.prover.how import How
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.prover import Prover
from veridical.gate.prover.ranks import rank_claim
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import Passage, PassageKind
from veridical.gate.text.taken import Taken
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.punctuation import LIST_MARKS, marks

OWN_WORDS = "sentence"
"""The kind of a sentence without anything that could be looked up."""
OPEN_WORD = "word"
"""The kind of a word whose claim no binding shows."""
_TO = frozenset({"→", "->", "–", "=>", "⇒", *forms().change})
"""What stands between the two ends of a change."""
_KINDS = ("direction", "delta", "proportion", "compare")
_WAYS = ("direction.up", "direction.down", "delta", "compare.more", "compare.less")
_UP = ("direction.up", "delta.up", "compare.more")
_OPEN = ("rank", "direction", "quantity.all", "quantity.none", "quantity.only", "quantity.most")
_GOVERNING = frozenset({"rank", "direction", "order"})
_PARTS = {
    "half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10,
    "two_thirds": 2 / 3, "three_quarters": 3 / 4, "double": 2.0, "triple": 3.0, "fourfold": 4.0,
}  # fmt: skip
_NEAR, _FAR = 0.07, 0.25
"""How far a part may be off, and how far one that is "more than" it."""
_REACH, _BESIDE, _BEFORE, _NAME_REACH, _DENIAL_REACH = 60, 24, 14, 30, 16
_ENDS = marks(";.") + LIST_MARKS
_STOPS = marks(",;.:()") + LIST_MARKS
_CLAUSE = late_pattern(rf"[^{re.escape(marks(',;:()') + '–—')}]+")
_WORD = late_pattern(rf"[^\W\d_{HAN}]+|[{HAN}]")
_NOUN = late_pattern(r" [^\W\d_]+")
_FEWEST_WORDS = 4
_ASKING = marks("?")
Figures = dict[int, Claim]
"""The claims of figures by their places."""


def word_claims(prover: Prover, figures: Figures) -> Iterator[Claim]:
    """Each word that claims a rank, a direction, a part or a number of all."""
    for at, passage in enumerate(prover.answer.passages):
        keep_time(now=True)
        if passage.kind is PassageKind.HEADING:
            continue
        cues = prover.answer.within(prover.answer.cues, *passage.span)
        hedged = any(each.has("cause.hedges") for each in cues)
        for cue in cues:
            keep_time()
            if _is_taken(prover, cue):
                continue
            claim = _of_cue(prover, at, passage, cue, figures, hedged=hedged)
            if claim is not None:
                yield _turned(prover, claim)
        yield from _orders(prover, passage)


def _of_cue(
    prover: Prover, at: int, passage: Passage, cue: Cue, figures: Figures, *, hedged: bool
) -> Claim | None:
    claim, shown = None, None
    if cue.has("rank"):
        claim = rank_claim(prover, at, cue, figures)
    elif cue.has("proportion") and not _is_ordinal(prover, cue):
        shown = _is_part(prover, passage, cue)
    elif any(map(cue.has, _WAYS)):
        shown = _moves(prover, passage, cue)
    if shown is None and cue.text.endswith(forms().comparing):
        shown = _compares(prover, passage, cue)
    if shown is not None:
        stand = Stand.PROVEN if shown else Stand.UNPROVEN
        kind = next(each for each in _KINDS if cue.has(each))
        claim = Claim(cue.start, cue.end, kind, stand)
    if claim is None and (any(map(cue.has, _OPEN)) or (cue.has("cause") and not hedged)):
        return Claim(cue.start, cue.end, OPEN_WORD, Stand.UNPROVEN)
    return claim


def _is_ordinal(prover: Prover, cue: Cue) -> bool:
    """True if the word numbers the noun behind it: a third customer is no part."""
    noun = _NOUN.match(prover.answer.text, cue.end)
    if noun is None or cue.text.split()[-1] not in prover.answer.words.ordinals:
        return False
    return not prover.answer.within(prover.answer.cues, *noun.span())


def _is_taken(prover: Prover, cue: Cue) -> bool:
    """True if the word belongs to a name or to a column."""
    answer = prover.answer
    start = cue.start - _REACH
    spans = (
        *answer.within(answer.names, start, cue.end),
        *(each for each in answer.within(answer.measures, start, cue.end) if each.own),
    )
    return any(each.start < cue.end and cue.start < each.end for each in spans)


def _turned(prover: Prover, claim: Claim) -> Claim:
    """The claim, contradicted where a true one is denied."""
    if claim.kind not in ("rank", "compare") or claim.stand is Stand.UNPROVEN:
        return claim
    text = prover.answer.text
    start, end = claim.start - _DENIAL_REACH - _REACH, claim.end + _DENIAL_REACH
    for cue in prover.answer.within(prover.answer.cues, start, end):
        between = text[min(cue.end, claim.end) : max(cue.start, claim.start)]
        near = len(between) <= _DENIAL_REACH and not any(sign in between for sign in _STOPS)
        if cue.has("negation") and near:
            true = claim.stand is Stand.PROVEN
            stand = Stand.CONTRADICTED if true else Stand.UNPROVEN
            return Claim(claim.start, claim.end, claim.kind, stand, claim.basis)
    return claim


def _moves(prover: Prover, passage: Passage, cue: Cue) -> bool | None:
    """True if the figures beside a word of direction moved that way; none where there are none."""
    up = any(map(cue.has, _UP))
    figures = prover.answer.within(prover.answer.figures, *passage.span)
    governed = _governed(prover.answer.text, figures, cue)
    match = prover.matches.get(governed.start) if governed is not None else None
    if match is not None and match.fact.how in (How.DIFFERENCE, How.CHANGE):
        way = prover.times.way(*match.sides) or _in_words(prover, passage, match.sides)
        return None if not way else (way > 0) == up
    near = [each for each in figures if -_REACH <= each.start - cue.end <= _REACH]
    near = near if cue.has("direction") else []
    facts = [fact for each in near if (fact := prover.facts.get(each.start)) and fact.table >= 0]
    for one, other in permutations(facts, 2):
        names = {prover.ready.facts.column(each.ref).name for each in (one, other)}
        if len(names) == 1 and (way := prover.times.way(one, other)):
            return (way > 0) == up
    return None


def _governed(text: str, figures: Sequence[Figure], cue: Cue) -> Figure | None:
    """The size of a change: the figure right behind the word, or right before it."""
    for each in figures:
        between = text[min(cue.end, each.end) : max(cue.start, each.start)]
        last = between.split()[-1:]
        is_end = bool(last) and last[0] in forms().change_end
        reach = _BESIDE if each.start >= cue.end else _BEFORE
        if len(between) <= reach and not is_end and not any(sign in between for sign in _STOPS):
            return each
    return None


def _in_words(prover: Prover, passage: Passage, sides: Sequence[Fact]) -> int:
    """The direction of a difference from what is named last to what is named first."""
    names = prover.answer.within(prover.answer.names, *passage.span)
    places = [
        next(
            (name.start for name in names if (name.table, name.rows) == (side.table, side.rows)), -1
        )
        for side in sides
    ]
    if min(places) < 0 or places[0] == places[1]:
        return 0
    ahead, behind = sides if places[0] < places[1] else reversed(sides)
    return (ahead.value > behind.value) - (ahead.value < behind.value)


def _is_part(prover: Prover, passage: Passage, cue: Cue) -> bool:
    """True if a share beside it, or two figures of its passage, come to that part."""
    kind = next(each for each in cue.kinds if each.startswith("proportion."))
    wanted = _PARTS.get(kind.partition(".")[2])
    if wanted is None:
        return False
    low, high = wanted * (1 - _NEAR), wanted * (1 + _NEAR)
    before = prover.answer.within(prover.answer.cues, cue.start - _BEFORE, cue.start)
    if any(each.has("compare.more") for each in before):
        low, high = wanted, wanted * (1 + _FAR)
    if any(each.has("compare.less") for each in before):
        low, high = wanted * (1 - _FAR), wanted
    facts = prover.facts_in(passage)
    parts = [fact.value for fact in facts if fact.dimension.quantity is Quantity.SHARE]
    parts += [one.value / other.value for one, other in permutations(facts, 2) if other.value]
    return any(low <= abs(part) <= high for part in parts)


def _compares(prover: Prover, passage: Passage, cue: Cue) -> bool | None:
    """True if the first of two names has more of a column that the passage shows; none where not
    two names are compared."""
    names = prover.answer.within(prover.answer.names, *passage.span)
    keys = [each for each in names if each.is_key]
    before = [each for each in keys if each.end <= cue.start]
    after = [each for each in keys if 0 <= each.start - cue.end <= _NAME_REACH]
    if not before or not after or before[-1].table != after[0].table:
        return None
    if prover.answer.within(prover.answer.figures, cue.end, after[0].start):
        return None
    figures = prover.answer.within(prover.answer.figures, *passage.span)
    matches = [prover.matches[each.start] for each in figures if each.start in prover.matches]
    refs = frozenset(ref for match in matches for ref in match.columns)
    pairs = [
        (one.value, other.value)
        for one in _cells(prover, before[-1]) for other in _cells(prover, after[0])
        if one.ref == other.ref and one.ref in refs
    ]  # fmt: skip
    if not pairs:
        return None
    up = cue.has("compare.more")
    return any(one > other if up else one < other for one, other in pairs)


def _cells(prover: Prover, name: NameMention) -> Sequence[Fact]:
    return prover.ready.facts.over(name.table, name.rows) if len(name.rows) == 1 else ()


def _orders(prover: Prover, passage: Passage) -> Iterator[Claim]:
    """From one figure to another: the first one must be the earlier."""
    figures = prover.answer.within(prover.answer.figures, *passage.span)
    for one, other in pairwise(figures):
        first, second = prover.facts.get(one.start), prover.facts.get(other.start)
        if first is None or second is None or first.table < 0 or second.table < 0:
            continue
        before, after = prover.times.of(first), prover.times.of(second)
        if prover.answer.text[one.end : other.start].strip().casefold() not in _TO:
            continue
        if before is not None and after is not None and before.order > after.order:
            yield Claim(one.start, other.end, "order", Stand.UNPROVEN)


def governed_figures(prover: Prover, claims: Sequence[Claim]) -> Iterator[int]:
    """The places of the figures that belong to unproven ranks and directions."""
    answer = prover.answer
    for claim in claims:
        if claim.kind not in _GOVERNING or claim.stand is Stand.PROVEN:
            continue
        first, last = claim.start - _REACH - _BESIDE, claim.end + _REACH
        for figure in answer.within(answer.figures, first, last + 1):
            start, end = min(claim.end, figure.end), max(claim.start, figure.start)
            parted = any(sign in answer.text[start:end] for sign in _ENDS)
            if end - start <= _REACH and not parted:
                yield figure.start
                if figure.start >= claim.end:
                    break


def own_words(prover: Prover, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Sentences and clauses without anything that could be proven: the writer's own words."""
    starts = sorted(each.start for each in claims)
    answer = prover.answer
    spans = ((each.start, each.end) for each in (*claims, *answer.names, *answer.measures))
    known = Taken(len(answer.text), spans)
    for passage in answer.passages:
        asks = answer.text[slice(*passage.span)].rstrip()[-1:] in _ASKING
        if passage.kind is PassageKind.HEADING or asks:
            continue
        if bisect_left(starts, passage.start) == bisect_left(starts, passage.end):
            yield _own(prover, *passage.span)
        elif passage.kind is not PassageKind.ROW:
            for match in _CLAUSE.finditer(answer.text, *passage.span):
                keep_time()
                is_long = len(_WORD.findall(match[0])) >= _FEWEST_WORDS
                if is_long and not known.meets(*match.span()):
                    yield _own(prover, *match.span())


def _own(prover: Prover, start: int, end: int) -> Claim:
    words = prover.answer.text[start:end]
    begin, end = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
    if prover.ready.texts.has_whole(words):
        return Claim(begin, end, OWN_WORDS, Stand.PROVEN, Basis(How.TEXT))
    return Claim(begin, end, OWN_WORDS, Stand.UNPROVEN)
