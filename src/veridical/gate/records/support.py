"""Statements that nothing in the record bears out: offers, services, topics, sources."""

from collections.abc import Iterator
from functools import lru_cache

from veridical.contracts.language import Language
from veridical.contracts.proof import Standing
from veridical.gate.records.held import Held
from veridical.gate.records.lexicon import SERVICES, TOPICS
from veridical.gate.records.passage import Passages
from veridical.gate.records.plain import PLAIN
from veridical.gate.records.polarity import Stance, stance
from veridical.gate.records.weekday import read_day
from veridical.gate.records.word import Word, roots
from veridical.reading.period_words import month_name

_OFFERING = frozenset(
    {
        *("offer", "offers", "offering", "serve", "serves", "serving", "provide", "provides"),
        *("providing", "feature", "features", "featuring", "includes", "include", "boasts"),
        *("boasting", "sells", "selling", "specializes", "specialises", "accepts"),
    }
)
_LISTING = frozenset({"including", "such", "like"})
_JOINING = frozenset({",", "&", "and", "or", "including", "such", "like", "featuring", "as"})
_ENDING = frozenset(
    {
        *(";", ":", "(", ")", ".", "but", "however", "while", "although", "though", "making"),
        *("which", "who", "where", "when", "because", "so", "if", "is", "are", "was", "were"),
        *("has", "have", "had", "can", "for", "that", "to", "from", "at", "on", "in", "by"),
        *("with", "without", "lack", "no", "not"),
    }
)
_PREPOSITIONS = frozenset({"on", "by", "via", "bei", "auf"})
_MONTHS = frozenset(month_name(month, Language.EN).lower() for month in range(1, 13))
Phrases = tuple[tuple[str, ...], ...]
_LONGEST_ITEM = 3
_FEWEST_ITEMS = 2
_DESCRIBING = ("al", "ous", "ive", "ful", "ic", "ent", "ble", "ish", "ary", "ory")
_SHORTEST_NAME = 4


def held_support(sentence: tuple[Word, ...], passages: Passages) -> Iterator[Held]:
    """Each statement of the sentence that the record is silent about."""
    if not _first_roots().isdisjoint(word.root for word in sentence):
        yield from _services(sentence, passages)
        yield from _topics(sentence, passages)
    yield from _offers(sentence, passages)
    yield from _sources(sentence, passages)


def _services(sentence: tuple[Word, ...], passages: Passages) -> Iterator[Held]:
    for forms, phrases, evidence in _service_forms():
        for first, last in _found(sentence, phrases):
            written = [word.low for word in sentence[first : last + 1] if word.root]
            if "".join(written).removesuffix("s") not in forms:
                continue
            if any(passages.touches(phrase) for phrase in evidence):
                break
            if (
                _is_offered(sentence, first, last)
                and stance(sentence, first, last) is not Stance.UNSAID
            ):
                yield _silent(sentence, first, last, " ".join(written))


def _topics(sentence: tuple[Word, ...], passages: Passages) -> Iterator[Held]:
    for topic, forms, said, evidence in _topic_roots():
        for first, last in _found(sentence, said):
            if "".join(w.low for w in sentence[first : last + 1] if w.root) not in forms:
                continue
            if any(form.startswith(evidence) for form in passages.forms):
                break
            yield _silent(sentence, first, last, topic)


def _offers(sentence: tuple[Word, ...], passages: Passages) -> Iterator[Held]:
    """``offers soups, salads and a golf course``: each thing that is on no list of the record."""
    if any(word.root in _COMPLAINING for word in sentence):
        return
    for listing in _listings(sentence):
        if len(listing) < _FEWEST_ITEMS:
            continue
        for item in listing:
            named = [sentence[at] for at in item if sentence[at].root not in _LITTLE]
            if named and _is_thing(named) and not any(passages.knows(word) for word in named):
                yield _silent(sentence, item[0], item[-1], named[-1].low)


def _is_thing(named: list[Word]) -> bool:
    """A short name of something that can be had: no praise, no happening, no figure."""
    if len(named) > _LONGEST_ITEM or any(word.low[0].isdigit() for word in named):
        return False
    if named[0].low.endswith(("ed", "ing", "ly")) or named[-1].low.endswith(_DESCRIBING):
        return False
    return any(word.root not in PLAIN for word in named)


