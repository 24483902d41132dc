"""Follow-ups of known questions: the new part replaces its counterpart in the earlier question.

"And 2023?" changes the year, "and for account 1000?" the account, "and the profit?" the question.
What comes out is matched like any question: every word explained, one pattern, all its slots
filled. Nothing but questions is taken over: no figure, no answer, no permission.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from veridical.contracts.language import Language
from veridical.ontology.model import CanonicalQueryPattern, SlotKind
from veridical.reading.periods import Period
from veridical.route.bare_values import with_codes
from veridical.route.follow_up_times import in_place_of, written_out
from veridical.route.follow_up_words import FILLERS, LONGEST_FILLER
from veridical.route.pattern_cover import (
    Explained,
    Meaning,
    Phrase,
    Vocabulary,
    explain,
    question_phrases,
)
from veridical.route.pattern_index import PatternIndex, Reader
from veridical.route.patterns import (
    FutureMatch,
    MissingSlot,
    NoMatch,
    PatternMatch,
    match_tokens,
)
from veridical.route.slots import Code, Count, Quoted, Token, Value, Word, read_tokens

_SUBJECTS = frozenset({SlotKind.CODE, SlotKind.SUBCLASS, SlotKind.VALUE, SlotKind.QUOTED})
_MOST_OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Known:
    """A known question of the conversation, with everything it took from the earlier ones."""

    tokens: tuple[Token, ...]
    language: Language
    route: PatternMatch | FutureMatch | MissingSlot

    @property
    def whole(self) -> PatternMatch | None:
        """The complete question, in the future or not; None if a value is missing."""
        if isinstance(self.route, MissingSlot):
            return None
        return self.route.match if isinstance(self.route, FutureMatch) else self.route

    @property
    def period(self) -> Period | None:
        """The period of the question."""
        return next((each for each in self.tokens if isinstance(each, Period)), None)


@dataclass(frozen=True, slots=True)
class Which:
    """Several possible questions: the user has to choose one."""

    options: tuple[Known, ...]


def followed(
    text: str, before: Known, index: PatternIndex, language: Language, today: date
) -> Known | Which | None:
    """The question that a follow-up means; None if it may mean anything else."""
    read = [
        tokens
        for each in written_out(text, before.period, language, today)
        if (tokens := read_tokens(each, language, today, index.codes[language]))
    ]
    found = [
        known
        for tokens in read
        for known in (
            *_other_values(tokens, before, index, language, today),
            *_other_question(tokens, before, index, language, today),
        )
    ]
    return settled(found)


def says_values_only(
    text: str, before: Known, index: PatternIndex, language: Language, today: date
) -> bool:
    """True for a follow-up of values only, whether or not the question takes them."""
    return any(
        any(not isinstance(each, Meaning) or each.slot for each in explained)
        for written in written_out(text, before.period, language, today)
        if (tokens := read_tokens(written, language, today, index.codes[language]))
        for reader in _readers(before, index, language)
        if (
            explained := explain(
                question_phrases(tokens, LONGEST_FILLER), _going_on(reader, language)
            )
        )
    )


def settled(found: Iterable[Known]) -> Known | Which | None:
    """The one question among these, or the choice between several. Complete questions come before
    incomplete ones, and past times before future ones."""
    found = tuple(found)
    whole = _whole(found, PatternMatch) or _whole(found, FutureMatch)
    if len(whole) == 1:
        return next(iter(whole.values()))
    if whole:
        return Which(tuple(whole.values())) if len(whole) <= _MOST_OPTIONS else None
    missing = {
        (each.route.intents, each.route.name): each
        for each in found
        if isinstance(each.route, MissingSlot)
    }
    return next(iter(missing.values())) if len(missing) == 1 else None


def _whole(
    found: Iterable[Known], kind: type[PatternMatch] | type[FutureMatch]
) -> dict[str, Known]:
    """Those of a kind that nothing is missing of, by the call that answers each."""
    return {
        repr(each.whole.call): each
        for each in found
        if each.whole is not None and isinstance(each.route, kind)
    }


def known(
    tokens: tuple[Token, ...], index: PatternIndex, language: Language, today: date
) -> Known | None:
    """These tokens as a known question, whole or with one thing missing."""
    route = match_tokens(tokens, index, language, today)
    return None if isinstance(route, NoMatch) else Known(tokens, language, route)


def _other_values(
    tokens: tuple[Token, ...],
    before: Known,
    index: PatternIndex,
    language: Language,
    today: date,
) -> Iterator[Known]:
    """The question before with other values in their places."""
    for reader in _readers(before, index, language):
        for given in with_codes(tokens, reader.pattern, today):
            explained = explain(
                question_phrases(given, LONGEST_FILLER + 1), _going_on(reader, language)
            )
            if explained is None:
                continue
            for merged in _merged(explained, before, index, reader.pattern):
                found = known(merged, index, before.language, today)
                if found is not None and merged != before.tokens:
                    yield found


def _readers(before: Known, index: PatternIndex, language: Language) -> Iterator[Reader]:
    intents = _intents(before)
    return (each for each in index.readers[language] if each.pattern.intent in intents)


def _intents(before: Known) -> tuple[str, ...]:
    route = before.route
    if isinstance(route, MissingSlot):
        return route.intents
    return ((route.match if isinstance(route, FutureMatch) else route).intent,)


def _going_on(reader: Reader, language: Language) -> Vocabulary:
    """The pattern's vocabulary with the usual words around a follow-up."""
    vocabulary = reader.vocabulary
    longest = max(vocabulary.longest, LONGEST_FILLER)
    return Vocabulary({**FILLERS[language], **vocabulary.exact}, vocabulary.stems, longest)


