"""The words of a language as the rules look them up: phrases by their first word, and sets."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple

from veridical.requirements.token import Token, tokenise

TECHNOLOGIES = "technologies"
"""The file of product names, which are the same in every language."""


class Phrase(NamedTuple):
    """A phrase that a rule looks for: its words after the first, and their group."""

    rest: tuple[str, ...]
    rule: str
    group: str


class Hit(NamedTuple):
    """A phrase that stands in a requirement: its first token, and the one behind its last."""

    first: int
    end: int
    group: str


@dataclass(frozen=True)
class Lexicon:
    """The phrases and word sets of one language."""

    phrases: Mapping[str, Sequence[Phrase]]
    sets: Mapping[str, frozenset[str]]
    strong: Mapping[str, str]
    """Weak modals with the strong one of the same form."""

    @cached_property
    def endings(self) -> Mapping[str, tuple[str, ...]]:
        """The same sets as ``str.endswith`` takes them."""
        return {name: tuple(sorted(words)) for name, words in self.sets.items()}

    def hits(self, tokens: Sequence[Token]) -> dict[str, list[Hit]]:
        """The phrases that stand in these tokens by rule; of those that overlap, the longest."""
        found: dict[str, list[Hit]] = {}
        lows = [token.low for token in tokens]
        for place, low in enumerate(lows):
            for phrase in self.phrases.get(low, ()):
                end = place + 1 + len(phrase.rest)
                if phrase.rest and tuple(lows[place + 1 : end]) != phrase.rest:
                    continue
                hits = found.setdefault(phrase.rule, [])
                if not hits or hits[-1].end <= place:
                    hits.append(Hit(place, end, phrase.group))
        return found


@cache
def lexicon(language: str) -> Lexicon:
    """The words of this language."""
    read = word_file(language)
    phrases: defaultdict[str, list[Phrase]] = defaultdict(list)
    rules = {**read["rules"], "SOL": word_file(TECHNOLOGIES)}
    for rule, groups in rules.items():
        for group, entries in groups.items():
            for words in _expanded(entries, read["endings"].get(group, [""])):
                phrases[words[0]].append(Phrase(words[1:], rule, group))
    for found in phrases.values():
        found.sort(key=lambda phrase: -len(phrase.rest))
    sets = {
        name: frozenset(
            f"{entry}{ending}".lower()
            for entry in entries
            for ending in read["endings"].get(name, [""])
        )
        for name, entries in read["sets"].items()
    }
    return Lexicon(dict(phrases), sets, read["strong"])


@cache
def word_file(name: str) -> dict[str, Any]:
    """One file of this folder's words as it is written."""
    return tomllib.loads(
        files("veridical.requirements").joinpath("words", f"{name}.toml").read_text("utf-8")
    )


def samples() -> tuple[str, ...]:
    """One requirement in each language: to read them loads all words."""
    return tuple(word_file(language)["sample"] for language in ("de", "en"))


def _expanded(entries: Iterable[str], endings: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        for ending in endings:
            yield tuple(token.low for token in tokenise(f"{entry}{ending}"))