def _listings(sentence: tuple[Word, ...]) -> Iterator[list[list[int]]]:
    """The items of each list that an offering verb opens."""
    listing: list[list[int]] | None = None
    for at, word in enumerate(sentence):
        if word.low in _OFFERING and not _is_role(sentence, at):
            yield [item for item in listing or [] if item]
            listing = [[]]
        elif listing is None:
            continue
        elif word.low in _JOINING:
            listing.append([])
        elif word.low in _ENDING:
            yield [item for item in listing if item]
            listing = None
        elif word.root:
            listing[-1].append(at)
    yield [item for item in listing or [] if item]


def _is_role(sentence: tuple[Word, ...], at: int) -> bool:
    """``serves as a marina``."""
    return at + 1 < len(sentence) and sentence[at + 1].low == "as"


_LITTLE = frozenset(
    roots("a an the of its their his her our your both some any all more other as well also")
)


def _sources(sentence: tuple[Word, ...], passages: Passages) -> Iterator[Held]:
    """``4.5 stars on Bookworm``: a source of ratings that the record does not name."""
    if not any(word.root in _RATING for word in sentence):
        return
    for at in range(1, len(sentence)):
        word = sentence[at]
        named = word.text[0].isupper() and word.text[1:].islower()
        if (
            not named
            or len(word.text) < _SHORTEST_NAME
            or sentence[at - 1].low not in _PREPOSITIONS
        ):
            continue
        if passages.knows(word) or word.root in PLAIN or read_day(word.text) is not None:
            continue
        if word.low not in _MONTHS:
            yield _silent(sentence, at, at, word.text)


_COMPLAINING = frozenset(
    roots("complaint issue feedback mention criticism review negative concern highlight reviewer")
)
_RATING = frozenset(roots("rating rated rate stars star reviews review bewertung sterne"))


def _found(sentence: tuple[Word, ...], phrases: Phrases) -> Iterator[tuple[int, int]]:
    spoken = [(at, word.root) for at, word in enumerate(sentence) if word.root]
    for place, (at, said) in enumerate(spoken):
        for phrase in phrases:
            if phrase[0] != said:
                continue
            window = spoken[place : place + len(phrase)]
            if tuple(each for _, each in window) == phrase:
                yield at, window[-1][0]
                break


def _silent(sentence: tuple[Word, ...], first: int, last: int, about: str) -> Held:
    return Held(sentence[first].start, sentence[last].end, Standing.UNGROUNDED, f"{about}: –")


@lru_cache(maxsize=1)
def _first_roots() -> frozenset[str]:
    """What any service or topic begins with: most sentences have none of it."""
    services = (phrase for _, phrases, _ in _service_forms() for phrase in phrases)
    topics = (phrase for _, _, phrases, _ in _topic_roots() for phrase in phrases)
    return frozenset(phrase[0] for phrase in (*services, *topics))


@lru_cache(maxsize=1)
def _service_forms() -> tuple[tuple[frozenset[str], Phrases, Phrases], ...]:
    """Each service as it is written, as roots, and what in a record speaks of it."""
    return tuple(
        (
            frozenset(phrase.replace(" ", "").removesuffix("s") for phrase in phrases),
            tuple(roots(phrase) for phrase in phrases if phrase[0] != "="),
            tuple(roots(phrase.removeprefix("=")) for phrase in phrases),
        )
        for phrases in SERVICES
    )


def _is_offered(sentence: tuple[Word, ...], first: int, last: int) -> bool:
    """Whether the sentence offers or withholds the service rather than just speaks of it."""
    nearby = {word.low for word in sentence[max(0, first - 1) : last + 3]}
    if nearby & _SPEAKING:
        return False
    before = any(word.low in _OFFERING or word.low in _HAVING for word in sentence[:first])
    behind = [word.low for word in sentence[last + 1 : last + 4]]
    return before or any(word in _ON_OFFER for word in behind)


_HAVING = frozenset({"have", "accept", "including", "such", "is", "are", "their", "known", "no"})
_SPEAKING = frozenset({"to", "well", "slow", "prompt", "food", "order", "quick", "issues"})
_ON_OFFER = frozenset({"available", "offered", "services", "options", "provided", "accepted"})


@lru_cache(maxsize=1)
def _topic_roots() -> tuple[tuple[str, frozenset[str], Phrases, tuple[str, ...]], ...]:
    return tuple(
        (
            topic,
            frozenset(phrase.replace(" ", "") for phrase in said),
            tuple(roots(phrase) for phrase in said),
            evidence,
        )
        for topic, said, evidence in TOPICS
    )
