"""What a whole number counts."""

from veridical.gate.claims.tongue import speaks_english, speaks_german
from veridical.late_pattern import late_pattern
from veridical.reading.listed import listed
from veridical.reading.units import HAN_COUNTERS

_FOLLOWING = late_pattern(r"\s([^\W\d_]+(?:-[^\W\d_]+)*)")
_HAN_NOUN = late_pattern("[\u4e00-\u9fff]{1,5}")
_NO_NOUN = listed(
    "in of and or to at on for from by with the a an is are was were be has have had as than per "
    "out more less times ago later after before if while but each respectively compared vs versus "
    "over under up down und oder von bis zu im am in an auf für mit bei aus ist sind war waren hat "
    "haben als wie pro mehr weniger mal der die das den dem des ein eine nach vor seit gegen "
    "gegenüber sowie bzw also auch nicht noch nur"
)
_IRREGULAR = listed("people children men women staff persons")
_FARTHEST = 3


def counted_once(word: str) -> str:
    """The noun after a one; nothing where the word that follows is none."""
    return "" if word.lower() in _NO_NOUN else word


def counted(text: str, end: int, word: str) -> str:
    """The noun that a number ending here counts: the first in capitals or in the plural.

    ``word`` is what follows the number, if known. In Chinese the measure word with what follows
    it, since nothing parts the words.
    """
    if end < len(text) and text[end] in HAN_COUNTERS:
        return _HAN_NOUN.match(text, end)[0]  # pyright: ignore[reportOptionalSubscript]
    if not word:
        return ""
    for _ in range(_FARTHEST):
        match = _FOLLOWING.match(text, end)
        if match is None:
            return ""
        word, end = match[1], match.end()
        if word.lower() in _NO_NOUN:
            return ""
        if (word[-1] == "s" and word[-2:] != "ss") or word in _IRREGULAR:
            return word
        if word[0].isupper():  # a noun in German, a name in English
            return "" if speaks_english(text) and not speaks_german(text) else word
    return ""
