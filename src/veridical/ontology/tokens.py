"""How many tokens a text costs, without any model's tokenizer: a bound from above, not a count.

Identifiers break at each change of case, words at four characters, numbers at three; a sign is a
token of its own, and so is each Chinese character and a half. That lies above what the byte-pair
vocabularies in use need for the prompts compiled here, so a budget holds whichever model reads it.
"""

import re

_WORD = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_DIGITS = re.compile(r"[0-9]+")
_SIGN = re.compile(r"[!-/:-@\[-`{-~\n]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_WORD_LENGTH = 4
_DIGITS_LENGTH = 3
_HALF_TOKENS_BEYOND_ASCII = 3


def estimate_tokens(text: str) -> int:
    """An upper bound, near enough to plan with."""
    words = sum(-(-len(word) // _WORD_LENGTH) for word in _WORD.findall(text))
    digits = sum(-(-len(run) // _DIGITS_LENGTH) for run in _DIGITS.findall(text))
    signs = len(_SIGN.findall(text))
    beyond = len(_BEYOND_ASCII.findall(text)) * _HALF_TOKENS_BEYOND_ASCII
    return words + digits + signs + (beyond + 1) // 2
