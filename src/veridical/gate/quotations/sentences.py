"""The sentences of an answer with the citations that each of them carries."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.contracts.language import Language
from veridical.gate.quotations.citations import Citation
from veridical.gate.quotations.quoted import Quoted
from veridical.gate.text.passage import Passage, PassageKind, passages
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks

_STOPS = marks(".!?")
_FILLER = "x"
_LEAD_ENDS = marks(":")
_ORDINAL = late_pattern(r"(?<=\d)(?<!\d{3})\.(?= [A-ZÄÖÜ][a-zäöü])")
"""German writes the point of an ordinal, and a noun with a capital behind it."""
_HEADING = late_pattern(r"\s*(?:#{1,6}\s|(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*$)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, a list item or a table's row."""

    start: int
    end: int
    citations: tuple[Citation, ...]
    """Its own, or those of the sentence that leads up to it."""
    is_heading: bool = False
    """Or a line that only leads up to what follows."""
    is_question: bool = False

    @property
    def chunks(self) -> tuple[int, ...]:
        """The chunks that it cites."""
        return tuple(dict.fromkeys(at for each in self.citations for at in each.chunks))


class Sentences:
    """All of them, by place."""

    def __init__(
        self,
        answer: str,
        quoted: Sequence[Quoted],
        citations: Sequence[Citation],
        language: Language,
    ) -> None:
        masked = _masked(answer, quoted, citations)
        if language is Language.DE:
            masked = _ORDINAL.sub(_FILLER, masked)
        parts = passages(masked)
        carried = _carried(parts, citations)
        self.all = tuple(
            Sentence(
                part.start,
                part.end,
                carried[at] or _led(parts, carried, at),
                _is_heading(answer, part),
                masked[part.start : part.end].rstrip()[-1:] in marks("?"),
            )
            for at, part in enumerate(parts)
        )
        self._starts = [each.start for each in self.all]

    def at(self, place: int) -> Sentence | None:
        """The sentence at this place of the answer."""
        found = bisect_right(self._starts, place) - 1
        return self.all[found] if found >= 0 and place < self.all[found].end else None

    def before(self, place: int) -> Sentence | None:
        """The sentence that ends before this place."""
        found = bisect_right(self._starts, place - 1) - 1
        return self.all[found] if found >= 0 and self.all[found].end <= place else None


def _masked(answer: str, quoted: Sequence[Quoted], citations: Sequence[Citation]) -> str:
    """The answer with quotations as plain words, and stops behind the citations that follow them:
    a quotation is part of its sentence, and so is a citation behind its last stop."""
    text = list(answer)
    for each in quoted:
        closing = answer[each.inner_end - 1 : each.inner_end]
        text[each.start : each.end] = _FILLER * (each.end - each.start)
        if closing in _STOPS and closing and not each.is_block:
            text[each.end - 1] = closing
    for each in citations:
        _attach(text, answer, each)
    return "".join(text)


def _attach(text: list[str], answer: str, cited: Citation) -> None:
    text[cited.start : cited.end] = _FILLER * (cited.end - cited.start)
    line = answer.rfind("\n", 0, cited.start) + 1
    begins = not answer[line : cited.start].strip()
    alone = begins and not answer[cited.end :].partition("\n")[0].strip(_STOPS + " ")
    if begins and not alone:
        return  # the entry of a list of sources, or a sentence that begins with its own
    before = cited.start - 1
    while before >= 0 and text[before] in " \n":
        before -= 1
    after = answer[cited.end : cited.end + 2].strip(" \u00a0")
    if before < 0 or after[:1].islower():
        return
    if text[before] in _STOPS:
        stop = text[before]
        text[before : cited.end - 1] = _FILLER * (cited.end - 1 - before)
        text[cited.end - 1] = stop
    elif alone:
        text[before + 1 : cited.start] = _FILLER * (cited.start - before - 1)


def _carried(parts: Sequence[Passage], citations: Sequence[Citation]) -> list[tuple[Citation, ...]]:
    """The citations of each passage."""
    starts = [part.start for part in parts]
    found: list[list[Citation]] = [[] for _ in parts]
    for each in citations:
        at = bisect_right(starts, each.start) - 1
        if at >= 0:
            found[at].append(each)
    return [tuple(each) for each in found]


def _led(
    parts: Sequence[Passage], carried: Sequence[tuple[Citation, ...]], at: int
) -> tuple[Citation, ...]:
    """The citations of the line above a list or a table apply to all of it."""
    part = parts[at]
    if part.kind not in (PassageKind.ITEM, PassageKind.ROW) or part.lead is None:
        return ()
    return carried[part.lead]


def _is_heading(answer: str, part: Passage) -> bool:
    line = answer[part.start : part.end]
    return line.rstrip()[-1:] in _LEAD_ENDS or _HEADING.match(line) is not None
