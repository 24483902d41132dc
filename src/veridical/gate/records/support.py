"""Statements that nothing in the record bears out: offers, services, topics, sources."""

from collections.abc import Iterator

from veridical.contracts.language import Language
from veridical.contracts.proof import Standing
from veridical.gate.records.held import Held
from veridical.gate.records.lexicon import Phrase, RecordLexicon
from veridical.gate.records.passage import Passages
from veridical.gate.records.polarity import Stance, stance
from veridical.gate.records.weekday import read_day
from veridical.gate.records.word import Word, roots
from veridical.gate.records.word_lists import word_list, word_set
from veridical.reading.period_words import month_name

_OFFERING = word_set("offering")
_JOINING = word_set("joining")
_ENDING = word_set("ending")
_ROLE = word_set("role")
_PREPOSITIONS = word_set("before_sources")
_LITTLE = frozenset(roots(" ".join(word_list("little"))))
_COMPLAINING = frozenset(roots(" ".join(word_list("complaining"))))
_RATING = frozenset(roots(" ".join(word_list("rating"))))
_HAVING = word_set("having_services")
_SPEAKING = word_set("only_spoken_of")
_ON_OFFER = word_set("on_offer")
_DESCRIBING = word_list("describing_endings")
_HAPPENING = word_list("happening_endings")
_MONTHS = frozenset(month_name(month, Language.EN).lower() for month in range(1, 13))
_LONGEST_ITEM = 3
_FEWEST_ITEMS = 2
_SHORTEST_NAME = 4


def held_support(
    sentence: tuple[Word, ...], passages: Passages, lexicon: RecordLexicon
) -> Iterator[Held]:
    """Each statement of the sentence that the record is silent about."""
    if not lexicon.first_roots.isdisjoint(word.root for word in sentence):
        yield from _services(sentence, passages, lexicon)
        yield from _topics(sentence, passages, lexicon)
    if lexicon.plain:  # without the plain words of a domain, any praise would be an offer
        yield from _offers(sentence, passages, lexicon)
        yield from _sources(sentence, passages, lexicon)


def _services(
    sentence: tuple[Word, ...], passages: Passages, lexicon: RecordLexicon
) -> Iterator[Held]:
    for service in lexicon.service_forms:
        for first, last in _found(sentence, service.phrases):
            written = [word.low for word in sentence[first : last + 1] if word.root]
            if "".join(written).removesuffix("s") not in service.forms:
                continue
            if any(passages.touches(phrase) for phrase in service.evidence):
                break
            if (
                _is_offered(sentence, first, last, lexicon)
                and stance(sentence, first, last, lexicon) is not Stance.UNSAID
            ):
                yield _silent(sentence, first, last, " ".join(written))


def _topics(
    sentence: tuple[Word, ...], passages: Passages, lexicon: RecordLexicon
) -> Iterator[Held]:
    for topic in lexicon.topics:
        for first, last in _found(sentence, topic.phrases):
            if "".join(w.low for w in sentence[first : last + 1] if w.root) not in topic.forms:
                continue
            if any(form.startswith(topic.evidence) for form in passages.forms):
                break
            yield _silent(sentence, first, last, topic.name)


def _offers(
    sentence: tuple[Word, ...], passages: Passages, lexicon: RecordLexicon
) -> Iterator[Held]:
    """``offers repairs, training and a shuttle``: each thing that is on no list of the record."""
    if any(word.root in _COMPLAINING for word in sentence):
        return
    for listing in _listings(sentence):
        if len(listing) < _FEWEST_ITEMS:
            continue
        for item in listing:
            named = [sentence[at] for at in item if sentence[at].root not in _LITTLE]
            if not named or not _is_thing(named, lexicon):
                continue
            if not any(passages.knows(word) for word in named):
                yield _silent(sentence, item[0], item[-1], named[-1].low)


def _is_thing(named: list[Word], lexicon: RecordLexicon) -> bool:
    """A short name of something that can be had: no praise, no happening, no figure."""
    if len(named) > _LONGEST_ITEM or any(word.low[0].isdigit() for word in named):
        return False
    if named[0].low.endswith(_HAPPENING) or named[-1].low.endswith(_DESCRIBING):
        return False
    return any(word.root not in lexicon.plain_roots for word in named)


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
    """``serves as a warehouse``."""
    return at + 1 < len(sentence) and sentence[at + 1].low in _ROLE


def _sources(
    sentence: tuple[Word, ...], passages: Passages, lexicon: RecordLexicon
) -> Iterator[Held]:
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
        if passages.knows(word) or word.root in lexicon.plain_roots or word.low in _MONTHS:
            continue
        if read_day(word.text) is None:
            yield _silent(sentence, at, at, word.text)


def _found(sentence: tuple[Word, ...], phrases: tuple[Phrase, ...]) -> Iterator[tuple[int, int]]:
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


def _is_offered(sentence: tuple[Word, ...], first: int, last: int, lexicon: RecordLexicon) -> bool:
    """Whether the sentence offers or withholds the service rather than just speaks of it."""
    nearby = {word.low for word in sentence[max(0, first - 1) : last + 3]}
    if not nearby.isdisjoint(_SPEAKING) or not nearby.isdisjoint(lexicon.spoken_of):
        return False
    before = any(word.low in _OFFERING or word.low in _HAVING for word in sentence[:first])
    behind = [word.low for word in sentence[last + 1 : last + 4]]
    return before or any(word in _ON_OFFER for word in behind)
