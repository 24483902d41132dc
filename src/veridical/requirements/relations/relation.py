"""The relation of two requirements: figures, negation, actor and object first, then similarity."""

from dataclasses import dataclass
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.relations.meaning import Nearness
from veridical.requirements.relations.signature import (
    OBLIGED,
    PERMITTED,
    WISHED,
    Figure,
    Signature,
    generic,
    weight_of,
)

SAME = 0.62
"""From this similarity on, two requirements are about the same thing, and their differences decide
the kind of relation."""
ALIKE = 0.4
CLOSE = 0.75
_NEARLY_ALL = 0.9
_FEW = 3
_TRANSLATED = 0.5
_PLAIN = frozenset({"figures", "negation"})
"""Causes of a conflict that stand in the text, whatever the other words are."""
_PARTS = 2
"""Words of another language that one word may stand for: a compound."""
_TOLERANCE = 1e-3
_ENOUGH, _MOST = 2, 0.75
"""The part of a short requirement that a longer one must have for a contradiction."""


class RelationKind(StrEnum):
    """The kind of relation of two requirements."""

    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    VARIANT = "variant"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation with its similarity and its cause."""

    kind: RelationKind
    similarity: float
    cause: str
    first: str = ""
    second: str = ""

    def reason(self, language: Language) -> str:
        """Why the two relate like this."""
        key = f"requirements.relation_{self.cause}"
        return message(key, language, first=self.first, second=self.second)


def relate(first: Signature, second: Signature, near: Nearness | None = None) -> Relation | None:
    """The relation of two requirements; none where they don't relate. ``near`` is their similarity
    to a model that takes them for the same demand."""
    found = _by_words(first, second)
    if near is not None and (found is None or found.kind is RelationKind.RELATED):
        return _by_meaning(first, second, near, found) or found
    return found


def _by_meaning(
    first: Signature, second: Signature, near: Nearness, found: Relation | None
) -> Relation | None:
    """The same demand in other words, or the contrary of it. Two that share many words and are
    no duplicate by them differ in one thing, which a model hardly sees."""
    if found is not None and found.similarity >= ALIKE:
        return None
    similarity = near.similarity
    contrary = _opposed(first, second, similarity) if near.is_sure else None
    if contrary is not None and contrary.cause in _PLAIN:
        return contrary
    if contrary is not None or not _agree(first.figures, second.figures):
        return None
    if not near.is_sure and (not first.figures or _negated(first, second)):
        return None
    if _forces_differ(first, second):
        return Relation(RelationKind.VARIANT, similarity, "force", first.force, second.force)
    return Relation(RelationKind.DUPLICATE, similarity, "meaning")


def _by_words(first: Signature, second: Signature) -> Relation | None:
    shared = first.concepts & second.concepts
    similarity = _similarity(first, second, shared)
    telling = not shared <= generic()
    if not telling and similarity < ALIKE:
        return None
    left, right = _left_over(first, second), _left_over(second, first)
    little = telling and len(left) <= _FEW and len(right) <= _FEW
    if similarity >= SAME or (similarity >= ALIKE and little):
        return _opposed(first, second, similarity) or _same(first, second, similarity, left, right)
    if (contrary := _opposed_within(first, second, similarity)) is not None:
        return contrary
    one_subject = first.figures and first.subject & second.subject
    if little and one_subject and _agree(first.figures, second.figures):
        return Relation(
            RelationKind.VARIANT,
            similarity,
            "other",
            _written(left, first),
            _written(right, second),
        )
    if similarity >= ALIKE or _about_same(first, second):
        return Relation(RelationKind.RELATED, similarity, "subject", _written(shared, first))
    return None


def _similarity(first: Signature, second: Signature, both: frozenset[str]) -> float:
    """The share of concepts that both have. Across languages, words that no list has may be
    translations of each other: they count as if half of them were."""
    shared = weight_of(both)
    either = first.weight + second.weight - shared
    if first.language != second.language:
        unknown = min(len(first.unknown - second.concepts), len(second.unknown - first.concepts))
        shared, either = shared + _TRANSLATED * unknown, either - unknown
    return round(shared / either, 4) if either else 0.0


def _about_same(first: Signature, second: Signature) -> bool:
    """True if both are about one thing; "the system" alone is everything's subject."""
    heads = first.subject & second.subject
    return bool(heads and (heads | (first.phrase & second.phrase)) - generic())


def _negated(first: Signature, second: Signature) -> bool:
    """True if one denies what the other states, by "not" or by a word for the contrary."""
    shared = first.concepts & second.concepts
    turned = len((first.contrary ^ second.contrary) & shared)
    return (first.denied != second.denied) != (turned % 2 == 1)


def _opposed_within(first: Signature, second: Signature, similarity: float) -> Relation | None:
    """A short denial, or an "only", of what a longer requirement states: never delete invoices."""
    if first.language != second.language or not _overlap(first, second):
        return None
    if _negated(first, second):
        return Relation(RelationKind.CONFLICT, similarity, "negation")
    if first.exclusive == second.exclusive:
        return None
    left, right = first.concepts - second.concepts, second.concepts - first.concepts
    return Relation(
        RelationKind.CONFLICT, similarity, "values", _written(left, first), _written(right, second)
    )


