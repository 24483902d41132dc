"""One word, number or mark of a requirement, with its place in the text."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"\d+(?:[.,'’]\d+)*"  # a number with its separators; a unit behind it is a token of its own
    r"|[^\W\d_]\w*(?:[-'’‑]\w+)*"  # a word, hyphenated or with a digit in it
    r"|[^\w\s]"
    r"|_+"
)


class Token(NamedTuple):
    """A word, a number or a mark."""

    text: str
    low: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        """True if it is written in digits."""
        return self.text[0].isdecimal()

    @property
    def is_word(self) -> bool:
        """True if it begins with a letter."""
        return self.text[0].isalpha()


def tokenise(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order."""
    return tuple(
        Token(found[0], found[0].lower(), found.start(), found.end())
        for found in _TOKEN.finditer(text)
    )
