"""Quotations and cited sentences of a referenced answer: they are set aside while it is computed.

What cites a document is judged against the document and printed as it was written. In its place
the template has one sign that no text has, so that neither side reads the words of the other.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.gate.quotations.documents import Documented, check_documents
from veridical.gate.quotations.library import shelve
from veridical.gate.references.check import ReferencedAnswer
from veridical.late_pattern import late_pattern

_SYNTAX = late_pattern(
    r"\A.*?^\s*-{3,}\s*$|<<.*?>>|\[\[.*?\]\](?!\])|\{[^{}]*\}", re.DOTALL | re.MULTILINE
)
"""Definitions, lists, claims and references: a template's own, in which nobody cites."""
_FIRST_SIGN, _LAST_SIGN = 0xE000, 0xF8FF
"""For private use: no answer has them."""
_SIGNS = late_pattern(f"[{chr(_FIRST_SIGN)}-{chr(_LAST_SIGN)}]")


@dataclass(frozen=True, slots=True)
class SetAside:
    """A template without what cites documents, and how that stands."""

    template: str
    stretches: tuple[tuple[int, int], ...]
    """Where each sign of the template stood for what, in the text as it was written."""
    written: str
    found: Documented

    def put_back(self, answer: ReferencedAnswer) -> tuple[ReferencedAnswer, Documented]:
        """The computed answer with its quotations, and how they stand where they are now."""
        shown, places = self._expanded(answer.shown)
        signs = sorted((each.start(), each.end()) for each in _SIGNS.finditer(answer.shown))
        grown = [0]
        for start, end in signs:
            length = self._length(answer.shown[start])
            grown.append(grown[-1] + length - (end - start))
        starts = [start for start, _ in signs]

        def moved(place: int) -> int:
            return place + grown[bisect_right(starts, place - 1)]

        claims = tuple(
            replace(each, start=moved(each.start), end=moved(each.end)) for each in answer.claims
        )
        findings = tuple(
            replace(each, start=moved(each.start), end=moved(each.end)) for each in answer.findings
        )
        judged = tuple(
            replace(each, start=each.start + by, end=each.end + by)
            for each in self.found.judged
            for by in self._by(each.start, places)
        )
        return replace(answer, shown=shown, claims=claims, findings=findings), replace(
            self.found, judged=judged
        )

    def computed(self, shown: str) -> str:
        """The computed text alone, with blanks in place of what was set aside."""
        return _SIGNS.sub(lambda sign: " " * self._length(sign[0]), shown)

    def _expanded(self, shown: str) -> tuple[str, dict[int, int]]:
        """The text with all stretches, and where each of them begins."""
        parts: list[str] = []
        places: dict[int, int] = {}
        length = 0
        for part in re.split(f"({_SIGNS.pattern})", shown):
            if part and _SIGNS.fullmatch(part):
                number = ord(part) - _FIRST_SIGN
                places[number] = length
                part = self.written[slice(*self.stretches[number])]
            parts.append(part)
            length += len(part)
        return "".join(parts), places

    def _length(self, sign: str) -> int:
        start, end = self.stretches[ord(sign) - _FIRST_SIGN]
        return end - start

    def _by(self, place: int, places: dict[int, int]) -> Iterator[int]:
        """How far what stood at this place has moved; nothing for what is not shown."""
        for number, (start, end) in enumerate(self.stretches):
            if start <= place < end and number in places:
                yield places[number] - start


def set_aside(
    text: str, chunks: Sequence[Chunk], question: str, language: Language
) -> SetAside | None:
    """The template and what it says of documents; none where it says nothing of them."""
    written = _SIGNS.sub(" ", text)
    masked = _SYNTAX.sub(lambda match: " " * len(match[0]), written)
    found = check_documents(masked, shelve(chunks), question, language, alone=False)
    own = [match.span() for match in _SYNTAX.finditer(written)]
    stretches = tuple(_stretches(masked, found.left, own))
    most = _LAST_SIGN - _FIRST_SIGN + 1
    if not stretches or len(stretches) > most:
        return None
    template: list[str] = []
    end = 0
    for number, (start, stop) in enumerate(stretches):
        template += (written[end:start], chr(_FIRST_SIGN + number))
        end = stop
    template.append(written[end:])
    return SetAside("".join(template), stretches, written, found)


def _stretches(text: str, left: str, own: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where something was judged, with the blanks between its words; never what is the template's
    own."""
    starts = {start for start, _ in own}
    begin = end = -1
    for at, (one, other) in enumerate(zip(text, left, strict=True)):
        if one != other:
            begin, end = (at if begin < 0 else begin), at + 1
        if begin >= 0 and (at in starts or (one == other and one != " ")):
            yield begin, end
            begin = -1
    if begin >= 0:
        yield begin, end
