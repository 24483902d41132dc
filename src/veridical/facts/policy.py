"""The shown form of an answer in facts: exact sentences, prose, or prose with marks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from veridical.contracts.facts_answer import (
    FactsAnswer,
    Flag,
    Mark,
    Show,
    SlotPrint,
    State,
    StatedFact,
    StatedSentence,
)
from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.messages import message

SIGN = "‹?›"
"""Behind a sentence that goes beyond the facts."""
_SENTENCE = "sentence"
"""The part that is a fact's exact sentence."""
_LEAD = late_pattern(r"\s*(?:(?:[-*>]|\d{1,2}[.)])\s+)?")


def shown(
    written: FactsAnswer, policy: Show, language: Language, flags: Sequence[Flag] = ()
) -> FactsAnswer:
    """The answer by this policy; a reviewer's flags are opinions about sentences by place."""
    flagged = [_flagged(each, at, flags) for at, each in enumerate(written.sentences)]
    match policy:
        case Show.EXACT:
            kept = _Exact(written.facts).sentences(flagged, every=True)
        case Show.REVIEWED:
            kept = _Exact(written.facts).sentences(flagged, every=False)
        case Show.MARKED:
            kept = [_marked(each) for each in flagged]
    named = {name for each in kept for name in each.facts}
    notes = written.notes
    if any(each.marks for each in kept):
        notes = (*notes, message("facts.marked_note", language, sign=SIGN))
    return written.model_copy(
        update={
            "policy": policy,
            "sentences": tuple(_joined(kept)),
            "facts": {name: fact for name, fact in written.facts.items() if name in named},
            "shown": {name: fact for name, fact in written.shown.items() if name in named},
            "notes": notes,
        }
    )


def _flagged(sentence: StatedSentence, at: int, flags: Sequence[Flag]) -> StatedSentence:
    """The sentence with the reviewer's marks; the host's own get none."""
    if sentence.state is State.EXACT:
        return sentence.model_copy(update={"marks": ()})
    marks = [Mark(by="reviewer", why=flag.why) for flag in flags if flag.sentence == at]
    return sentence.model_copy(update={"marks": (*sentence.marks, *marks)}) if marks else sentence


def _marked(sentence: StatedSentence) -> StatedSentence:
    if not sentence.marks:
        return sentence
    body = sentence.text.rstrip()
    return sentence.model_copy(update={"text": body + SIGN + sentence.text[len(body) :]})


@dataclass(slots=True)
class _Exact:
    """Puts exact sentences in the place of prose, each fact's once."""

    facts: Mapping[str, StatedFact]
    used: set[str] = field(default_factory=set[str])

    def sentences(self, written: Sequence[StatedSentence], *, every: bool) -> list[StatedSentence]:
        """The host's sentences, and the model's own without marks unless ``every`` one is
        replaced."""
        kept: list[StatedSentence] = []
        for sentence in written:
            instead = self._shown(sentence, every=every)
            if instead is not None:
                kept.append(instead)
            elif kept:
                kept[-1] = _with_end(kept[-1], sentence.text)
        return kept

    def _shown(self, sentence: StatedSentence, *, every: bool) -> StatedSentence | None:
        if sentence.state is not State.EXACT:
            return self._instead(sentence) if every or sentence.marks else sentence
        names = {slot.fact for slot in sentence.slots if slot.part == _SENTENCE}
        if names and names <= self.used and len(names) == len(sentence.slots):
            return None
        self.used |= names
        return sentence

    def _instead(self, sentence: StatedSentence) -> StatedSentence | None:
        """The exact sentences of its facts; none if all of them were used before."""
        names = [name for name in sentence.facts if name in self.facts and name not in self.used]
        if not names:
            return None
        self.used |= set(names)
        lead = _LEAD.match(sentence.text)
        text = lead[0] if lead else ""
        slots: list[SlotPrint] = []
        for name in names:
            text += _gap(text)
            start, text = len(text), text + self.facts[name].sentence
            slots.append(SlotPrint(start=start, end=len(text), fact=name, part=_SENTENCE))
        body = sentence.text.rstrip()
        return StatedSentence(
            text=text + sentence.text[len(body) :],
            state=State.EXACT,
            facts=tuple(names),
            slots=tuple(slots),
            replaces=body.strip(),
        )


def _with_end(sentence: StatedSentence, dropped: str) -> StatedSentence:
    """The sentence with the line break behind the one that is dropped after it."""
    end = dropped[len(dropped.rstrip()) :]
    if "\n" not in end or sentence.text.endswith("\n"):
        return sentence
    return sentence.model_copy(update={"text": sentence.text + end})


def _joined(sentences: Sequence[StatedSentence]) -> Iterator[StatedSentence]:
    """The sentences with blanks between them, and none at the ends."""
    before = ""
    for at, sentence in enumerate(sentences):
        text = sentence.text
        gap = _gap(before) if before and not text[:1].isspace() else ""
        cut = len(text) - len(text.lstrip()) if not before else 0
        text = text[cut:]
        if at == len(sentences) - 1:
            text = text.rstrip()
        yield _moved(sentence, gap + text, len(gap) - cut)
        before = text


def _gap(before: str) -> str:
    """A blank after a script that has blanks."""
    return " " if before and not before[-1].isspace() and before[-1].isascii() else ""


def _moved(sentence: StatedSentence, text: str, by: int) -> StatedSentence:
    if text == sentence.text:
        return sentence
    slots = tuple(
        each.model_copy(update={"start": each.start + by, "end": each.end + by})
        for each in sentence.slots
    )
    return sentence.model_copy(update={"text": text, "slots": slots})
