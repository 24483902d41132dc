"""Hold what an answer says in words against the records behind it."""

from collections.abc import Iterator, Mapping

from veridical.contracts.proof import ClaimKind, Ground
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.facts.held import Held
from veridical.gate.facts.schedule import held_hours
from veridical.gate.facts.sentence import sentences
from veridical.gate.facts.subject import Subject, read_subject
from veridical.gate.facts.support import held_support
from veridical.gate.facts.truths import held_truths
from veridical.gate.facts.word import Word


def find_facts(text: str, evidence: Evidence) -> tuple[Bound, ...]:
    """Every statement about a record that is no figure: yes, no, a choice, opening hours."""
    records = [
        exhibit.record for exhibit in evidence.exhibits if isinstance(exhibit.record, Mapping)
    ]
    if not records:
        return ()
    return tuple(_bound(held, text) for record in records for held in held_facts(text, record))


def held_facts(text: str, record: object) -> Iterator[Held]:
    """All statements of the text about one record."""
    subject = read_subject(record)
    for sentence in sentences(text):
        yield from _held_week(text, sentence, subject)
        yield from held_truths(sentence, subject.index, subject.passages)
        yield from held_support(sentence, subject.passages)


def _held_week(text: str, sentence: tuple[Word, ...], subject: Subject) -> Iterator[Held]:
    if subject.week is None:
        return
    first, last = sentence[0].start, sentence[-1].end
    for held in held_hours(text[first:last], subject.week, subject.passages):
        yield Held(first + held.start, first + held.end, held.standing, held.says)


def _bound(held: Held, text: str) -> Bound:
    claim = Claim(ClaimKind.FACT, text[held.start : held.end], held.start, held.end)
    return Bound(claim, held.standing, Ground.RECORD, reason=held.says)
