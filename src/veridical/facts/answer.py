"""An answer in facts: computed, filled, checked, with an exact sentence for each fact."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veridical.contracts.facts_answer import ShownFact, SlotPrint, State
from veridical.contracts.language import Language
from veridical.evidence.table import EvidenceTable
from veridical.facts.arguments import Arguments, read_arguments
from veridical.facts.fact import Fact
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel.frame import Frame, frames_of
from veridical.facts.kernel.value import FactError
from veridical.facts.prose import columns, polarity, residue, rows, slots, unsaid
from veridical.facts.prose.context import Context
from veridical.facts.prose.filled import Filler
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence, split
from veridical.facts.prose.template import Written, read_answer
from veridical.facts.sentence import Sentences
from veridical.facts.shown_fact import shown_fact
from veridical.facts.wording import Wording
from veridical.reading.punctuation import marks

CHECKS = (residue.check, polarity.check, rows.paired, rows.compared, columns.check, slots.check,
          unsaid.check)  # fmt: skip
"""The finite checks of a sentence."""


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of the answer as it is shown."""

    text: str
    state: State
    facts: tuple[str, ...] = ()
    findings: tuple[ProseFinding, ...] = ()
    slots: tuple[SlotPrint, ...] = ()

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
    shown: Mapping[str, ShownFact] = field(default_factory=dict[str, ShownFact])
    """The figures of each fact that the prose uses."""
    basis: tuple[str, ...] = ()
    """For comparing prose with the facts: one sentence for each result behind them, with its
    rows and the arguments of its call. Empty where all of it is the host's."""
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
    text = filled.text
    context = Context(used, frames, wording, question.casefold(), text, f"{question} {text}")
    checked = [_checked(sentence, context) for sentence in split(filled.pieces)]
    found = (each for sentence in checked for each in sentence.findings)
    refused += [each for each in found if each.level is Level.REFUSED]
    return Stated(
        language=language,
        sentences=tuple(checked),
        notes=tuple(unsaid.notes(facts, frozenset(used), frames, wording.printer)),
        facts=facts,
        exact={name: sentences.of(fact, filled.used[name]) for name, fact in used.items()},
        shown={name: shown_fact(fact, wording) for name, fact in used.items()},
        basis=tuple(_basis(used, frames, sentences)) if any(map(_is_prose, checked)) else (),
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
            failures[name] = error.with_traceback(None)  # which would keep all results in memory
    return facts, failures


def _checked(sentence: Sentence, context: Context) -> AnswerSentence:
    if sentence.is_exact:
        return AnswerSentence(sentence.text, State.EXACT, sentence.facts, slots=_slots(sentence))
    found = [finding for check in CHECKS for finding in check(sentence, context)]
    addition, marked = unsaid.added(sentence, context)
    return AnswerSentence(
        _with(sentence.text, addition), State.PROVEN if sentence.facts else State.OWN,
        sentence.facts, (*found, *marked), _slots(sentence),
    )  # fmt: skip


def _is_prose(sentence: AnswerSentence) -> bool:
    return sentence.state is not State.EXACT


def _slots(sentence: Sentence) -> tuple[SlotPrint, ...]:
    return tuple(
        SlotPrint(
            start=each.start - sentence.start, end=each.end - sentence.start, fact=each.fact,
            part=each.path,
        )
        for each in sentence.pieces
        if each.fact
    )  # fmt: skip


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
