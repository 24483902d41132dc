"""The closed lists of words that the checks look for, from the language's file."""

import re
from dataclasses import dataclass
from functools import cache

from veridical.contracts.language import Language
from veridical.facts.printing import language_data

_NEAR = 24
_NEAR_HAN = 3


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Patterns over the model's own words."""

    polarity: tuple[tuple[str, re.Pattern[str]], ...]
    """The claim of a word, and its pattern."""
    negation: re.Pattern[str]
    near: int
    """Signs before a word within which a negation turns it."""
    more: re.Pattern[str]
    less: re.Pattern[str]
    against: re.Pattern[str]
    """Words before what something is compared with."""
    others: re.Pattern[str]
    """Words for what is left over."""
    of_all: re.Pattern[str]
    """Words before *all* that make it a whole, not a subject."""
    numbers: re.Pattern[str]
    values: dict[str, int]
    scale: re.Pattern[str]
    """A scale or a unit right behind a slot."""
    of_whole: re.Pattern[str]
    """Between a share and its whole."""
    linking: re.Pattern[str]
    """Between a noun and its figure behind it, where the language has no spaces."""
    is_han: bool


@cache
def vocabulary(language: Language) -> Vocabulary:
    """The lists of one language."""
    raw = language_data(language)["prose"]
    han = language is Language.ZH
    polarity = tuple((name, _stems(words, han=han)) for name, words in raw["polarity"].items())
    polarity = (*polarity, ("steady", _doubled(raw["doubled"], han=han)))
    values = {word: int(number) for number, words in raw["numbers"].items()
              for word in words.split()}  # fmt: skip
    numbers = _alternatives(" ".join(values))
    counters = "|".join(raw.get("counters", "").split())
    before = raw.get("not_behind", "")
    pattern = rf"\b(?:{numbers})\b"
    if han:
        pattern = rf"(?<![{before}])(?:{numbers})(?=\s?(?:{counters}))"
    scale = _alternatives(raw["scale"])
    return Vocabulary(
        polarity,
        _stems(raw["negation"], han=han),
        _NEAR_HAN if han else _NEAR,
        _stems(raw["compared"]["more"], han=han),
        _stems(raw["compared"]["less"], han=han),
        _stems(raw["compared"]["against"], han=han),
        _stems(raw["others"], han=han),
        re.compile(rf"(?:{_alternatives(raw['of_all'])})\s*$", re.IGNORECASE),
        re.compile(pattern, re.IGNORECASE),
        values,
        re.compile(rf"\s?(?:{scale})" + ("" if han else r"(?![^\W\d_])"), re.IGNORECASE),
        re.compile(rf"(?:(?:{_alternatives(raw['of_whole'])})\s+)+", re.IGNORECASE),
        re.compile(rf"(?:{_alternatives(raw['linking'])})*\s*$"),
        han,
    )


def _alternatives(words: str) -> str:
    """Any of the words, the longest first; none of them where there are none."""
    return "|".join(map(re.escape, sorted(words.split(), key=len, reverse=True))) or r"(?!)"


def _stems(words: str, *, han: bool) -> re.Pattern[str]:
    """Stems that end with a hyphen go on; others are whole words; ``_`` is a space."""
    forms = []
    for word in words.split():
        whole = not word.endswith("-")
        form = re.escape(word.rstrip("-")).replace("_", r"\s")
        forms.append(form if han else rf"\b{form}" + (r"\b" if whole else ""))
    return re.compile("|".join(forms) or r"(?!)", re.IGNORECASE)


def _doubled(words: str, *, han: bool) -> re.Pattern[str]:
    """One word twice, as languages say *each*: week after week, 月月."""
    if han:
        return re.compile(rf"({_alternatives(words)})\1")
    return re.compile(rf"\b(\w{{3,}}) (?:{_alternatives(words)}) \1\b", re.IGNORECASE)
