"""A lexicon: what the records of a trade call their attributes, services, extremes and outcomes.

The reader of records knows no trade. What it looks up stands in lexicons: general business words in
``lexicon.toml``, and those of a host's own domain in files of the same form.
"""

from dataclasses import dataclass
from functools import cached_property

from veridical.gate.records.word import root, roots

Phrase = tuple[str, ...]
"""Roots of words in a row."""


@dataclass(frozen=True, eq=False)
class Topic:
    """What answers like to say of anything."""

    name: str
    said: tuple[str, ...]
    """Words that say it."""
    evidence: tuple[str, ...]
    """Beginnings of words: a record that speaks about the topic has one of them."""

    @cached_property
    def forms(self) -> frozenset[str]:
        """What is said, without blanks."""
        return frozenset(phrase.replace(" ", "") for phrase in self.said)

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """What is said, as roots."""
        return tuple(roots(phrase) for phrase in self.said)


@dataclass(frozen=True, slots=True)
class Service:
    """Something that is either offered or not, under its names."""

    forms: frozenset[str]
    """As they are written, without blanks."""
    phrases: tuple[Phrase, ...]
    evidence: tuple[Phrase, ...]
    """What in a record speaks of it."""


@dataclass(frozen=True, eq=False)
class RecordLexicon:
    """All words of the lexicons that were loaded together; told apart by identity."""

    synonyms: tuple[tuple[str, ...], ...]
    """What people and languages call the same attribute; looked up only when a key names it."""
    services: tuple[tuple[str, ...], ...]
    """Services and features: a record that is silent about one bears out neither yes nor no."""
    topics: tuple[Topic, ...]
    qualities: frozenset[str]
    """Groups whose members describe the whole, and what sentences call that."""
    styles: frozenset[str]
    """Words that place something in a class; praise does not."""
    things: frozenset[str]
    """Words of a key that name what the whole record is about."""
    plain: frozenset[str]
    """Words that describe or join and say nothing that a record could bear out."""
    unknown: tuple[str, ...]
    """What says that the record says nothing."""
    placed: frozenset[str]
    """Words that tell where something is, not what it has."""
    spoken_of: frozenset[str]
    """Words beside a service that is only talked about."""
    other_hours: tuple[str, ...]
    """Expressions for times that are no opening hours."""
    lowest: tuple[str, ...]
    """Expressions for what is the lowest of a series; ``highest`` likewise."""
    highest: tuple[str, ...]
    trends: tuple[str, ...]
    """Expressions for going from one value to another."""
    final: tuple[str, ...]
    """Expressions for how a contest of two ended, who won it, and how it stood for a while."""
    won: tuple[str, ...]
    won_by: tuple[str, ...]
    ended: tuple[str, ...]
    standing: tuple[str, ...]

    @cached_property
    def synonym_roots(self) -> tuple[frozenset[Phrase], ...]:
        """The synonyms as roots of words."""
        return tuple(frozenset(roots(phrase) for phrase in group) for group in self.synonyms)

    @cached_property
    def quality_roots(self) -> frozenset[str]:
        """The qualities as roots."""
        return root_set(self.qualities)

    @cached_property
    def thing_roots(self) -> frozenset[str]:
        """The things as roots."""
        return root_set(self.things)

    @cached_property
    def plain_roots(self) -> frozenset[str]:
        """The plain words as roots."""
        return frozenset(root(word) for word in self.plain)

    @cached_property
    def service_forms(self) -> tuple[Service, ...]:
        """The services in the forms in which they are looked for."""
        return tuple(
            Service(
                frozenset(each.replace(" ", "").removesuffix("s") for each in group),
                tuple(roots(each) for each in group if not each.startswith("=")),
                tuple(roots(each.removeprefix("=")) for each in group),
            )
            for group in self.services
        )

    @cached_property
    def first_roots(self) -> frozenset[str]:
        """What any service or topic begins with: most sentences have none of it."""
        spoken = (*self.service_forms, *self.topics)
        return frozenset(phrase[0] for each in spoken for phrase in each.phrases)


def root_set(texts: frozenset[str]) -> frozenset[str]:
    """The roots of all words of these texts."""
    return frozenset(word for text in texts for word in roots(text))
