"""An answer in facts: computed, filled, checked, with the exact sentence of everything it says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veridical.contracts.facts_answer import State
from veridical.contracts.language import Language
from veridical.evidence.table import Table
from veridical.facts.arguments import Arguments, read_arguments
from veridical.facts.fact import Fact
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel.frame import Frame, frames_of
from veridical.facts.kernel.value import FactError
from veridical.facts.prose import columns, complement, pairing, polarity, residue, scales, unsaid
from veridical.facts.prose.filled import Filled, Filler
from veridical.facts.prose.finding import Code, Finding, Level
from veridical.facts.prose.known import known_of
from veridical.facts.prose.sentences import Sentence, split
from veridical.facts.prose.template import Written, read_answer
from veridical.facts.prose.vocabulary import vocabulary
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording
from veridical.reading.punctuation import marks


@dataclass(frozen=True, slots=True)
class Printed:
    """What a slot printed, by its place in the sentence."""

    start: int
    end: int
    fact: str
    part: str


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of the answer as it is shown."""

    text: str
    state: State
    facts: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    printed: tuple[Printed, ...] = ()

    @property
    def is_marked(self) -> bool:
        """Whether something in it is shown by no fact."""
        return bool(self.findings)


@dataclass(frozen=True, slots=True)
class Stated:
    """An answer in facts."""

    language: Language
    sentences: tuple[Said, ...] = ()
    notes: tuple[str, ...] = ()
    """What the host adds to the whole answer."""
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    exact: Mapping[str, str] = field(default_factory=dict[str, str])
    """The exact sentence of each fact that the prose uses."""
    basis: tuple[str, ...] = ()
    """What each result holds that the facts rest on: its rows, and what its call asked for."""
    refused: tuple[Finding, ...] = ()
    """Why it goes back; empty for one that is accepted."""

    @property
    def accepted(self) -> bool:
        """Whether it can be shown."""
        return not self.refused

    @property
    def text(self) -> str:
        """The prose as it is shown."""
        prose = "".join(said.text for said in self.sentences).strip()
        return "\n\n".join((prose, *self.notes)) if self.notes else prose

    @property
    def marked(self) -> tuple[Said, ...]:
        """The sentences that say more than a fact shows."""
        return tuple(said for said in self.sentences if said.is_marked)


def state_answer(raw: Any, tables: Sequence[Table], question: str, language: Language) -> Stated:
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
    refused += [each for said in checked for each in said.findings if each.level is Level.REFUSED]
    return Stated(
        language=language,
        sentences=tuple(checked),
        notes=tuple(unsaid.notes(facts, frozenset(used), frames, wording.printer)),
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
    """Every fact by its name, and why some have none."""
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
) -> list[Said]:  # fmt: skip
    words = vocabulary(wording.printer.language)
    known = known_of(facts.values(), frames, wording.printer)
    names = residue.Names(frames, facts)
    labels = polarity.label_pattern(frames, facts)
    asked, listed = question.casefold(), residue.markers(filled.text)
    said = f"{question} {filled.text}"
    found: list[Said] = []
    for sentence in split(filled.pieces):
        findings = [
            *residue.check(sentence, known, names, words, asked, listed),
            *polarity.check(sentence, facts, words, labels, asked),
            *complement.check(sentence, facts, words),
            *pairing.check(sentence, facts),
            *columns.check(sentence, facts, frames),
            *scales.check(sentence, words),
        ]
        addition, marks = unsaid.added(sentence, facts, said, wording)
        text = _with(sentence.text, addition)
        all_found, printed = (*findings, *marks), _printed(sentence)
        found.append(Said(text, _state(sentence), sentence.facts, all_found, printed))
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
    """A sentence with what the host adds, before its last sign."""
    if not addition:
        return text
    body = text.rstrip()
    rest = text[len(body) :]
    sign = body[-1:] if body[-1:] in marks(".!?:") else ""
    return body[: len(body) - len(sign)] + addition + sign + rest


def _form(error: FactError) -> Finding:
    return Finding(Code.FORM, Level.REFUSED, error.subject, reason=error.reason)


def _failed(name: str, error: FactError) -> Finding:
    return Finding(
        Code.FACT, Level.REFUSED, f"{name}: {error.subject}", instead=", ".join(error.choices[:12]),
        reason=error.reason,
    )  # fmt: skip


def _unfilled(source: str, error: FactError) -> Finding:
    return Finding(
        Code.SLOT, Level.REFUSED, f"{{{source}}}", instead=", ".join(error.choices[:24]),
        reason=error.reason,
    )  # fmt: skip


__all__ = ["Said", "State", "Stated", "Written", "state_answer"]
