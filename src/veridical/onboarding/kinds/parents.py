"""The tables that the name of a column may point to, by their key or their name."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from veridical.onboarding.hints import is_value_of, same_things, words_hint_at
from veridical.onboarding.kinds.primary_keys import stem_of, unglued
from veridical.onboarding.names import nouns_of, singular, without_prefix
from veridical.onboarding.profile import ColumnProfile, TableProfile

_LETTERS = 4
"""Letters that two names must share at their start."""
Sure = tuple[float, "Parent"]
"""The confidence of a name in a table."""


@dataclass(frozen=True)
class Parent:
    """A table that can be pointed to."""

    table: TableProfile
    key: tuple[str, ...]
    prefix: int = 0
    """The number of words that the names of all tables start with."""

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """The words of its name in the singular, without those common to all tables."""
        return nouns_of(self.table.name)[self.prefix :]

    @cached_property
    def key_words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each column of its key."""
        words = without_prefix(column.name for column in self.table.columns)
        return tuple(words[name] for name in self.key)


class ParentIndex:
    """Tables with a key of one column, by the names that point to them. Beside its key, a table has
    other columns that identify its rows: a station its code."""

    def __init__(self, parents: list[Parent], others: list[Parent] | None = None) -> None:
        self.parents = parents
        self.by_part: dict[str, list[Parent]] = {}
        self.by_key: dict[tuple[str, ...], list[Parent]] = {}
        self.by_noun: dict[str, list[Parent]] = {}
        self.by_name: dict[str, list[Parent]] = {}
        self.by_start: dict[str, list[Parent]] = {}
        self.by_table = {each.table.name: each for each in parents}
        for each in parents:
            self.by_key.setdefault(each.key_words[0], []).append(each)
            self.by_key.setdefault((*each.nouns, *each.key_words[0]), []).append(each)
        for each in others or ():
            self.by_part.setdefault("".join(each.nouns), []).append(each)
        for each in (*parents, *(others or ())):
            nouns = each.nouns
            self.by_name.setdefault("".join(nouns), []).append(each)
            for start in range(len(nouns)):
                self.by_noun.setdefault("".join(nouns[start:]), []).append(each)
            if nouns:
                self.by_start.setdefault(nouns[0][:_LETTERS], []).append(each)

    def candidates(
        self, table: TableProfile, column: ColumnProfile, words: tuple[str, ...]
    ) -> Iterator[Sure]:
        """Tables that the column may point to, with the confidence of its name."""
        stem = tuple(map(singular, stem_of(words)))
        yield from self._itself(table, column, words)
        yield from self._named(words, stem)
        yield from self._by_another(stem)
        yield from self._alike(stem)

    def _itself(
        self, table: TableProfile, column: ColumnProfile, words: tuple[str, ...]
    ) -> Iterator[Sure]:
        """The column's own table, for example for a manager."""
        own = self.by_table.get(table.name)
        if own is None or own.key == (column.name,):
            return
        tail = own.key_words[0]
        longer = len(words) > len(tail) and words[-len(tail) :] == tail and not _is_generic(tail)
        glued = len(words) == len(tail) == 1 and words != tail and words[0].endswith(tail[0])
        if longer or glued or words_hint_at(words, "self_reference"):
            yield 0.9, own

    def _named(self, words: tuple[str, ...], stem: tuple[str, ...]) -> Iterator[Sure]:
        """Tables with this name, or with a key of this name."""
        # The end of one name may be the whole other, but not the end of the other: a sales reason
        # is no scrap reason.
        yield from ((0.95, each) for each in self.by_noun.get("".join(stem), ()))
        for start in range(1, len(stem)):
            yield from ((0.85, each) for each in self.by_name.get("".join(stem[start:]), ()))
        if stem and (short := unglued(stem[-1])) != stem[-1]:
            yield from ((0.9, each) for each in self.by_noun.get(singular(short), ()))
        if not _is_generic(words):
            yield from ((0.9, each) for each in self.by_key.get(words, ()))
        for start in range(1, len(words) - 1):
            yield from ((0.8, each) for each in self.by_key.get(words[start:], ()))

    def _by_another(self, stem: tuple[str, ...]) -> Iterator[Sure]:
        """Tables whose name comes first, followed by one of its columns: a bike's frame."""
        for end in range(1, len(stem)):
            for each in self.by_part.get("".join(stem[:end]), ()):
                own = tuple(map(singular, stem_of(each.key_words[0])))
                if own and stem[end:] == own[-len(stem[end:]) :]:
                    yield 0.85, each

    def _alike(self, stem: tuple[str, ...]) -> Iterator[Sure]:
        """Tables with another name for the same thing, and those with the same start."""
        if not stem:
            return
        for group in same_things():
            if stem[-1] in group or "".join(stem[-2:]) in group:
                yield from ((0.75, each) for noun in group for each in self.by_noun.get(noun, ()))
        for start in range(1, len(stem[-1]) - _LETTERS):
            yield from ((0.75, each) for each in self.by_noun.get(stem[-1][start:], ()))
        for each in self.by_start.get(stem[0][:_LETTERS], ()):
            longer = each.nouns[0].startswith(stem[0]) and each.nouns[0] != stem[0]
            if longer and len(stem[0]) >= _LETTERS:
                yield 0.6, each


def _is_generic(words: tuple[str, ...]) -> bool:
    """True for a key named ``id``, which does not name its table."""
    return is_value_of(" ".join(words), "generic_key")
