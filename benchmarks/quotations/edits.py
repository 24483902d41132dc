"""Edits that make a quotation wrong. A word is what stands between blanks; in Chinese, a sign."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from random import Random

from veridical.contracts.language import Language

Edit = Callable[[str, str, Sequence[str], Random], str | None]
"""Of a sentence: with words of other documents, words of negation, and chance."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[^\W\d_]{3,}")
_DIGIT = re.compile(r"\d")


def bare(text: str) -> str:
    """Letters and digits alone: what is equal here is no alteration that counts."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum())


def word(sentence: str, pool: str, _: Sequence[str], random: Random) -> str | None:
    """One word becomes another one."""
    form = _HAN if _HAN.search(sentence) else _LATIN_WORD
    here, there = list(form.finditer(sentence)), form.findall(pool)
    if not here or not there:
        return None
    old, new = random.choice(here), random.choice(there)
    return None if old[0] == new else sentence[: old.start()] + new + sentence[old.end() :]


def number(sentence: str, _: str, __: Sequence[str], random: Random) -> str | None:
    """One digit becomes another one."""
    digits = list(_DIGIT.finditer(sentence))
    if not digits:
        return None
    old = random.choice(digits)
    new = str((unicodedata.decimal(old[0]) + random.randint(1, 8)) % 10)
    return sentence[: old.start()] + new + sentence[old.end() :]


def negation(sentence: str, _: str, words: Sequence[str], random: Random) -> str | None:
    """What is said is denied."""
    if _HAN.search(sentence):
        places = [match.start() for match in _HAN.finditer(sentence)][2:]
        if not places:
            return None
        at = random.choice(places)
        return f"{sentence[:at]}{random.choice(words)}{sentence[at:]}"
    parts = sentence.split(" ")
    at = random.randrange(1, len(parts)) if len(parts) > 1 else 0
    return " ".join((*parts[:at], random.choice(words), *parts[at:])) if at else None


def omission(sentence: str, _: str, __: Sequence[str], random: Random) -> str | None:
    """A word in the middle is missing."""
    if _HAN.search(sentence):
        places = [match.start() for match in _HAN.finditer(sentence)][3:-3]
        if not places:
            return None
        at = random.choice(places)
        return sentence[:at] + sentence[at + 1 :]
    parts = sentence.split(" ")
    if len(parts) < 5:
        return None
    at = random.randrange(1, len(parts) - 1)
    return " ".join((*parts[:at], *parts[at + 1 :])) if parts[at].isalnum() else None


def order(sentence: str, _: str, __: Sequence[str], random: Random) -> str | None:
    """Two neighbours change places."""
    if _HAN.search(sentence):
        places = [match.start() for match in _HAN.finditer(sentence[:-2])]
        places = [at for at in places if _HAN.match(sentence[at + 1])]
        if not places:
            return None
        at = random.choice(places)
        return sentence[:at] + sentence[at + 1] + sentence[at] + sentence[at + 2 :]
    parts = sentence.split(" ")
    if len(parts) < 4:
        return None
    at = random.randrange(1, len(parts) - 2)
    if parts[at] == parts[at + 1]:
        return None
    return " ".join((*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]))


def part(sentence: str, language: Language, random: Random) -> str | None:
    """A stretch that begins and ends between words; in Chinese between marks."""
    if language is Language.ZH:
        pieces = [each for each in re.split(r"(?<=[，；：])", sentence) if each]
        at = random.randrange(len(pieces))
        stretch = "".join(pieces[at : at + 2]).rstrip("，；：")
        return stretch if len(stretch) >= 6 else None
    parts = sentence.split(" ")
    if len(parts) < 7:
        return None
    at = random.randrange(0, len(parts) - 5)
    return " ".join(parts[at : at + random.randint(5, len(parts) - at)])


def joined(one: str, other: str, language: Language) -> str:
    """The first half of one sentence and the second half of another."""
    if language is Language.ZH:
        return one[: len(one) // 2] + other[len(other) // 2 :]
    first, second = one.split(" "), other.split(" ")
    return " ".join((*first[: (len(first) + 1) // 2], *second[len(second) // 2 :]))
