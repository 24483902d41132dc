"""A request as the fast path looks at it: folded once, cut into words once."""

from dataclasses import dataclass

from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, fold, has_han

_APOSTROPHE = late_pattern(r"(?<=[^\W\d_])['’`](?=[^\W\d_])")
_I_AM = late_pattern(r"\b[Ii]['’]m\b")
_WORD = late_pattern(rf"[{HAN}]+|[^\W_{HAN}]+")
_CONTRACTIONS = {
    f"{word}{ending}": (word, full)
    for ending, full, contracted in (
        ("s", "is", "what who where how when why that there here"),
        ("re", "are", "you they"),
        ("ve", "have", "i you they"),
        ("ll", "will", "you they"),
    )
    for word in contracted.split()
}


@dataclass(frozen=True, slots=True)
class RequestText:
    """A request with its folded words: in order, as a set, and joined."""

    request: str
    words: tuple[str, ...]
    word_set: frozenset[str]
    text: str

    @property
    def is_chinese(self) -> bool:
        """True when any word is written in Chinese characters."""
        return has_han(self.text)

    @property
    def squeezed(self) -> str:
        """The text without blanks, as Chinese is written."""
        return "".join(self.words)


def request_text(request: str) -> RequestText:
    """The request, prepared."""
    words = tuple(words_of(request))
    return RequestText(request, words, frozenset(words), " ".join(words))


def words_of(text: str) -> list[str]:
    """The folded words of a text; a change of script parts them, contractions are written out."""
    words: list[str] = _WORD.findall(fold(_APOSTROPHE.sub("", _I_AM.sub("i am", text))))
    if _CONTRACTIONS.keys().isdisjoint(words):
        return words
    return [each for word in words for each in _CONTRACTIONS.get(word, (word,))]
