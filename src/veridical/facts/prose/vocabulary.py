"""The closed lists of words that the checks look for, from the language's file."""

import re
from dataclasses import dataclass
from functools import cache

from veridical.contracts.language import Language
from veridical.facts.printing import language_data


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Patterns over the model's own words."""

    polarity: tuple[tuple[str, re.Pattern[str]], ...]
    """The claim of a word, and its pattern."""
    negation: re.Pattern[str]
    others: re.Pattern[str]
    """Words for what is left over."""
    of_all: re.Pattern[str]
    """Words before *all* that make it a whole, not a subject."""
    numbers: re.Pattern[str]
    values: dict[str, int]
    scale: re.Pattern[str]
    """A scale or a unit right behind a slot."""
    is_han: bool


@cache
def vocabulary(language: Language) -> Vocabulary:
    """The lists of one language."""
    raw = language_data(language)["prose"]
    han = language is Language.ZH
    polarity = tuple((name, _stems(words, han=han)) for name, words in raw["polarity"].items())
    values = {word: int(number) for number, words in raw["numbers"].items()
              for word in words.split()}  # fmt: skip
    numbers = _alternatives(values)
    counters = "|".join(raw.get("counters", "").split())
    before = raw.get("not_behind", "")
    pattern = rf"\b(?:{numbers})\b"
    if han:
        pattern = rf"(?<![{before}])(?:{numbers})(?=\s?(?:{counters}))"
    scale = _alternatives(dict.fromkeys(raw["scale"].split(), 0))
    return Vocabulary(
        polarity,
        _stems(raw["negation"], han=han),
        _stems(raw["others"], han=han),
        re.compile(
            rf"(?:{_alternatives(dict.fromkeys(raw['of_all'].split(), 0))})\s*$", re.IGNORECASE
        ),
        re.compile(pattern, re.IGNORECASE),
        values,
        re.compile(rf"\s?(?:{scale})" + ("" if han else r"(?![^\W\d_])"), re.IGNORECASE),
        han,
    )


def _alternatives(words: dict[str, int]) -> str:
    return "|".join(re.escape(each) for each in sorted(words, key=len, reverse=True))


def _stems(words: str, *, han: bool) -> re.Pattern[str]:
    """Stems that end with a hyphen go on; others are whole words; ``_`` is a space."""
    forms = []
    for word in words.split():
        whole = not word.endswith("-")
        form = re.escape(word.rstrip("-")).replace("_", r"\s")
        forms.append(form if han else rf"\b{form}" + (r"\b" if whole else ""))
    return re.compile("|".join(forms) or r"(?!)", re.IGNORECASE)
