"""What columns and rows are called, by word stems: names, labels of the ontology, lines."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veridical.gate.evidence.index_text import key_of, stems_of
from veridical.gate.evidence.sheet import Sheet
from veridical.ontology.terms import split_name, terms
from veridical.reading.listed import listed
from veridical.reading.units import CURRENCIES

Spot = tuple[int, int]
"""A sheet and one of its columns, or one of its rows."""
Names = tuple[tuple[str, ...], ...]
"""What each column of a sheet is called."""

_LONGEST_LABEL = 8
_LONGEST_TEXT = 80
_SHORTEST_HEAD = 4
_CODES = frozenset(code.casefold() for code in CURRENCIES.values())
_CODE_WORDS = listed("""
    id no nr number numb numm num account acct kont cod code key ref referenc invoic
    invoice rechnung beleg voucher zip plz 编号 号码 科目 代码 账号 账户 发票 单号
""")
_CODE_ENDS = ("numm", "nummer", "kontonr", "nr")
_NOT_TELLING = frozenset({"total", "valu", "val", "in", "of", "and", "und", "the", "der", "di"})


@dataclass(frozen=True, slots=True)
class Labels:
    """Phrases of stems, found by their first stem."""

    columns: dict[str, list[Spot]]
    """Stems of a phrase to the columns that are called so."""
    rows: dict[str, list[Spot]]
    """Stems of a phrase to the rows that are called so, where no cell of them does it."""
    longest: dict[str, int]
    """The first stem of each phrase to the most words that a phrase with it has."""
    heads: tuple[str, ...]
    """Column names of one word: the ends that a compound may have."""


@lru_cache(maxsize=20_000)
def label_stems(label: str) -> str:
    """The stems of a name in camelCase, snake_case or plain words, without its unit."""
    stems = [word for word in stems_of(key_of(split_name(label))).split() if word not in _CODES]
    return " ".join(stems)


def index_labels(sheets: Sequence[Sheet]) -> Labels:
    """The index of all names of columns and rows."""
    named = _index_columns(tuple(map(_column_names, sheets)))
    rows: dict[str, list[Spot]] = {}
    for at, sheet in enumerate(sheets):
        for row, label in enumerate(sheet.row_labels):
            for phrase in _row_phrases(label) if len(label) <= _LONGEST_TEXT else ():
                rows.setdefault(phrase, []).append((at, row))
    if not rows:
        return named
    return Labels(named.columns, rows, _longest((*named.columns, *rows)), named.heads)


def _column_names(sheet: Sheet) -> Names:
    measures = sheet.source.measures
    if not measures:
        return tuple((name,) for name in sheet.columns)
    return tuple(
        (name, *measures[name].labels) if name in measures else (name,) for name in sheet.columns
    )


@lru_cache(maxsize=1_000)
def _index_columns(sheets: tuple[Names, ...]) -> Labels:
    """Results of one kind have the same columns again and again."""
    columns: dict[str, list[Spot]] = {}
    for at, names in enumerate(sheets):
        for phrase, column in _column_phrases(names):
            columns.setdefault(phrase, []).append((at, column))
    heads = tuple(
        phrase for phrase in columns if " " not in phrase and len(phrase) >= _SHORTEST_HEAD
    )
    return Labels(columns, {}, _longest(columns), heads)


def _longest(phrases: Iterable[str]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for phrase in phrases:
        first, _, _ = phrase.partition(" ")
        longest[first] = max(longest.get(first, 0), phrase.count(" ") + 1)
    return longest


def _column_phrases(names: Names) -> Iterator[tuple[str, int]]:
    """Each name of each column, and the one word of it that no other column has."""
    named: dict[str, set[int]] = {}
    whole: dict[str, set[int]] = {}
    for column, labels in enumerate(names):
        for label in labels:
            phrase = label_stems(label)
            if phrase and phrase.count(" ") < _LONGEST_LABEL:
                whole.setdefault(phrase, set()).add(column)
                for word in phrase.split(" "):
                    named.setdefault(word, set()).add(column)
    for phrase, found in whole.items():
        yield from ((phrase, column) for column in found)
    for word, found in named.items():
        telling = len(word) >= _SHORTEST_HEAD and word not in _NOT_TELLING
        if telling and len(found) == 1 and word not in whole:
            yield word, next(iter(found))


def _row_phrases(label: str) -> Iterator[str]:
    """The label, and the part of a path or below a section that it ends with."""
    said = {label_stems(label)}
    for mark in (": ", "."):
        if mark in label:
            said.add(label_stems(label.rpartition(mark)[2]))
    yield from (phrase for phrase in said if phrase and phrase.count(" ") < _LONGEST_LABEL)


def is_key(sheet: Sheet, column: str) -> bool:
    """True where the ontology says that a column tells rows apart."""
    measure = sheet.source.measures.get(column)
    return measure is not None and measure.is_key


@lru_cache(maxsize=10_000)
def names_codes(column: str) -> bool:
    """True for the name of a column whose numbers are names: ``accountNo``, ``invoiceId``."""
    words = terms(column)
    return bool(words) and (words[-1] in _CODE_WORDS or words[-1].endswith(_CODE_ENDS))
