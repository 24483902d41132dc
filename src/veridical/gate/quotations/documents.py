"""The quotations and claims of an answer, each with the chunk that it rests on."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.languages.vocabulary import vocabulary
from veridical.gate.notions import Notion, find_notion
from veridical.gate.quotations.citations import Citation, find_citations
from veridical.gate.quotations.judged import Judged, grounded
from veridical.gate.quotations.judging import Judge, with_citation
from veridical.gate.quotations.library import Library
from veridical.gate.quotations.quoted import Quoted, find_quoted, inner_text
from veridical.gate.quotations.sentence_claims import SentenceClaim, find_claims, spot_of
from veridical.gate.quotations.sentences import Sentence, Sentences
from veridical.gate.quotations.standing import wording_of
from veridical.reading.language import language_of

SMALL_TALK = 13
"""Below it, a bare whole number in a sentence without a citation counts pages or points."""


@dataclass(frozen=True, slots=True)
class Documented:
    """The judged parts of an answer, and the part that needs other evidence."""

    library: Library
    judged: tuple[Judged, ...]
    left: str
    """The answer with blanks in place of its judged parts; empty if all of it was judged."""


def check_documents(
    answer: str, library: Library, question: str, language: Language | None, *, alone: bool
) -> Documented:
    """Judges quotations, cited sentences and, where there is no other evidence (``alone``), what
    should have been cited. The text of a chunk is compared, never obeyed."""
    reader = _Reader(answer, library, question, language or language_of(answer, Language.EN))
    quotations = list(reader.quotations())
    keep_time(now=True)
    rest = list(reader.sentences(alone=alone))
    judged = sorted((*reader.unknown(), *quotations, *rest), key=lambda each: each.start)
    left = "" if alone else reader.left()
    return Documented(library, tuple(judged), left)


class _Reader:
    def __init__(self, answer: str, library: Library, question: str, language: Language) -> None:
        self._answer = answer
        self._library = library
        self._question = question
        self._language = language
        self._quoted = find_quoted(answer)
        self._citations = _citations(answer, self._quoted, library)
        self._parts = Sentences(answer, self._quoted, self._citations, language)
        self._taken: list[tuple[int, int]] = [(one.start, one.end) for one in self._citations]

    def quotations(self) -> Iterator[Judged]:
        """The verdict on each quotation."""
        judge = Judge(self._answer, self._question, self._language, self._library)
        for quoted in self._quoted:
            keep_time(now=True)
            sentence = self._parts.at(quoted.start)
            before = self._parts.before(quoted.start)
            beside = self._citations[bisect_left(self._citations, quoted.start, key=_start) :][:9]
            found = judge.judged(with_citation(self._answer, quoted, beside, sentence, before))
            if found is None:  # a term: its words are prose, its marks mean nothing
                inner = (quoted.inner_start, quoted.inner_end)
                self._taken += ((quoted.start, inner[0]), (inner[1], quoted.end))
                continue
            self._taken.append((quoted.start, quoted.end))
            yield found

    def unknown(self) -> Iterator[Judged]:
        """The citations of unknown chunks."""
        for each in self._citations:
            for name in each.unknown:
                yield Judged(
                    each.start,
                    each.end,
                    ClaimKind.IDENTIFIER,
                    Standing.CONTRADICTED,
                    code=GateCode.UNKNOWN_CITATION,
                    chunk=name,
                    instead=", ".join(one.chunk.id for one in self._library.shelved[:3]),
                )

    def sentences(self, *, alone: bool) -> Iterator[Judged]:
        """The verdicts on figures, times and names outside of quotations."""
        text = _blanked(self._answer, self._taken)
        for sentence in self._parts.all:
            own = text[sentence.start : sentence.end]
            if not own.strip() or not (sentence.chunks or alone):
                continue
            keep_time(now=True)
            reported = False
            for claim in find_claims(own, self._language, self._library):
                if sentence.chunks:
                    yield self._cited(claim, own, sentence)
                elif self._needs_citation(claim, own, sentence):
                    yield _uncited(claim, sentence, first=not reported)
                    reported = True

    def left(self) -> str:
        """The text that other evidence must support: sentences that cite nothing, and those that
        state bookings although the cited document does not."""
        text = _blanked(self._answer, self._taken)
        cited = [
            (one.start, one.end)
            for one in self._parts.all
            if one.citations and not self._is_of_the_books(one, text[one.start : one.end])
        ]
        return _blanked(text, cited)

    def _is_of_the_books(self, sentence: Sentence, own: str) -> bool:
        """True for amounts on accounts, unlike a limit that a document sets."""
        if find_notion(Notion.BOOKED, own) is None:
            return False
        if any(
            find_notion(Notion.BOOKED, self._library.shelved[at].chunk.text)
            for at in sentence.chunks
        ):
            return False
        return any(each.figure for each in find_claims(own, self._language, self._library))

    def _cited(self, claim: SentenceClaim, text: str, sentence: Sentence) -> Judged:
        spot = spot_of(claim, text, self._library, sentence.chunks)
        if spot is not None:
            return grounded(
                sentence.start + claim.start, sentence.start + claim.end, claim.kind, spot
            )
        elsewhere = spot_of(claim, text, self._library, self._library.everywhere)
        return Judged(
            sentence.start + claim.start,
            sentence.start + claim.end,
            claim.kind,
            Standing.UNGROUNDED,
            (elsewhere,) if elsewhere else (),
            GateCode.NOT_IN_CITATION,
            "elsewhere" if elsewhere else "",
            ", ".join(self._library.shelved[at].chunk.id for at in sentence.chunks[:3]),
            self._library.shelved[elsewhere.chunk].chunk.id if elsewhere else "",
        )

    def _needs_citation(self, claim: SentenceClaim, text: str, sentence: Sentence) -> bool:
        """True if a claim without a citation is about the documents."""
        if sentence.is_question or sentence.citations or not claim.is_sure:
            return False
        if claim.figure is not None:
            small = claim.figure.is_whole and claim.figure.readings[0].value < SMALL_TALK
            return not small
        if sentence.is_heading:
            return False
        words = text[claim.start : claim.end].casefold()
        if words not in self._question.casefold():
            return True
        cues = vocabulary(self._language).cues(text.casefold())
        return not any(cue.has("missing") or cue.has("negation") for cue in cues)


def _start(each: Quoted | Citation) -> int:
    return each.start


def _uncited(claim: SentenceClaim, sentence: Sentence, *, first: bool) -> Judged:
    """One finding for each sentence is enough."""
    code = GateCode.UNCITED_CLAIM if first else None
    start, end = sentence.start + claim.start, sentence.start + claim.end
    return Judged(start, end, claim.kind, Standing.UNGROUNDED, code=code)


def _citations(answer: str, quoted: Sequence[Quoted], library: Library) -> list[Citation]:
    """The citations outside of quotations, and those that close one; what a chunk itself has in
    brackets is its text."""
    found: list[Citation] = []
    for each in find_citations(answer, library):
        at = bisect_right(quoted, each.start, key=_start) - 1
        around = quoted[at] if at >= 0 and each.start < quoted[at].end else None
        if around is not None:
            if any(map(str.isalnum, answer[each.end : around.inner_end])):
                continue
            wording = wording_of(inner_text(answer, around)).rstrip(" .")
            if next(library.find(wording, library.everywhere), None) is not None:
                continue
        found.append(each)
    return found


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    signs = list(text)
    for start, end in spans:
        signs[start:end] = [sign if sign == "\n" else " " for sign in signs[start:end]]
    return "".join(signs)
