"""Judges one quotation: word for word in the chunk that it cites, or the fault it has."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.quotations.boundary import size
from veridical.gate.quotations.citations import Citation
from veridical.gate.quotations.folded import fold
from veridical.gate.quotations.judged import Judged, grounded
from veridical.gate.quotations.library import Library, Spot
from veridical.gate.quotations.nearest import differing, is_omission, nearest, segments
from veridical.gate.quotations.quoted import Quoted, inner_text
from veridical.gate.quotations.sentence_claims import is_term
from veridical.gate.quotations.sentences import Sentence
from veridical.gate.quotations.standing import Stands, denies, parts_of, stands, wording_of
from veridical.late_pattern import late_pattern

LIMIT = 5.0
"""From so many words on, text in marks is a quotation even without a citation: hardly any run of
five words stands in two documents by chance. A shorter one may be a term or a title.
``python -m benchmarks.quotations`` prints the shares."""
_SINGLE = 2.0
"""A single word in marks without a citation beside it is a term, not a quotation."""
_HAS_WORD = late_pattern(r"\w")
_PARAGRAPH = late_pattern(r"\n\s*\n")
_QUOTATION = ClaimKind.QUOTATION


@dataclass(frozen=True, slots=True)
class Cited:
    """A quotation of the answer with its citation."""

    quoted: Quoted
    inner: str
    """Its words, without the citation that may stand within its marks."""
    direct: tuple[int, ...]
    """The chunks of the citation right beside it."""
    sentence: Sentence | None


class Judge:
    """Judges the quotations of one answer."""

    def __init__(self, answer: str, question: str, language: Language, library: Library) -> None:
        self._answer = answer
        self._folded_question = fold(question).text.casefold()
        self._language = language
        self._library = library

    def judged(self, cited: Cited) -> Judged | None:
        """The verdict; none if it is no quotation but a term, a title, the question itself."""
        wording = wording_of(cited.inner)
        if not _HAS_WORD.search(wording):
            return None
        chunks = cited.direct or (cited.sentence.chunks if cited.sentence else ())
        if not cited.direct and not cited.quoted.is_block and size(wording) < LIMIT:
            single = size(wording) < _SINGLE
            return None if single or not chunks else self._term(cited, chunks)
        if not cited.direct and wording.casefold().strip(" .?!") in self._folded_question:
            return None
        denied = cited.sentence is not None and denies(
            self._answer[cited.sentence.start : cited.quoted.start], self._language
        )
        everywhere = self._library.everywhere
        found = stands(wording, self._library, chunks or everywhere, denied=denied)
        if found is not None:
            return self._found(cited, found)
        if chunks:
            other = stands(wording, self._library, everywhere, denied=True)
            if other is not None:
                return self._miscited(cited, chunks, other)
        return self._spliced(cited, wording, chunks) or self._altered(cited, wording, chunks)

    def _term(self, cited: Cited, chunks: Sequence[int]) -> Judged:
        """A few words in marks within a sentence that cites: a name that its chunk must have."""
        start, end = cited.quoted.inner_start, cited.quoted.inner_end
        if is_term(cited.inner, self._library, chunks):
            found = stands(wording_of(cited.inner), self._library, chunks, denied=True)
            spot = self._library.spot(found.places[0]) if found else Spot(chunks[0], 0, 0)
            return grounded(start, end, ClaimKind.NAME, spot)
        code, named = GateCode.NOT_IN_CITATION, self._named(chunks)
        return Judged(start, end, ClaimKind.NAME, Standing.UNGROUNDED, code=code, chunk=named)

    def _found(self, cited: Cited, found: Stands) -> Judged:
        spots = tuple(map(self._library.spot, found.places))
        if found.flaw is None:
            return grounded(cited.quoted.start, cited.quoted.end, _QUOTATION, *spots)
        unproven = _fault(cited, GateCode.UNPROVEN_QUOTATION, self._named((spots[0].chunk,)), spots)
        return replace(
            unproven,
            standing=Standing.UNGROUNDED,
            variant=found.flaw.value,
            instead=self._around(spots),
        )

    def _miscited(self, cited: Cited, chunks: Sequence[int], found: Stands) -> Judged:
        spots = tuple(map(self._library.spot, found.places))
        instead = self._named((spots[0].chunk,))
        return _fault(cited, GateCode.MISCITED_QUOTATION, self._named(chunks), spots, instead)

    def _spliced(self, cited: Cited, wording: str, chunks: Sequence[int]) -> Judged | None:
        """Put together from places that are far apart, or with an ellipsis from several chunks."""
        parts, _ = parts_of(wording)
        if len(parts) > 1:
            each = [
                next(self._library.find(part, self._library.everywhere), None) for part in parts
            ]
            found = tuple(place for place in each if place is not None)
            if len(found) < len(parts):
                return None
        else:
            found = segments(wording, self._library)
            if not found or is_omission(found):
                return None
        spots = tuple(map(self._library.spot, found))
        instead = " + ".join(self._part(spot) for spot in spots[:2])
        return _fault(cited, GateCode.SPLICED_QUOTATION, self._named(chunks), spots, instead)

    def _altered(self, cited: Cited, wording: str, chunks: Sequence[int]) -> Judged:
        library = self._library
        near = nearest(wording, library, chunks) or nearest(wording, library, library.everywhere)
        if near is not None:
            spot = library.spot(near.place)
            folded = library.shelved[spot.chunk].folded.text[near.place.start : near.place.end]
            instead = differing(wording, folded)
            named = self._named((spot.chunk,))
            return _fault(cited, GateCode.ALTERED_QUOTATION, named, (spot,), instead)
        if chunks:
            invented = _fault(cited, GateCode.ALTERED_QUOTATION, self._named(chunks))
            return replace(invented, variant="invented")
        unproven = _fault(cited, GateCode.UNPROVEN_QUOTATION)
        return replace(unproven, standing=Standing.UNGROUNDED, variant="nowhere")

    def _named(self, chunks: Sequence[int]) -> str:
        return ", ".join(dict.fromkeys(self._library.shelved[at].chunk.id for at in chunks[:3]))

    def _part(self, spot: Spot) -> str:
        words = " ".join(self._library.words_at(spot).split())
        return f"{self._named((spot.chunk,))}: {differing('', words, 30)}"

    def _around(self, spots: Sequence[Spot]) -> str:
        """The words of the chunk with a few words before them."""
        first, last = spots[0], spots[-1]
        text = self._library.shelved[first.chunk].chunk.text
        begin = max(0, first.start - 20)
        return differing("", " ".join(text[begin : last.end].split()))


def _fault(
    cited: Cited, code: GateCode, chunk: str = "", spots: tuple[Spot, ...] = (), instead: str = ""
) -> Judged:
    start, end = cited.quoted.start, cited.quoted.end
    return Judged(
        start, end, _QUOTATION, Standing.CONTRADICTED, spots, code, chunk=chunk, instead=instead
    )


def with_citation(
    answer: str,
    quoted: Quoted,
    citations: Sequence[Citation],
    sentence: Sentence | None,
    before: Sentence | None,
) -> Cited:
    """The quotation with the citation that belongs to it; ``before`` is the sentence that leads up
    to a block."""
    inner = inner_text(answer, quoted)
    within = [each for each in citations if quoted.start <= each.start < quoted.end]
    if within:
        last = within[-1]
        if not _HAS_WORD.search(answer[last.end : quoted.inner_end]):
            cut = _without_tail(inner[: last.start - quoted.inner_start], quoted)
            return Cited(quoted, cut, last.chunks, sentence)
    behind = next((each for each in citations if each.start >= quoted.end), None)
    if behind is not None and _is_beside(answer[quoted.end : behind.start], quoted):
        return Cited(quoted, inner, behind.chunks, sentence)
    if quoted.is_block and before is not None and before.is_heading:
        return Cited(quoted, inner, before.chunks, sentence)
    return Cited(quoted, inner, (), sentence)


_ATTRIBUTION = late_pattern(r"\n\s*[\u2014\u2013-]{1,3}\s*[^\n]*$")


def _without_tail(inner: str, quoted: Quoted) -> str:
    """A block may close with a line that names its source."""
    return _ATTRIBUTION.sub("", inner) if quoted.is_block else inner


def _is_beside(between: str, quoted: Quoted) -> bool:
    if _HAS_WORD.search(between):
        return False
    return quoted.is_block or _PARAGRAPH.search(between) is None
