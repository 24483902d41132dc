"""Whether a sentence affirms what it mentions, denies it, or says that nothing is known."""

from enum import StrEnum
from itertools import pairwise

from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.word import Word, root
from veridical.gate.records.word_lists import word_list, word_set

_NEGATIONS = word_set("negations")
_NEGATING_ENDINGS = word_list("negating_endings")
_AFTERWARDS = word_set("negations_behind")
_BREAKS = word_set("breaks")
_SUBJECTS = word_set("subjects")
_VERBS = word_set("verbs")
_FINITE = word_set("finite_verbs")
_ADDING = word_set("adding")
_NO_VALUES = word_set("denying_labels")
_VALUES = _NO_VALUES | word_set("other_labels")
_NEITHER = word_set("beside_the_point")
_DETERMINERS = word_set("determiners")
_OR = word_set("or")
_EITHER = word_set("either")
_GIVEN = word_set("given")
_RATHER, _OTHER, _THAN = map(word_set, ("rather", "other", "than"))
_FINITE_BE = word_set("forms_of_be")
_BE = _FINITE_BE | word_set("infinite_forms_of_be")
_LIGHT = word_set("light")
_ONLY = word_set("only")
_NO = word_set("no")
_HAVING = frozenset(map(root, word_list("having")))
_PARTICIPLES = word_list("participle_endings")
_OPENERS = frozenset(":：(（")
_BRACKETS = frozenset("(（")
_ROUND = frozenset("()（）")
_COMMAS = frozenset({",", "，"})
_STOPS = frozenset({*";；.。!?\n()（）:：—–"})
_LABEL_STOPS = frozenset(",;)，；）.")
_OTHER_REACH = 12
_LABEL_REACH = 5
_REACH_AFTER = 14
"""How many words behind a mention a negation may stand: ``WiFi for guests is not available``."""


class Stance(StrEnum):
    """How a sentence stands to something that it mentions."""

    AFFIRMED = "affirmed"
    DENIED = "denied"
    UNSAID = "unsaid"
    """the sentence says that nothing is known of it"""


def stance(sentence: tuple[Word, ...], first: int, last: int, lexicon: RecordLexicon) -> Stance:
    """How the sentence stands to its words from ``first`` to ``last``."""
    if _says_nothing_known(sentence, lexicon) or _is_beside_the_point(sentence, first, last):
        return Stance.UNSAID
    labelled = _labelled(sentence, last)
    if labelled is not None:
        return labelled
    if _denied_before(sentence, first, last):
        return Stance.DENIED
    return _stance_after(sentence, first, last)


def _labelled(sentence: tuple[Word, ...], last: int) -> Stance | None:
    """``WiFi: no``, ``Garage (false)``: what stands behind the colon or in the bracket decides."""
    if last + 2 >= len(sentence) or sentence[last + 1].text not in _OPENERS:
        return None
    said = sentence[last + 2 : last + 2 + _LABEL_REACH]
    if sentence[last + 1].text in _BRACKETS and not _is_value_alone(said):
        return None
    end = next((at for at, word in enumerate(said) if word.text in _LABEL_STOPS), len(said))
    denies = any(is_negation(said, at) or said[at].low in _NO_VALUES for at in range(end))
    return Stance.DENIED if denies else Stance.AFFIRMED


def _is_value_alone(said: tuple[Word, ...]) -> bool:
    """``(false)``, ``(not available)``; ``(no garage)`` speaks of something else."""
    end = next((at for at, word in enumerate(said) if word.text in _LABEL_STOPS), len(said))
    return all(word.low in _VALUES for word in said[:end])


def _is_beside_the_point(sentence: tuple[Word, ...], first: int, last: int) -> bool:
    """``Reservations are not required``, ``options other than a garage``: neither yes nor no."""
    before = [word.low for word in sentence[max(0, first - _OTHER_REACH) : first]]
    if any(one in _OTHER and next_one in _THAN for one, next_one in pairwise(before)):
        return True
    following = [word.low for word in sentence[last + 1 : last + 1 + _LABEL_REACH]]
    return any(word in _NEITHER for word in following)


def is_negation(words: tuple[Word, ...], at: int) -> bool:
    """Whether the word at a place says no."""
    folded = words[at].low
    if folded in _THAN:
        return at > 0 and words[at - 1].low in _RATHER
    if folded.endswith(_NEGATING_ENDINGS):
        return True
    if folded not in _NEGATIONS:
        return False
    following = words[at + 1].low if at + 1 < len(words) else ""
    return following not in _ONLY


