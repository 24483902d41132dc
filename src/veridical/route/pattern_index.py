"""An ontology's canonical patterns, compiled once into what each understands in each language."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from veridical.contracts.language import Language, Text, in_language
from veridical.late_pattern import late_pattern
from veridical.ontology.model import (
    Asks,
    CanonicalQueryPattern,
    Entity,
    OntologyDescriptor,
    Slot,
    SlotKind,
)
from veridical.reading.punctuation import LIST_MARKS, marks
from veridical.route.pattern_call import ensure_fillable
from veridical.route.pattern_cover import (
    NOTHING_MUCH,
    Meaning,
    Phrase,
    Vocabularies,
    Vocabulary,
    phrase_key,
    together,
)
from veridical.route.pattern_fillers import fillers
from veridical.route.slots import CodeFinder, Word, code_finders, words_of

_PLACEHOLDER = late_pattern(r"\{\w+\}")
_ASIDE = late_pattern(rf"\s*[{marks('(')}]([^{marks(')')}]*)[{marks(')')}]")
_ENUMERATION = late_pattern(f"[;{marks(',')}{LIST_MARKS}]")
_TELLING = frozenset({SlotKind.SUBCLASS, SlotKind.CODE, SlotKind.VALUE, SlotKind.QUOTED})


@dataclass(frozen=True, slots=True)
class Reader:
    """One pattern in one language."""

    pattern: CanonicalQueryPattern
    vocabulary: Vocabulary
    required: frozenset[int]


@dataclass(frozen=True, slots=True)
class Form:
    """A reader's explanation of a question's words, for all values between them."""

    reader: Reader
    meanings: tuple[Meaning | None, ...]
    """Those that fill a slot, with a gap for each value."""
    specific: bool
    """True when a word of the business is among them."""


@dataclass(frozen=True)
class PatternIndex:
    """All patterns that can be filled without a model."""

    readers: Mapping[Language, tuple[Reader, ...]]
    codes: Mapping[Language, tuple[CodeFinder, ...]]
    conditions: Mapping[str, str]
    names: Mapping[str, Text]
    """The display name of each sub-class."""
    forms: dict[tuple[str | None, ...], tuple[Form, ...]] = field(
        default_factory=dict[tuple[str | None, ...], tuple[Form, ...]],
        init=False,
        repr=False,
        compare=False,
    )
    """Explanations of earlier questions, by their words."""

    @cached_property
    def longest(self) -> Mapping[Language, int]:
        """The words of the longest phrase that any pattern knows."""
        return {
            language: max((reader.vocabulary.longest for reader in readers), default=1)
            for language, readers in self.readers.items()
        }

    @cached_property
    def vocabularies(self) -> Mapping[Language, Vocabularies]:
        """The joined vocabularies of all readers of a language, in the readers' order."""
        return {
            language: together([reader.vocabulary for reader in readers])
            for language, readers in self.readers.items()
        }


def index_patterns(ontology: OntologyDescriptor) -> PatternIndex:
    """The patterns of an ontology whose slots all say how they are recognised."""
    usable = [
        pattern
        for pattern in ontology.canonical_patterns
        if all(slot.kind is not None for slot in pattern.slots)
    ]
    for pattern in usable:
        ensure_fillable(pattern)
    slots = [slot for pattern in usable for slot in pattern.slots]
    subclasses = {entity.name: entity for entity in ontology.entities if entity.condition}
    return PatternIndex(
        {
            language: tuple(
                reader
                for pattern in usable
                for reader in _readers(pattern, language, ontology, subclasses)
            )
            for language in Language
        },
        {language: code_finders(slots, language) for language in Language},
        {name: entity.condition or "" for name, entity in subclasses.items()},
        {name: _named(entity) for name, entity in subclasses.items()},
    )


def slot_values(slot: Slot, ontology: OntologyDescriptor) -> tuple[str, ...]:
    """The values that a slot chooses from; None if it takes any."""
    if slot.kind is not SlotKind.SUBCLASS:
        return slot.values if slot.kind is SlotKind.VALUE else ()
    below = _below(slot.entity or "", ontology)
    within = (each.name for each in ontology.entities if each.condition and each.name in below)
    return slot.values or tuple(within)


