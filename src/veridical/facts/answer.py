"""An answer in facts: computed, filled, checked, with an exact sentence for each fact."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veridical.contracts.facts_answer import State
from veridical.contracts.language import Language
from veridical.evidence.table import EvidenceTable
from veridical.facts.arguments import Arguments, read_arguments
from veridical.facts.fact import Fact
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel.frame import Frame, frames_of
from veridical.facts.kernel.value import FactError
from veridical.facts.prose import additions, columns, complement, pairing, polarity, residue, scales
from veridical.facts.prose.filled import Filled, Filler
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.known import known_of
from veridical.facts.prose.sentences import Sentence, split
from veridical.facts.prose.template import Written, read_answer
from veridical.facts.prose.vocabulary import vocabulary
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording
from veridical.reading.punctuation import marks


@dataclass(frozen=True, slots=True)
class Printed:
    """The text that a slot printed, by its place in the sentence."""

    start: int
    end: int
    fact: str
    part: str


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of the answer as it is shown."""

    text: str
    state: State
    facts: tuple[str, ...] = ()
    findings: tuple[ProseFinding, ...] = ()
    printed: tuple[Printed, ...] = ()

    @property
    def is_marked(self) -> bool:
        """True if a part of it is supported by no fact."""
        return bool(self.findings)


@dataclass(frozen=True, slots=True)
class Stated:
    """An answer in facts."""

    language: Language
    sentences: tuple[AnswerSentence, ...] = ()
    notes: tuple[str, ...] = ()
    """The host's notes on the whole answer."""
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    exact: Mapping[str, str] = field(default_factory=dict[str, str])
    """The exact sentence of each fact that the prose uses."""
    basis: tuple[str, ...] = ()
    """One sentence for each result behind the facts: its rows, and the arguments of its call."""
    refused: tuple[ProseFinding, ...] = ()
    """Why it goes back; empty for one that is accepted."""

    @property
    def accepted(self) -> bool:
        """True if it can be shown."""
        return not self.refused

    @property
    def text(self) -> str:
        """The prose as it is shown."""
        prose = "".join(each.text for each in self.sentences).strip()
        return "\n\n".join((prose, *self.notes)) if self.notes else prose

    @property
    def marked(self) -> tuple[AnswerSentence, ...]:
        """The sentences that go beyond the facts."""
        return tuple(each for each in self.sentences if each.is_marked)


def state_answer(
    raw: Any, tables: Sequence[EvidenceTable], question: str, language: Language
) -> Stated:
    """The answer that a model wrote over these results."""
    frames = frames_of(tables)
    try:
        written = read_answer(raw)
    except FactError as error:
        return Stated(language, refused=(_form(error),))
    facts, failures = computed(written.facts, frames)
    wording = Wording(language, frames)
    sentences = Sentences(language, wording)
    filler = Filler(facts, frozenset(failures), frames, wording, sentences)
    filled = filler.fill(written)
    refused = [_failed(name, error) for name, error in failures.items()]
    refused += [_unfilled(source, error) for source, error in filled.failures]
    used = {name: facts[name] for name in filled.used}
    for name, fact in used.items():
        refused += columns.misnamed(name, fact, frames)
    checked = _checked(filled, used, frames, question, wording)
    found = (each for sentence in checked for each in sentence.findings)
    refused += [each for each in found if each.level is Level.REFUSED]
    return Stated(
        language=language,
        sentences=tuple(checked),
        notes=tuple(additions.notes(facts, frozenset(used), frames, wording.printer)),
        facts=facts,
        exact={name: sentences.of(fact, filled.used[name]) for name, fact in used.items()},
        basis=tuple(_basis(used, frames, sentences)),
        refused=tuple(refused),
    )


def _basis(
    facts: Mapping[str, Fact], frames: Mapping[str, Frame], sentences: Sentences
) -> Iterator[str]:
    for result in sorted({result for fact in facts.values() for result in fact.results}):
        if frames[result].columns:
            yield sentences.basis(evaluate(Arguments(say="basis", result=result), frames))


def computed(
    written: Mapping[str, Any], frames: Mapping[str, Frame]
) -> tuple[dict[str, Fact], dict[str, FactError]]:
    """The facts by name, and the errors of those that could not be computed."""
    facts: dict[str, Fact] = {}
    failures: dict[str, FactError] = {}
    for name, raw in written.items():
        try:
            facts[name] = evaluate(read_arguments(raw), frames)
        except FactError as error:
            failures[name] = error
    return facts, failures


def _checked(
    filled: Filled, facts: Mapping[str, Fact], frames: Mapping[str, Frame], question: str,
    wording: Wording,
) -> list[AnswerSentence]:  # fmt: skip
    words = vocabulary(wording.printer.language)
    known = known_of(facts.values(), frames, wording.printer)
    names = residue.Names(frames, facts)
    labels = polarity.label_pattern(frames, facts)
    folded, listed = question.casefold(), residue.markers(filled.text)
    context = f"{question} {filled.text}"
    found: list[AnswerSentence] = []
    for sentence in split(filled.pieces):
        findings = [
            *residue.check(sentence, known, names, words, folded, listed),
            *polarity.check(sentence, facts, words, labels, folded),
            *complement.check(sentence, facts, words),
            *pairing.check(sentence, facts),
            *columns.check(sentence, facts, frames),
            *scales.check(sentence, words),
        ]
        addition, marks = additions.added(sentence, facts, context, wording)
        text = _with(sentence.text, addition)
        all_found, printed = (*findings, *marks), _printed(sentence)
        found.append(AnswerSentence(text, _state(sentence), sentence.facts, all_found, printed))
    return found


def _printed(sentence: Sentence) -> tuple[Printed, ...]:
    return tuple(
        Printed(each.start - sentence.start, each.end - sentence.start, each.fact, each.path)
        for each in sentence.pieces
        if each.fact
    )


def _state(sentence: Sentence) -> State:
    if sentence.is_exact:
        return State.EXACT
    return State.PROVEN if sentence.facts else State.OWN


def _with(text: str, addition: str) -> str:
    """A sentence with the host's addition before its last sign."""
    if not addition:
        return text
    body = text.rstrip()
    rest = text[len(body) :]
    sign = body[-1:] if body[-1:] in marks(".!?:") else ""
    return body[: len(body) - len(sign)] + addition + sign + rest


def _form(error: FactError) -> ProseFinding:
    return ProseFinding(Code.FORM, Level.REFUSED, error.subject, reason=error.reason)


def _failed(name: str, error: FactError) -> ProseFinding:
    return ProseFinding(
        Code.FACT, Level.REFUSED, f"{name}: {error.subject}", instead=", ".join(error.choices[:12]),
        reason=error.reason,
    )  # fmt: skip


def _unfilled(source: str, error: FactError) -> ProseFinding:
    return ProseFinding(
        Code.SLOT, Level.REFUSED, f"{{{source}}}", instead=", ".join(error.choices[:24]),
        reason=error.reason,
    )  # fmt: skip


__all__ = ["AnswerSentence", "State", "Stated", "Written", "state_answer"]
