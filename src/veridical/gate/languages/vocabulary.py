"""The words that claim something in a language, compiled once from its TOML file."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN

_TABLES = (
    "rank", "direction", "delta", "compare", "quantity", "proportion", "aggregate", "approximate",
    "cause", "negation", "missing",
)  # fmt: skip
_HAN = late_pattern(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class Cue:
    """A word or phrase that claims something, and its place."""

    start: int
    end: int
    kinds: frozenset[str]
    """All its meanings: ``rank.high``, ``direction.up`` …"""
    text: str

    def has(self, kind: str) -> bool:
        """True if one of its meanings is this kind or belongs to this table."""
        return any(each == kind or each.startswith(f"{kind}.") for each in self.kinds)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language."""

    language: Language
    phrases: dict[str, frozenset[str]]
    expression: re.Pattern[str]
    affixes: tuple[tuple[re.Pattern[str], frozenset[str]], ...]
    """Words that begin or end with a cue: Monatsschnitt, Gesamtquote."""
    superlative: re.Pattern[str]
    numbers: dict[str, int]
    number: re.Pattern[str]
    articles: frozenset[str]
    ordinals: dict[str, int]
    ordinal: re.Pattern[str]
    counters: frozenset[str]

    def cues(self, lowered: str, text: str = "") -> list[Cue]:
        """All cues of a text in lower case, in order, without exceptions."""
        found = list(self._listed(lowered))
        for pattern, kinds in self.affixes:
            found += [Cue(*match.span(), kinds, match[0]) for match in pattern.finditer(lowered)]
        taken = [(cue.start, cue.end) for cue in found]
        for match in self.superlative.finditer(lowered):
            if self.language is Language.DE and text[match.start() : match.start() + 1].isupper():
                continue  # a noun
            if not any(match.start() < end and start < match.end() for start, end in taken):
                found.append(Cue(*match.span(), frozenset({"rank.either"}), match[0]))
        if text:
            found = [cue for cue in found if not _is_shouted(text[cue.start : cue.end])]
        return sorted((cue for cue in found if cue.kinds), key=lambda cue: cue.start)

    def _listed(self, lowered: str) -> Iterator[Cue]:
        for match in self.expression.finditer(lowered):
            yield Cue(*match.span(), self.phrases[match[0]], match[0])


def _is_shouted(word: str) -> bool:
    """True for an abbreviation in capitals, which is a different word; false for a single sign."""
    return len(word) > 1 and word.isupper()


@cache
def language_file(language: Language) -> dict[str, Any]:
    """The tables of a language's file."""
    name = f"{language.value}.toml"
    return tomllib.loads(files("veridical.gate.languages").joinpath(name).read_text("utf-8"))


@cache
def vocabulary(language: Language) -> Vocabulary:
    """The vocabulary of a language."""
    raw = language_file(language)
    every = _phrases(raw)
    phrases = {phrase: kinds for phrase, kinds in every.items() if "*" not in phrase}
    affixes = tuple((_affix(phrase), kinds) for phrase, kinds in every.items() if "*" in phrase)
    numbers = _numbers(raw["numbers"])
    ordinals = {
        word: at for at, word in enumerate(raw["ordinals"]["words"].split(), start=1)
    } | dict.fromkeys(raw["ordinals"]["runner_up"], 2)
    return Vocabulary(
        language=language,
        phrases=phrases,
        expression=_alternation(phrases),
        affixes=affixes,
        superlative=late_pattern(raw["rank"]["pattern"]),
        numbers=numbers,
        number=_alternation(numbers),
        articles=frozenset(raw["numbers"]["articles"].split()),
        ordinals=ordinals,
        ordinal=_alternation(ordinals, raw["ordinals"].get("endings", "").split()),
        counters=frozenset(raw["numbers"].get("counters", "").split()),
    )


def _phrases(raw: dict[str, Any]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    excepted: set[str] = set()
    for table in _TABLES:
        for key, listed in raw[table].items():
            if key == "pattern":
                continue
            if key.startswith("not_"):
                excepted.update(listed)
                continue
            for phrase in listed:
                kind = table if key == "words" else f"{table}.{key}"
                found.setdefault(phrase, set()).add(kind)
    return {phrase: frozenset(kinds) for phrase, kinds in found.items()} | {
        phrase: frozenset() for phrase in excepted if phrase not in found
    }


def _numbers(raw: dict[str, Any]) -> dict[str, int]:
    ones = raw["words"].split()
    joined = raw.get("ones_before_joint", {})
    found = {word: at for at, word in enumerate(ones)}
    for ten, tens in enumerate(raw.get("tens", "").split(), start=2):
        found[tens] = ten * 10
        for one in range(1, 10):
            one_word = joined.get(ones[one], ones[one])
            found[raw["joint"].format(tens=tens, ones=one_word)] = ten * 10 + one
    return found | raw.get("others", {})


def _affix(phrase: str) -> re.Pattern[str]:
    """A word with anything where the star is."""
    head, _, tail = phrase.partition("*")
    return late_pattern(
        rf"(?<!\w){re.escape(head)}\w+(?!\w)" if head else rf"(?<!\w)\w+{re.escape(tail)}(?!\w)"
    )


def _alternation(words: dict[str, Any], endings: Sequence[str] = ()) -> re.Pattern[str]:
    ending = f"(?:{'|'.join(endings)})?" if endings else ""
    longest = sorted(words, key=len, reverse=True)
    latin = [re.escape(word) for word in longest if not _HAN.match(word)]
    han = [re.escape(word) for word in longest if _HAN.match(word)]
    forms = [rf"(?<!\w)(?:{'|'.join(latin)}){ending}(?!\w)"] if latin else []
    return late_pattern("|".join([*han, *forms]) or r"(?!)")