def _readers(
    pattern: CanonicalQueryPattern,
    language: Language,
    ontology: OntologyDescriptor,
    subclasses: Mapping[str, Entity],
) -> Iterator[Reader]:
    neutral = {_exact(phrase): NOTHING_MUCH for phrase in fillers(language, pattern.asks)}
    words: dict[Phrase, Meaning] = {}
    for notion in pattern.also:
        words.update((_stems(each), NOTHING_MUCH) for each in notion.get(language, ()))
    for slot in pattern.slots:
        for phrase, meaning in _slot_words(slot, language, ontology, subclasses):
            known = words.get(phrase, NOTHING_MUCH)
            if (known.slot, known.value) != (meaning.slot, meaning.value):
                words[phrase] = meaning
    if pattern.words or any(slot.kind in _TELLING for slot in pattern.slots):
        notions = [notion.get(language, ()) for notion in pattern.words]
        if all(notions):
            yield _reader(pattern, neutral, words, notions)
        return
    for question in pattern.questions.get(language, ()):
        notions = [(each,) for each in _content(question, neutral)]
        if notions:
            yield _reader(pattern, neutral, words, notions)


def _reader(
    pattern: CanonicalQueryPattern,
    neutral: dict[Phrase, Meaning],
    words: dict[Phrase, Meaning],
    notions: Iterable[Iterable[str]],
) -> Reader:
    numbers: dict[Phrase, frozenset[int]] = {}
    required: frozenset[int] = frozenset()
    for number, phrases in enumerate(notions):
        required |= {number}
        for phrase in map(_stems, phrases):
            numbers[phrase] = numbers.get(phrase, frozenset()) | {number}
    known = words | {
        phrase: Meaning(required=required_by) for phrase, required_by in numbers.items()
    }
    longest = max(map(len, (*known, *neutral)))
    return Reader(pattern, Vocabulary(neutral, known, longest), required)


def _slot_words(
    slot: Slot,
    language: Language,
    ontology: OntologyDescriptor,
    subclasses: Mapping[str, Entity],
) -> Iterator[tuple[Phrase, Meaning]]:
    for name in slot_values(slot, ontology):
        entity = subclasses.get(name) if slot.kind is SlotKind.SUBCLASS else None
        own = (*_names(entity, language), *entity.synonyms) if entity else (name,)
        for phrase in (*own, *slot.words.get(name, ())):
            yield _stems(phrase), Meaning(slot=slot.name, value=name, wording=phrase)


def _below(name: str, ontology: OntologyDescriptor) -> set[str]:
    below = {name}
    while True:
        more = {each.name for each in ontology.entities if each.parent_entity in below} - below
        if not more:
            return below
        below |= more


def _names(entity: Entity, language: Language) -> Iterator[str]:
    """The name at the start of a description; an enumeration names parts and is no name."""
    text = in_language(entity.description, language)
    for each in (_ASIDE.sub("", text), *_ASIDE.findall(text)):
        if each and not _ENUMERATION.search(each):
            yield each


def _named(entity: Entity) -> Text:
    if isinstance(entity.description, str):
        return _short(entity.description) or entity.name
    return {language: _short(text) for language, text in entity.description.items()}


def _short(description: str) -> str:
    return _ENUMERATION.split(_ASIDE.sub("", description))[0]


def telling_words(words: tuple[Word, ...], language: Language, asks: Asks) -> tuple[str, ...]:
    """The words that make this question another one than others; Chinese ones run together."""
    neutral = {_exact(phrase): NOTHING_MUCH for phrase in fillers(language, asks)}
    return tuple(_joined(words, neutral))


def _content(question: str, neutral: Mapping[Phrase, Meaning]) -> Iterator[str]:
    """The words of an example question that make it this question."""
    for fragment in _PLACEHOLDER.split(question):
        yield from _joined(words_of(fragment), neutral)


def _joined(words: tuple[Word, ...], neutral: Mapping[Phrase, Meaning]) -> Iterator[str]:
    run = ""
    for folded in (*_telling(words, neutral, max(map(len, neutral))), ""):
        if run and (not folded or folded.isascii()):
            yield run
            run = ""
        if folded.isascii():
            yield from [folded] if folded else []
        else:
            run += folded


def _telling(
    words: tuple[Word, ...], neutral: Mapping[Phrase, Meaning], longest: int
) -> Iterator[str]:
    """The words that are no filler; an empty one where fillers stood between."""
    at = 0
    while at < len(words):
        folded = tuple(each.folded for each in words[at : at + longest])
        skipped = next((n for n in range(len(folded), 0, -1) if folded[:n] in neutral), 0)
        yield "" if skipped else folded[0]
        at += skipped or 1


def _exact(phrase: str) -> Phrase:
    return tuple(each.folded for each in _phrase(phrase))


def _stems(phrase: str) -> Phrase:
    return phrase_key(_phrase(phrase))


def _phrase(phrase: str) -> tuple[Word, ...]:
    words = words_of(phrase)
    if not words:
        raise ValueError(f"{phrase!r} has no words")
    return words
