"""The closed vocabulary of claims: which words of a language claim what."""

import re
from dataclasses import dataclass
from functools import cache

from veridical.contracts.language import Language
from veridical.gate.languages.vocabulary import Cue, Vocabulary, language_file, vocabulary
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN

_CLAIMING = frozenset(
    {
        "rank", "direction", "delta", "compare", "quantity", "proportion", "approximate", "cause",
        "negation", "affirm", "missing", "equal", "differ", "near", "order", "steady", "judged",
    }
)  # fmt: skip
DENYING = frozenset({"negation", "quantity.none", "missing"})
"""What a not may be."""
_HAN = late_pattern(f"[{HAN}]")
_SHORT = 4
_MOST_KNOWN = 2_000


@dataclass(frozen=True, slots=True)
class Words:
    """The vocabulary of one language, with what only claims and residue need."""

    base: Vocabulary
    phrases: dict[str, frozenset[str]]
    pattern: re.Pattern[str]
    no_superlatives: tuple[str, ...]
    """Ends of words that only look like superlatives: Energiekosten."""
    free: frozenset[str]
    beside: frozenset[str]
    behind: frozenset[str]
    """Words between a figure and the name that it belongs to: ``in``, ``for``."""
    leaving_out: frozenset[str]
    others: frozenset[str]
    """Words for the rest, whatever was left out."""
    joint: frozenset[str]
    """Words that part one statement from the next: ``and``, ``while``."""
    particles: str
    of_all: tuple[str, ...]
    """Words before the number of all rows: of the, across all."""
    of_these: tuple[str, ...]
    """Words behind it: 中."""
    amounts: tuple[str, ...]
    """Words that mean an amount of money: revenue, Umsatz."""
    compounds: tuple[str, ...]
    """Ends of compounds that say a difference: Temperaturunterschied."""
    incomplete: tuple[str, ...]
    """Words that say that a list is not all there is."""
    known: dict[str, list[Cue]]
    """Texts that were looked through already: each sentence is asked about several times."""
    of_which: tuple[str, ...]
    """Words that take up what was counted."""
    counter: str
    """What may stand between a number and its noun."""
    numerals: str
    """Signs that numbers are written with, where a language has such."""
    number_part: tuple[str, ...]
    """What makes a number behind it an ordinal, or a part of a larger one."""
    denying: frozenset[str]
    """Values that deny what their column says: no, nein."""
    most: frozenset[str]
    """Superlatives of any quality: most reliable."""
    range: frozenset[str]
    """Words between the lowest and the highest: ``from``, ``to``."""

    def cues(self, text: str) -> list[Cue]:
        """All words of a text that claim something, in order, and what they may claim."""
        if text not in self.known:
            if len(self.known) >= _MOST_KNOWN:
                self.known.clear()
            self.known[text] = self._cues(text)
        return self.known[text]

    def _cues(self, text: str) -> list[Cue]:
        lowered = text.lower()
        if len(lowered) != len(text):
            lowered = text
        found = [
            Cue(*match.span(), self.phrases[match[0]], match[0])
            for match in self.pattern.finditer(lowered)
        ]
        taken = [(cue.start, cue.end) for cue in found]
        for match in self.base.superlative.finditer(lowered):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            if not match[0].endswith(self.no_superlatives):
                found.append(Cue(*match.span(), frozenset({"rank.either"}), match[0]))
        return sorted((cue for cue in found if cue.kinds), key=lambda cue: cue.start)


def claims_something(kind: str) -> bool:
    """Whether a kind of word is true or false of the evidence."""
    return kind.partition(".")[0] in _CLAIMING


@cache
def words(language: Language) -> Words:
    """The vocabulary of a language."""
    base = vocabulary(language)
    raw = language_file(language)
    merged = {phrase: set(kinds) for phrase, kinds in base.phrases.items()}
    for kind, listed in raw["claimed"].items():
        for phrase in listed:
            merged.setdefault(phrase, set()).add(kind)
    phrases = {phrase: frozenset(kinds) for phrase, kinds in merged.items()}
    return Words(
        base=base,
        phrases=phrases,
        pattern=_pattern(phrases),
        no_superlatives=tuple(w for w, kinds in phrases.items() if not kinds and len(w) > _SHORT),
        free=frozenset(raw["residue"]["free"]),
        beside=frozenset(raw["residue"]["beside"]),
        behind=frozenset(raw["binding"]["behind"]),
        leaving_out=frozenset(raw["binding"]["leaving_out"]),
        others=frozenset(raw["binding"]["others"]),
        joint=frozenset(raw["binding"]["joint"]),
        particles=raw["binding"]["particles"],
        of_all=tuple(raw["binding"]["of_all"]),
        of_these=tuple(raw["binding"]["of_these"]),
        amounts=tuple(raw["binding"]["amounts"]),
        compounds=tuple(raw["binding"]["compounds"]),
        incomplete=tuple(raw["binding"]["incomplete"]),
        known={},
        of_which=tuple(raw["binding"]["of_which"]),
        counter=raw["binding"]["counter"],
        numerals=raw["residue"]["numerals"],
        number_part=tuple(raw["residue"]["number_part"]),
        denying=frozenset(raw["claimed_of"]["denying"]),
        most=frozenset(raw["claimed_of"]["most"]),
        range=frozenset(raw["binding"]["range"]),
    )


def _pattern(phrases: dict[str, frozenset[str]]) -> re.Pattern[str]:
    longest = sorted(phrases, key=len, reverse=True)
    han = "|".join(re.escape(each) for each in longest if _HAN.search(each))
    latin = "|".join(re.escape(each) for each in longest if not _HAN.search(each))
    return late_pattern("|".join(filter(None, (han, rf"(?<!\w)(?:{latin})(?!\w)"))))
