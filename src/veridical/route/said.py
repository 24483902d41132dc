"""A request as the fast path looks at it: folded once, cut into words once."""

import re
from dataclasses import dataclass

from veridical.ontology.terms import fold

_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’`](?=[^\W\d_])")
_HAN = "㐀-䶿一-鿿豈-﫿"
_WORD = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")


@dataclass(frozen=True, slots=True)
class Said:
    """What was said: the request, its folded words in a row, and the same as a set."""

    request: str
    words: tuple[str, ...]
    held: frozenset[str]
    text: str

    @property
    def is_chinese(self) -> bool:
        """True when any word is written in Chinese characters."""
        return any("㐀" <= word[0] <= "﫿" for word in self.words)

    @property
    def squeezed(self) -> str:
        """The text without blanks, as Chinese is written."""
        return "".join(self.words)


def said(request: str) -> Said:
    """The request, prepared."""
    words = tuple(words_of(request))
    return Said(request, words, frozenset(words), " ".join(words))


def words_of(text: str) -> list[str]:
    """The folded words of a text; an apostrophe doesn't part them, a change of script does."""
    return _WORD.findall(fold(_APOSTROPHE.sub("", text)))