def _merged(
    explained: Explained, before: Known, index: PatternIndex, pattern: CanonicalQueryPattern
) -> Iterator[tuple[Token, ...]]:
    """The tokens before with each new value in the place of the old one."""
    values = [each for each in explained if not isinstance(each, Meaning | Word)]
    named = {each.slot: each.value for each in explained if isinstance(each, Meaning) and each.slot}
    periods = list(dict.fromkeys(each for each in values if isinstance(each, Period)))
    others = [each for each in values if not isinstance(each, Period)]
    if len(periods) > 1 or not (values or named) or _are_twice(others):
        return
    tokens = before.tokens
    for value in others:
        tokens = _replaced(tokens, value)
    for slot, value in named.items():
        replaced = _renamed(tokens, slot, value, before, index, pattern)
        if replaced is None:
            return
        tokens = replaced
    if not periods:
        yield tokens
        return
    for period in in_place_of(periods[0], before.period):
        yield _replaced(tokens, period)


def _are_twice(values: Sequence[Value]) -> bool:
    kinds = [each.slot if isinstance(each, Code) else type(each).__name__ for each in values]
    return len(kinds) != len(set(kinds))


def _replaced(tokens: tuple[Token, ...], value: Value) -> tuple[Token, ...]:
    """The tokens with this value where one of its kind stood; else with it behind them."""
    replaced = tuple(value if _is_like(each, value) else each for each in tokens)
    return replaced if value in replaced else (*tokens, value)


def _is_like(token: Token, value: Value) -> bool:
    match value:
        case Period():
            return isinstance(token, Period)
        case Code(slot=slot):
            return isinstance(token, Code) and token.slot == slot
        case Count():
            return isinstance(token, Count)
        case Quoted():
            return isinstance(token, Quoted)


