"""The prose of an answer, sentence by sentence: who wrote it, what is proven, what was flagged."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from veridical.console.claim_view import ClaimView
from veridical.console.lead import Lead, Table, table_of
from veridical.contracts.answer import Answer
from veridical.contracts.facts_answer import FactsAnswer, ShownFact, State, StatedSentence
from veridical.contracts.proof import ClaimKind
from veridical.gate.proof_view import ShownClaim, marked_places
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.punctuation import marks

_WHOLE = frozenset({"sentence", "table"})
"""Slots that print all of a fact."""
_TABLE = "table"
_VALUE = "value"
"""The form whose sentence says no more than its figures and their names."""
_STRONG = "**"
_LETTER = rf"[^\W{HAN}]"
_COLONS = f" \n{marks(':')}"
_ITEM = late_pattern(r"(?m)^[-*] ")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence; with claims where any are made there."""

    text: str
    claims: tuple[ClaimView, ...] = ()
    is_strong: bool = False
    table: Table | None = None

    @property
    def mood(self) -> str:
        """The mood of the worst of its claims; empty without any."""
        return min((each.mood for each in self.claims), key=_WORST_FIRST.index, default="")


_WORST_FIRST = ("bad", "open", "good", "note")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of the answer, or all of a text that is not written in facts."""

    pieces: tuple[Piece, ...]
    state: State | None = None
    reasons: tuple[str, ...] = ()
    """Why it was flagged."""
    replaces: str = ""
    """The words of the model that it is shown instead of."""


def passages_of(
    answer: Answer,
    lead: Lead | None,
    shown: tuple[ShownClaim, ...],
    views: Mapping[int, ClaimView],
) -> tuple[Passage, ...]:
    """The prose without what the lead shows."""
    if answer.facts is None or not answer.facts.sentences or answer.text != answer.facts.text:
        return (Passage(tuple(_of_text(answer.text, 0, shown, views))),) if answer.text else ()
    return tuple(_stripped(list(_of_facts(answer.facts, lead, shown, views))))


def _of_facts(
    facts: FactsAnswer,
    lead: Lead | None,
    shown: tuple[ShownClaim, ...],
    views: Mapping[int, ClaimView],
) -> Iterator[Passage]:
    at = 0
    for each in facts.sentences:
        start, at = at, at + len(each.text)
        if lead is not None and _is_in(lead, each, facts):
            continue
        within = tuple(one for one in shown if start <= one.claim.start and one.claim.end <= at)
        found = _of_text(each.text, start, within, views)
        pieces = tuple(_with_tables(found, each, facts, lead.facts if lead else frozenset()))
        reasons = tuple(dict.fromkeys(mark.why for mark in each.marks))
        yield Passage(pieces, each.state, reasons, each.replaces)
    for note in facts.notes:
        yield Passage((Piece(f"\n\n{note}"),), State.EXACT)


def _is_in(lead: Lead, sentence: StatedSentence, facts: FactsAnswer) -> bool:
    """True if the lead shows all that a sentence of the host says."""
    if sentence.state is not State.EXACT or sentence.replaces:
        return False
    if not sentence.slots:
        text = sentence.text.strip(_COLONS)
        return not text or text == lead.title
    return all(
        slot.fact in lead.facts
        and (slot.part == _TABLE or (slot.part in _WHOLE and facts.facts[slot.fact].form == _VALUE))
        for slot in sentence.slots
    )


def _of_text(
    text: str, start: int, shown: tuple[ShownClaim, ...], views: Mapping[int, ClaimView]
) -> Iterator[Piece]:
    """The pieces of a stretch of the answer that begins at a place."""
    moved = tuple(_moved(each, -start) for each in _single(shown))
    at, is_strong = 0, False
    for place in marked_places(moved, text):
        plain, is_strong = _plain(text[at : place.start], is_strong=is_strong)
        yield from plain
        claims = tuple(views[each.number] for each in place.claims)
        yield Piece(text[place.start : place.end], claims, is_strong)
        at = place.end
    yield from _plain(text[at:], is_strong=is_strong)[0]


def _moved(each: ShownClaim, by: int) -> ShownClaim:
    claim = each.claim
    place = {"start": claim.start + by, "end": claim.end + by}
    return replace(each, claim=claim.model_copy(update=place))


def _plain(text: str, *, is_strong: bool) -> tuple[list[Piece], bool]:
    """Text without claims; two stars begin and end what is set off, a dash an item."""
    found: list[Piece] = []
    for at, part in enumerate(text.split(_STRONG)):
        is_strong = is_strong if at == 0 else not is_strong
        if part:
            found.append(Piece(_ITEM.sub("• ", part), is_strong=is_strong))
    return found, is_strong


def _with_tables(
    pieces: Iterator[Piece],
    sentence: StatedSentence,
    facts: FactsAnswer,
    in_lead: frozenset[str],
) -> Iterator[Piece]:
    """Tables as such, and in a sentence of the host a mark for each figure."""
    slots = {sentence.text[each.start : each.end]: each for each in sentence.slots}
    names = frozenset(name for each in facts.shown.values() for name in each.names)
    for piece in pieces:
        slot = slots.get(piece.text)
        fact = facts.shown.get(slot.fact) if slot is not None else None
        if slot is None or fact is None or slot.part not in _WHOLE:
            yield piece
        elif slot.part == _TABLE and slot.fact in in_lead:
            continue
        elif slot.part == _TABLE and fact.columns:
            yield replace(piece, table=table_of(slot.fact, fact))
        else:
            yield from _by_figure(piece, fact, names)


def _by_figure(piece: Piece, fact: ShownFact, names: Collection[str]) -> Iterator[Piece]:
    """A whole sentence of a fact, in pieces that mark its figures."""
    cells = (text for each in fact.columns if each.values for text in each.texts)
    figures = sorted({*fact.figures, *cells} - {""}, key=len, reverse=True)
    found = list(_places(piece.text, figures, names))
    if not found:
        yield piece
        return
    at, is_strong = 0, piece.is_strong
    for start, end in found:
        plain, is_strong = _plain(piece.text[at:start], is_strong=is_strong)
        yield from plain
        yield Piece(piece.text[start:end], piece.claims, is_strong)
        at = end
    yield from _plain(piece.text[at:], is_strong=is_strong)[0]


def _places(text: str, figures: Sequence[str], names: Collection[str]) -> Iterator[tuple[int, int]]:
    """The places of these figures, none of them within a longer number, a word or the name of a
    row, such as a month. Chinese has no spaces: a figure may touch its characters."""
    if not figures:
        return
    others = sorted({*names} - {*figures, ""}, key=len, reverse=True)
    pattern = "|".join(map(re.escape, (*others, *figures)))
    for found in re.finditer(
        rf"(?<!{_LETTER})(?<![.,'’])(?:{pattern})(?!{_LETTER})(?![.,'’]\d)", text
    ):
        if found[0] not in others:
            yield found.span()


def _single(claims: tuple[ShownClaim, ...]) -> tuple[ShownClaim, ...]:
    """Those to mark in the text: a claim about a whole list would hide those of its lines."""
    return tuple(
        each
        for each in claims
        if each.claim.kind is not ClaimKind.LIST or not any(_within(one, each) for one in claims)
    )


def _within(one: ShownClaim, other: ShownClaim) -> bool:
    inner, outer = one.claim, other.claim
    is_inside = outer.start <= inner.start and inner.end <= outer.end
    return is_inside and inner.end - inner.start < outer.end - outer.start


def _stripped(passages: list[Passage]) -> list[Passage]:
    """The prose without blank lines around it."""
    for at, strip in ((0, str.lstrip), (-1, str.rstrip)):
        while passages and not passages[at].pieces:
            passages.pop(at)
        if passages:
            pieces = list(passages[at].pieces)
            pieces[at] = replace(pieces[at], text=strip(pieces[at].text))
            passages[at] = replace(passages[at], pieces=tuple(pieces))
    return passages
