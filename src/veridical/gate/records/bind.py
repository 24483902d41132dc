"""Hold what an answer says in words against the records behind it."""

from collections.abc import Iterator, Mapping, Sequence

from veridical.contracts.proof import ClaimKind, Ground
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.records.held import Held
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.passage import Passages, read_passages
from veridical.gate.records.schedule import held_hours
from veridical.gate.records.sentence import asks_back, is_statement, sentences
from veridical.gate.records.subject import Subject, subjects
from veridical.gate.records.support import held_support
from veridical.gate.records.truths import held_truths
from veridical.gate.records.word import Word


def bind_records(text: str, evidence: Evidence, lexicon: RecordLexicon) -> tuple[Bound, ...]:
    """Every statement about a record that is no figure: yes, no, a choice, opening hours."""
    known = subjects(evidence.exhibits, lexicon)
    if not known or asks_back(text):
        return ()
    return tuple(
        _bound(held, text) for held in held_records(text, known, evidence.exhibits, lexicon)
    )


def held_records(
    text: str, known: Sequence[Subject], exhibits: Sequence[Exhibit], lexicon: RecordLexicon
) -> Iterator[Held]:
    """All statements of the text, each held against what it speaks about."""
    told = _told(known, exhibits)
    spoken_of = known[0] if len(known) == 1 else None
    for sentence in sentences(text):
        if not is_statement(sentence, text):
            continue
        if len(known) > 1:
            spoken_of = _named(text, sentence, known, spoken_of)
        if spoken_of is not None:
            yield from _held_week(text, sentence, spoken_of, lexicon)
            yield from held_truths(sentence, spoken_of.index, spoken_of.passages, lexicon)
        if told is not None:
            yield from held_support(sentence, told, lexicon)


def _told(known: Sequence[Subject], exhibits: Sequence[Exhibit]) -> Passages | None:
    """All words of the evidence, where a record describes something at length."""
    if not any(isinstance(exhibit.record, Mapping) for exhibit in exhibits):
        return None
    if len(known) == len(exhibits) == 1:
        return known[0].passages if known[0].passages.is_description else None
    everything = [
        (exhibit.record, exhibit.columns, exhibit.rows, exhibit.text) for exhibit in exhibits
    ]
    passages = read_passages(everything)
    return passages if passages.is_description else None


def _named(
    text: str, sentence: tuple[Word, ...], known: Sequence[Subject], before: Subject | None
) -> Subject | None:
    """The one subject that the sentence names, else the one named before; none if it names two."""
    said = text[sentence[0].start : sentence[-1].end].casefold()
    named = [each for each in known if any(name in said for name in each.names)]
    if not named:
        return before
    return named[0] if len(named) == 1 else None


def _held_week(
    text: str, sentence: tuple[Word, ...], subject: Subject, lexicon: RecordLexicon
) -> Iterator[Held]:
    if subject.week is None:
        return
    first, last = sentence[0].start, sentence[-1].end
    for held in held_hours(text[first:last], subject.week, subject.passages, lexicon):
        yield Held(first + held.start, first + held.end, held.standing, held.says)


def _bound(held: Held, text: str) -> Bound:
    claim = Claim(ClaimKind.FACT, text[held.start : held.end], held.start, held.end)
    return Bound(claim, held.standing, Ground.RECORD, reason=held.says)
