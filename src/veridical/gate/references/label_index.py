"""The words by which a text speaks of the columns of the evidence, in any language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from veridical.contracts.language import Language
from veridical.evidence.column import Kind
from veridical.evidence.column_words import listed_words
from veridical.evidence.concepts import concepts
from veridical.evidence.dimension import Quantity
from veridical.evidence.table import Table
from veridical.gate.prover.names import Token, root, tokens
from veridical.gate.references.words import words
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, split_name

_HAN_RUN = late_pattern(f"[{HAN}]+")
_LATIN = late_pattern(rf"[^\W\d_{HAN}]+")
_SHORTEST, _SHORTEST_END = 3, 4
_LONGEST_HAN = 6
_LONG = 5
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Label:
    """Where a text speaks of columns, and of which."""

    start: int
    end: int
    columns: frozenset[str]
    is_own: bool = True
    """Whether by a word of a column's own name."""
    is_per: bool = False
    """Whether it says what a rate is of: costs per parcel."""
    is_exact: bool = True
    """Whether by the word itself; a compound that only ends with it may mean something else."""


class LabelIndex:
    """Words of columns that hold figures, by the columns' names and by the notions behind."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._own: dict[str, set[str]] = {}
        self._words: dict[str, set[str]] = {}
        self._han: dict[str, set[str]] = {}
        self._own_han: set[str] = set()
        self._vague: dict[str, set[str]] = {}
        """Words that say little, but may be all that a column is called: 人数."""
        columns = {each.name: each for table in tables for each in table.columns}
        others = {
            root(word)
            for column in columns.values()
            if column.kind is not Kind.FIGURE
            for word in _LATIN.findall(split_name(column.name))
        }
        for column in columns.values():
            if column.kind is Kind.FIGURE:
                for text in (column.name, *column.labels):
                    self._add(column.name, text, others)
        for part, names in self._vague.items():
            bare = {re.sub(r"[\d_]", "", name) for name in names}
            if len(bare) == 1 and all(len(name) <= len(part) + 1 for name in bare):
                self._han.setdefault(part, set()).update(names)
                self._own_han.add(part)
        self._money = frozenset(
            each.name
            for each in columns.values()
            if each.dimension is not None and each.dimension.quantity is Quantity.MONEY
        )
        longest = sorted(self._han, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest)) or r"(?!)")

    def _add(self, name: str, text: str, others: set[str]) -> None:
        plain = [root(word) for word in _LATIN.findall(split_name(text))]
        telling = [each for each in plain if each not in _unspecific() and len(each) >= _SHORTEST]
        for word in telling:
            if word not in others:
                self._own.setdefault(word, set()).add(name)
        for size in range(1, min(len(plain), _MOST_WORDS) + 1):
            for start in range(len(plain) - size + 1):
                joined = "".join(plain[start : start + size])
                for notion in _notions().get(joined, ()):
                    self._add_notion(notion, name)
        for run in _HAN_RUN.findall(text):
            self._add_han(run, name)

    def _add_notion(self, notion: str, name: str) -> None:
        for word in concepts()[notion]:
            if rooted(word) in _unspecific():
                continue
            if _HAN_RUN.search(word):
                if len(word) > 1:
                    self._han.setdefault(word, set()).add(name)
            elif "_" not in word and not rooted(word).startswith(_hows()):
                self._words.setdefault(rooted(word), set()).add(name)

    def _add_han(self, run: str, name: str) -> None:
        for size in range(2, _LONGEST_HAN + 1):
            for start in range(len(run) - size + 1):
                part = run[start : start + size]
                if part not in listed_words("unspecific"):
                    self._han.setdefault(part, set()).add(name)
                    self._own_han.add(part)
                else:
                    self._vague.setdefault(part, set()).add(name)
        for word, notions in _han_notions().items():
            if word in run:
                for notion in notions:
                    self._add_notion(notion, name)

    def find(self, text: str) -> list[Label]:
        """All labels, in order; those that touch are one."""
        found = [
            Label(
                token.start, token.end, self._in_money(token.stem, columns), is_own, is_exact=exact
            )
            for token in tokens(text)
            if (known := self._columns(token))
            for columns, is_own, exact in (known,)
        ]
        found += [
            Label(
                *match.span(),
                self._in_money(match[0], frozenset(self._han[match[0]])),
                match[0] in self._own_han,
            )
            for match in self._pattern.finditer(text)
        ]
        merged: list[Label] = []
        for label in sorted(found, key=lambda each: each.start):
            last = merged[-1] if merged else None
            if last is not None and text[last.end : label.start] in ("", " ", "-", "_"):
                both = last.columns & label.columns or last.columns | label.columns
                is_own = last.is_own or label.is_own
                exact = last.is_exact or label.is_exact
                merged[-1] = Label(
                    last.start, max(last.end, label.end), both, is_own, is_exact=exact
                )
            else:
                merged.append(label)
        return merged

    def _in_money(self, word: str, columns: frozenset[str]) -> frozenset[str]:
        """Only the amounts, where a word means one and there are any: Umsatz, 销售额."""
        if not word.endswith(_amounts()):
            return columns
        return columns & self._money or columns

    def _columns(self, token: Token) -> tuple[frozenset[str], bool, bool] | None:
        word = token.stem
        for index, is_own in ((self._own, True), (self._words, False)):
            if word in index:
                return frozenset(index[word]), is_own, True
        # a compound is about what it ends with, or begins with: Jahresumsatz, Solarstrom
        found: set[str] = set()
        own = False
        for index, is_own in ((self._own, True), (self._words, False)):
            cuts = range(2, len(word) - _SHORTEST_END + 1)
            ending = next((word[cut:] for cut in cuts if word[cut:] in index), None)
            if ending is not None:
                found |= index[ending]
                own = own or is_own
        for cut in range(len(word) - 1, _LONG - 1, -1):
            if word[:cut] in self._own:
                found |= self._own[word[:cut]]
                own = True
        if not found and len(word) >= _LONG:
            for key, names in self._own.items():
                if key.startswith(word):  # expire, expiring
                    found |= names
                    own = True
        return (frozenset(found), own, False) if found else None


@cache
def _notions() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for notion, listed in concepts().items():
        for word in listed:
            if not _HAN_RUN.search(word):
                joined = "".join(root(each) for each in word.split("_"))
                found.setdefault(joined, []).append(notion)
    return {word: tuple(names) for word, names in found.items()}


@cache
def _han_notions() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for notion, listed in concepts().items():
        for word in listed:
            if _HAN_RUN.search(word) and len(word) > 1:
                found.setdefault(word, []).append(notion)
    return {word: tuple(names) for word, names in found.items()}


@cache
def rooted(word: str) -> str:
    """A word without its endings; the words of notions are asked for again and again."""
    return root(word)


@cache
def _amounts() -> tuple[str, ...]:
    """Words that mean an amount of money, in any language."""
    return tuple(rooted(word) for language in Language for word in words(language).amounts)


@cache
def _hows() -> tuple[str, ...]:
    """Beginnings of words that say how a figure came about: prozentual."""
    return tuple(word for word in _unspecific() if len(word) > _SHORTEST_END)


@cache
def _unspecific() -> frozenset[str]:
    """Words of column names that say how, not what: units, averages, periods."""
    return frozenset(root(word) for word in listed_words("unspecific"))
