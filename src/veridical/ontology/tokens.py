"""An estimate of the tokens of a text, without any model's tokenizer: an upper bound, not a count.

Identifiers break at each change of case, words at five characters, numbers at three, signs at two;
two Chinese characters, or letters with accents, cost three. That lies above what the byte-pair
vocabularies in use need for such prompts, so a budget holds whichever model reads it.
"""

import re
from collections import Counter

_WORD = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_DIGITS = re.compile(r"[0-9]+")
_SIGNS = re.compile(r"[!-/:-@\[-`{-~\n]+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_WORD_LENGTH = 5
_DIGITS_LENGTH = 3
_SIGNS_LENGTH = 2
_HALF_TOKENS_BEYOND_ASCII = 3


def estimate_tokens(text: str) -> int:
    """An upper bound, near enough to plan with."""
    words = _pieces(_WORD.findall(text), _WORD_LENGTH)
    digits = _pieces(_DIGITS.findall(text), _DIGITS_LENGTH)
    signs = _pieces(_SIGNS.findall(text), _SIGNS_LENGTH)
    beyond = len(_BEYOND_ASCII.findall(text)) * _HALF_TOKENS_BEYOND_ASCII
    return words + digits + signs + (beyond + 1) // 2


def _pieces(runs: list[str], length: int) -> int:
    return sum(-(-size // length) * count for size, count in Counter(map(len, runs)).items())