def _denied_before(sentence: tuple[Word, ...], first: int, last: int) -> bool:
    """Walk back from the mention; a negation counts until something ends its reach."""
    own_verb = _has_own_verb(sentence, last)
    for at in range(first - 1, -1, -1):
        if is_negation(sentence, at):
            return sentence[at].low not in _AFTERWARDS and _reaches(sentence, at, first)
        if sentence[at].low in _FINITE_BE:
            return False
        if sentence[at].low in _OR:
            own_verb = False
        if own_verb and (sentence[at].text in _COMMAS or sentence[at].low in _ADDING):
            return False
        if _ends_reach(sentence, at, first):
            return False
    return False


def _reaches(sentence: tuple[Word, ...], at: int, first: int) -> bool:
    """``no WiFi, music or bar`` denies all three; ``no WiFi, takeout offered`` only the first."""
    if sentence[at].low not in _DETERMINERS:
        return True
    if not any(word.text in _COMMAS for word in sentence[at:first]):
        return True
    rest = sentence[at + 1 : first + _REACH_AFTER]
    end = next((n for n, word in enumerate(rest) if word.low in _BREAKS), len(rest))
    return any(word.low in _EITHER for word in rest[:end])


def _has_own_verb(sentence: tuple[Word, ...], last: int) -> bool:
    """``…, street parking is available``: what follows affirms it, whatever was denied before."""
    following = [word.low for word in sentence[last + 1 : last + 6]]
    verb = next((at for at, word in enumerate(following) if word in _BE), None)
    return verb is not None and all(word.isalpha() for word in following[:verb])


def _ends_reach(sentence: tuple[Word, ...], at: int, first: int) -> bool:
    word = sentence[at]
    folded = word.low
    joined = at > 0 and sentence[at - 1].low in _EITHER
    if (word.text in _STOPS and word.text not in _BRACKETS) or (folded in _BREAKS and not joined):
        return True
    begins = word.text in _COMMAS or folded in _ADDING
    if folded in _GIVEN and at + 1 < len(sentence):
        return sentence[at + 1].low in _SUBJECTS
    if not begins or at + 1 >= first:
        return False
    following = sentence[at + 1].low
    if following in _ADDING and at + 2 < len(sentence):
        following = sentence[at + 2].low
    opens = following in _SUBJECTS or following in _BREAKS or following in _FINITE
    return opens or (following in _VERBS and folded in _ADDING)


def _stance_after(sentence: tuple[Word, ...], first: int, last: int) -> Stance:
    """``Reservations and WiFi are not available``: a form of *to be* and a negation behind it."""
    listed = not _verb_before(sentence, first)
    verb_at = -1
    for at in range(last + 1, min(last + 1 + _REACH_AFTER, len(sentence))):
        word = sentence[at]
        folded = word.low
        if folded in _AFTERWARDS:
            return Stance.DENIED
        if is_negation(sentence, at):
            if verb_at < 0 and folded in _NO:
                return Stance.AFFIRMED
            return Stance.DENIED if _denies_having(sentence, at) else Stance.UNSAID
        ends = (word.text in _STOPS and word.text not in _ROUND) or folded in _BREAKS
        if ends or (word.text in _COMMAS and not listed):
            return Stance.AFFIRMED
        if folded in _BE:
            verb_at = at
        elif folded in _LIGHT:
            continue
        elif verb_at >= 0 or folded in _VERBS:
            return Stance.AFFIRMED
    return Stance.AFFIRMED


def _verb_before(sentence: tuple[Word, ...], first: int) -> bool:
    """Whether the clause already had its verb when the mention comes: it is no subject then."""
    for at in range(first - 1, -1, -1):
        folded = sentence[at].low
        if folded in _VERBS:
            return True
        if sentence[at].text in _STOPS or folded in _BREAKS:
            return False
    return False


def _denies_having(sentence: tuple[Word, ...], at: int) -> bool:
    """``is not available``, ``are not``, ``isn't offered``; not ``is not particularly nice``."""
    following = sentence[at + 1].text if at + 1 < len(sentence) else ","
    done = following.casefold().endswith(_PARTICIPLES) or root(following) in _HAVING
    return done or not following[0].isalnum() or at + 1 == len(sentence)


def _says_nothing_known(sentence: tuple[Word, ...], lexicon: RecordLexicon) -> bool:
    spoken = " ".join(word.low for word in sentence)
    return any(phrase in spoken for phrase in lexicon.unknown)