def _overlap(first: Signature, second: Signature) -> bool:
    """True if most of what the shorter one says stands in the longer one, its condition too."""
    concepts = sorted((first.own, second.own), key=len)
    shared = concepts[0] & concepts[1]
    if len(shared) < _ENOUGH or len(shared) < _MOST * len(concepts[0]):
        return False
    return not (first.condition ^ second.condition) - shared - generic()


def _left_over(first: Signature, second: Signature) -> frozenset[str]:
    """Concepts that only the first has; across languages, without possible translations."""
    left = first.own - second.concepts - first.purpose - second.purpose
    if second.is_topic and not first.is_topic:
        left -= {"insert", "create", "show"}
    if first.language == second.language:
        return left
    spare = _PARTS * len(second.unknown - first.concepts)
    return frozenset(sorted(left, key=lambda each: each not in first.unknown)[spare:])


def _opposed(first: Signature, second: Signature, similarity: float) -> Relation | None:
    """A conflict by figures, by negation, by order, or by who or what alone is meant."""
    clash = _clash(first.figures, second.figures)
    if clash is not None:
        one, other = clash
        return Relation(RelationKind.CONFLICT, similarity, "figures", one.written, other.written)
    if first.compared != second.compared and first.compared and second.compared:
        signs = " ".join(first.compared), " ".join(second.compared)
        return Relation(RelationKind.CONFLICT, similarity, "figures", *signs)
    if _negated(first, second):
        return Relation(RelationKind.CONFLICT, similarity, "negation")
    if first.order and second.order and _reversed(first.order, second.order, first, second):
        return Relation(RelationKind.CONFLICT, similarity, "order", first.order[1], second.order[1])
    left, right = first.concepts - second.concepts, second.concepts - first.concepts
    if first.exclusive and second.exclusive:
        if (left or right) and first.language == second.language and similarity < _NEARLY_ALL:
            return Relation(
                RelationKind.CONFLICT,
                similarity,
                "exclusive",
                _written(left, first),
                _written(right, second),
            )
    elif first.exclusive != second.exclusive and (left or right):
        return Relation(
            RelationKind.CONFLICT,
            similarity,
            "values",
            _written(left, first),
            _written(right, second),
        )
    return None


def _reversed(
    one: tuple[str, str], other: tuple[str, str], first: Signature, second: Signature
) -> bool:
    """True if both have the same two steps in opposite order."""
    (where, what), (there, that) = one, other
    if where != there:
        return what == that
    return what != that and what in second.concepts and that in first.concepts


def _clash(first: tuple[Figure, ...], second: tuple[Figure, ...]) -> tuple[Figure, Figure] | None:
    """Two figures of one dimension that can't both stand: other amounts, or opposite limits."""
    for one in first:
        others = [each for each in second if each.dimension == one.dimension]
        if not others or any(_fits(one, each) for each in others):
            continue
        if any(_fits(own, others[0]) for own in first if own is not one):
            continue
        return one, others[0]
    return None


def _fits(one: Figure, other: Figure) -> bool:
    same = abs(one.amount - other.amount) <= _TOLERANCE * max(abs(one.amount), abs(other.amount))
    return same and {one.limit, other.limit} != {"max", "min"}


def _agree(first: tuple[Figure, ...], second: tuple[Figure, ...]) -> bool:
    """True if every figure of one stands in the other."""
    return all(any(_fits(one, other) for other in second) for one in first) and all(
        any(_fits(one, other) for other in first) for one in second
    )


def _same(
    first: Signature,
    second: Signature,
    similarity: float,
    left: frozenset[str],
    right: frozenset[str],
) -> Relation:
    """The same demand, or the same for another actor, object, condition or force."""
    if _forces_differ(first, second):
        return Relation(RelationKind.VARIANT, similarity, "force", first.force, second.force)
    if not _agree(first.figures, second.figures):
        shared = _written(first.concepts & second.concepts, first)
        return Relation(RelationKind.RELATED, similarity, "subject", shared)
    if left and right:
        return Relation(
            RelationKind.VARIANT,
            similarity,
            "other",
            _written(left, first),
            _written(right, second),
        )
    more = left or right
    conditional = bool(more & (first.condition | second.condition))
    if more and not (len(more) == 1 and (first.figures or similarity >= CLOSE) and not conditional):
        return Relation(
            RelationKind.VARIANT, similarity, "more", _written(more, first if left else second)
        )
    shared = _written(first.concepts & second.concepts, first)
    return Relation(RelationKind.DUPLICATE, similarity, "same", shared)


def _forces_differ(first: Signature, second: Signature) -> bool:
    return {first.force, second.force} in ({OBLIGED, WISHED}, {PERMITTED, WISHED})


def _written(concepts: frozenset[str], there: Signature) -> str:
    """Concepts in the words of a requirement that has them."""
    words = (there.written.get(each, each) for each in concepts)
    return ", ".join(sorted(words, key=str.lower))