def _renamed(
    tokens: tuple[Token, ...],
    slot: str,
    value: str | None,
    before: Known,
    index: PatternIndex,
    pattern: CanonicalQueryPattern,
) -> tuple[Token, ...] | None:
    """The tokens with the words for this value where those for another of its slot stood."""
    for reader in index.readers[before.language]:
        if reader.pattern.intent != pattern.intent:
            continue
        words = _words_for(slot, value, reader.vocabulary)
        if words is None:
            continue
        question = question_phrases(tokens, reader.vocabulary.longest)
        place = _place_of(slot, question.tokens, reader)
        if place is None:
            return (*tokens, *words)
        return (*tokens[: place.start], *words, *tokens[place.stop :])
    return None


def _words_for(slot: str, value: str | None, vocabulary: Vocabulary) -> tuple[Word, ...] | None:
    phrases: Iterator[Phrase] = (
        phrase
        for phrase, meaning in vocabulary.stems.items()
        if meaning.slot == slot and meaning.value == value
    )
    phrase = next(phrases, None)
    return None if phrase is None else tuple(Word(part, part) for part in phrase)


def _place_of(slot: str, tokens: tuple[Token, ...], reader: Reader) -> range | None:
    """The run of tokens that alone names this slot."""
    longest = reader.vocabulary.longest
    for length in range(longest, 0, -1):
        for at in range(len(tokens) - length + 1):
            run = tokens[at : at + length]
            if not all(isinstance(each, Word) for each in run):
                continue
            alone = explain(question_phrases(run, longest), reader.vocabulary)
            only = alone[0] if alone and len(alone) == 1 else None
            if isinstance(only, Meaning) and only.slot == slot:
                return range(at, at + length)
    return None


def _other_question(
    tokens: tuple[Token, ...],
    before: Known,
    index: PatternIndex,
    language: Language,
    today: date,
) -> Iterator[Known]:
    """Another question, about the same where it says no other."""
    rest = _without_fillers(tokens, language)
    if not any(isinstance(each, Word) for each in rest):
        return
    found = known(rest, index, language, today)
    if found is None or found.whole is None:
        carried = _carried(rest, before)
        more = known(carried, index, language, today) if carried != rest else None
        found = more if more and more.whole else found
    if found is not None and _keeps_subject(found, before):
        yield found


def _carried(rest: tuple[Token, ...], before: Known) -> tuple[Token, ...]:
    """With the values before that have no like among these."""
    values = (each for each in before.tokens if not isinstance(each, Word))
    more = [value for value in values if not any(_is_like(each, value) for each in rest)]
    return (*rest, *dict.fromkeys(more))


def _keeps_subject(found: Known, before: Known) -> bool:
    """False if the earlier question was about an account, a group or a person and this one has
    no slot for it, or if this one takes no time though a time was given."""
    if found.whole is None:
        return not _subjects(before)
    pattern = found.whole.pattern
    if before.period is not None and pattern.period is None:
        return False
    return _subjects(before).keys() <= {slot.name for slot in pattern.slots}


def _subjects(known: Known) -> dict[str, Any]:
    whole = known.whole
    if whole is None:
        return {each.slot: each.digits for each in known.tokens if isinstance(each, Code)}
    return {
        slot.name: whole.slots.get(slot.name)
        for slot in whole.pattern.slots
        if slot.kind in _SUBJECTS
    }


def _without_fillers(tokens: tuple[Token, ...], language: Language) -> tuple[Token, ...]:
    """The tokens without the usual words before and after the new part."""
    begin, stop = 0, len(tokens)
    while begin < stop and (length := _filler(tokens[begin:stop], language, from_end=False)):
        begin += length
    while begin < stop and (length := _filler(tokens[begin:stop], language, from_end=True)):
        stop -= length
    return tokens[begin:stop]


def _filler(tokens: tuple[Token, ...], language: Language, *, from_end: bool) -> int:
    for length in range(min(LONGEST_FILLER, len(tokens)), 0, -1):
        run = tokens[-length:] if from_end else tokens[:length]
        words = tuple(each.folded for each in run if isinstance(each, Word))
        if len(words) == length and words in FILLERS[language]:
            return length
    return 0
