"""Figures told of one of several parallel objects: buyer and seller, this branch and that one.

What is told of one must stand in its own row: two orders of the buyer in the second quarter are no
two orders of the seller. A score names both rows at once, and the winner has the larger share; how
a domain speaks of winning stands in its lexicon.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Role
from veridical.gate.evidence.measured import is_figure
from veridical.gate.evidence.sheet import Place, Sheet
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.series.when_words import ORDINALS
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import terms
from veridical.reading.listed import listed

_COUNTED = frozenset({ClaimKind.NUMBER, ClaimKind.COUNT})
_SCORE = late_pattern(r"\s?[-–:]\s?")
_PHRASE_END = late_pattern(r"[,;.:()]|\b(?:and|while|but|with|und|aber|mit)\b", re.IGNORECASE)
_CLAUSE_END = late_pattern(r"[,;.:()]|\b(?:and|while|but|und|aber)\b", re.IGNORECASE)
_SENTENCE_END = late_pattern(r"[.!?](?=\s|\Z)|\n")
_KEYS = listed("id code year season index number")
_SHORTEST_NAME = 4
_SIDES = 2
_BESIDE = 20


@dataclass(frozen=True, slots=True)
class ContestWords:
    """How a text tells what two sides came to, in general and in the domains of a lexicon."""

    final: re.Pattern[str]
    ended: re.Pattern[str]
    won: re.Pattern[str]
    for_winner: re.Pattern[str]
    moment: re.Pattern[str]
    """Words of a score that is not the last one."""


@lru_cache(maxsize=16)
def contest_words(lexicon: RecordLexicon) -> ContestWords:
    """The general expressions with those of the lexicon."""

    def among(more: tuple[str, ...], *general: str) -> str:
        return rf"\b(?:{'|'.join((*general, *more)) or '(?!)'})"

    def compiled(written: str) -> re.Pattern[str]:
        return late_pattern(written, re.IGNORECASE)

    favored = among(lexicon.won_by, r"in\sfavou?r\sof", r"zugunsten\svon")
    return ContestWords(
        final=compiled(among(lexicon.final, "final") + r"\b"),
        ended=compiled(among(lexicon.ended, "it") + r"\s(?:\w+\s)?(?:ended|endete|result\w*)\b"),
        won=compiled(among(lexicon.won) + r"\b"),
        for_winner=compiled(rf"\A[^.;]{{0,12}}?{favored}\s(?:the\s)?"),
        moment=compiled(among(lexicon.standing, r"level\w*", "ahead") + r"\b"),
    )


@dataclass(frozen=True, slots=True)
class _Named:
    """Where the text names a row."""

    start: int
    end: int
    row: int


@dataclass(frozen=True, slots=True)
class _Objects:
    """A sheet of parallel objects: where its rows are named, and which columns hold figures."""

    index: int
    sheet: Sheet
    named: tuple[_Named, ...]
    columns: tuple[tuple[int, tuple[str, ...]], ...]
    total: int | None
    contest: ContestWords

    def row_before(self, begin: int, at: int) -> int | None:
        """The row that was last named in the sentence before this place."""
        found = [name.row for name in self.named if begin <= name.start and name.end <= at]
        return found[-1] if found else None

    def column_in(self, phrase: str) -> int | None:
        """The one column whose own words the phrase has: ``first period`` is ``period1``."""
        spoken = {_ordinal(word) for word in terms(phrase)}
        joined = "".join(terms(phrase))
        found = [
            column
            for column, words in self.columns
            if words and all(word in spoken or (len(word) > 1 and word in joined) for word in words)
        ]
        return found[0] if len(found) == 1 else None

    def values(self, column: int) -> tuple[float, ...]:
        """What each row has in a column."""
        return tuple(float(row[column]) for row in self.sheet.rows)


def bind_parallel(
    claims: Sequence[Claim], text: str, sheets: Sequence[Sheet], lexicon: RecordLexicon
) -> dict[int, Bound]:
    """How figures stand that are told of one of several objects, by their place in ``claims``."""
    bounds: dict[int, Bound] = {}
    for index, sheet in enumerate(sheets):
        if is_parallel(sheet):
            objects = _objects(index, sheet, text, lexicon)
            if objects.columns:
                bounds.update(_bind(claims, text, objects))
    return bounds


def is_parallel(sheet: Sheet) -> bool:
    """True for objects of a record that stand beside each other: their columns are paths."""
    return (
        len(sheet.row_labels) > 1
        and len(sheet.columns) > 1
        and all("." in name for name in sheet.columns)
    )


def _bind(claims: Sequence[Claim], text: str, objects: _Objects) -> dict[int, Bound]:
    bounds: dict[int, Bound] = {}
    ends = [match.end() for match in _SENTENCE_END.finditer(text)] + [len(text)]
    for at, claim in enumerate(claims):
        if claim.kind not in _COUNTED or claim.role is not Role.STATED or at in bounds:
            continue
        begin = max((end for end in ends if end <= claim.start), default=0)
        end = min(end for end in ends if end >= claim.end)
        other = claims[at + 1] if at + 1 < len(claims) else None
        if (
            other is not None
            and other.kind in _COUNTED
            and _SCORE.fullmatch(text[claim.end : other.start])
        ):
            told = _score(claim, other, text[begin:end], begin, objects)
            if told is not None:
                bounds[at], bounds[at + 1] = told
        else:
            bound = _share(claim, text, begin, end, objects)
            if bound is not None:
                bounds[at] = bound
    return bounds


def _share(claim: Claim, text: str, begin: int, end: int, objects: _Objects) -> Bound | None:
    """``Otter Ltd had 2 orders in the first quarter``: the row before, the column after."""
    row = objects.row_before(begin, claim.start)
    column = objects.column_in(_PHRASE_END.split(text[claim.end : end], maxsplit=1)[0])
    if row is None or column is None:
        return None
    value = float(objects.sheet.rows[row][column])
    return _bound(claim, claim.readings[0].value == value, Place(objects.index, row, column))


def _score(
    first: Claim, second: Claim, sentence: str, begin: int, objects: _Objects
) -> tuple[Bound, Bound] | None:
    """``won 3-2``: the shares of all rows in some order; the winner has more."""
    if len(objects.sheet.rows) != _SIDES or objects.total is None:
        return None
    phrase = _CLAUSE_END.split(sentence[: first.start - begin])[-1]
    contest = objects.contest
    if contest.moment.search(sentence[max(0, first.start - begin - 30) : second.end - begin + 12]):
        return None
    column = objects.column_in(phrase)
    if contest.final.search(phrase[-_BESIDE:] + sentence[second.end - begin :][:_BESIDE]):
        column = objects.total
    if column is None and not contest.final.search(sentence) and not contest.ended.search(phrase):
        return None
    column = objects.total if column is None else column
    values = objects.values(column)
    said = (first.readings[0].value, second.readings[0].value)
    right = sorted(said) == sorted(values) or sorted(said) == sorted(_so_far(objects, column))
    winner = _winner(sentence, first, second, begin, objects) if right else None
    if winner is not None and values[winner] < max(values):
        right = False
    order = (0, 1) if said == values else (1, 0)
    return (
        _bound(first, right, Place(objects.index, order[0], column)),
        _bound(second, right, Place(objects.index, order[1], column)),
    )


def _so_far(objects: _Objects, column: int) -> tuple[float, ...]:
    """What each row has after a numbered column: the sum of those before it and itself."""
    words = dict(objects.columns)[column]
    kind = words[:-1]
    if not words or not words[-1].isdigit():
        return ()
    numbered = [
        each
        for each, others in objects.columns
        if others[:-1] == kind and others[-1].isdigit() and int(others[-1]) <= int(words[-1])
    ]
    return tuple(map(sum, zip(*(objects.values(each) for each in numbered), strict=True)))


def _winner(
    sentence: str, first: Claim, second: Claim, begin: int, objects: _Objects
) -> int | None:
    """The row that is said to have won: named after ``in favor of``, or before ``won``."""
    behind = sentence[second.end - begin :]
    favored = objects.contest.for_winner.match(behind)
    if favored:
        at = second.end + favored.end()
        return next((name.row for name in objects.named if name.start == at), None)
    ahead = sentence[: first.start - begin]
    won = None
    for match in objects.contest.won.finditer(ahead):
        won = match
    if won is None or re.search(r"\b(?:by|over|against|from)\b", ahead[won.end() :]):
        return None
    close = [
        name
        for name in objects.named
        if begin <= name.start and 0 <= begin + won.start() - name.end <= len(" ultimately have ")
    ]
    return close[-1].row if close else None


def _bound(claim: Claim, right: bool, place: Place) -> Bound:
    if right:
        return Bound(claim, Standing.GROUNDED, Ground.CELL, place, claim.readings[0].value)
    return Bound(claim, Standing.CONTRADICTED, place=place)


def _objects(index: int, sheet: Sheet, text: str, lexicon: RecordLexicon) -> _Objects:
    figures = [
        column
        for column, name in enumerate(sheet.columns)
        if all(is_figure(row[column]) for row in sheet.rows) and not _KEYS & set(terms(name))
    ]
    common = _common_words([sheet.columns[each] for each in figures])
    columns = tuple(
        (each, tuple(word for word in terms(sheet.columns[each]) if word not in common))
        for each in figures
    )
    contest = contest_words(lexicon)
    return _Objects(index, sheet, _named(sheet, text), columns, _total(sheet, figures), contest)


def _common_words(names: Sequence[str]) -> set[str]:
    words = [set(terms(name)) for name in names]
    return set.intersection(*words) if len(words) > 1 else set()


def _total(sheet: Sheet, figures: Sequence[int]) -> int | None:
    """The column in which every row has at least what it has in any other."""
    for column in figures:
        if all(row[column] >= max(row[each] for each in figures) for row in sheet.rows):
            return column
    return None


def _named(sheet: Sheet, text: str) -> tuple[_Named, ...]:
    """Where rows are named: by their label, by a text of theirs alone, or by a word of it."""
    names: dict[str, int] = {}
    for row, label in enumerate(sheet.row_labels):
        names[label.casefold()] = row
        for cell in sheet.rows[row]:
            if isinstance(cell, str):
                for name in (cell, *cell.split()):
                    if len(name) >= _SHORTEST_NAME and not _elsewhere(name, row, sheet):
                        names.setdefault(name.casefold(), row)
    folded = text.casefold()
    found: list[_Named] = []
    for name in sorted(names, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", folded):
            here = _Named(match.start(), match.end(), names[name])
            if not any(each.start < here.end and here.start < each.end for each in found):
                found.append(here)
    return tuple(sorted(found, key=lambda each: each.start))


def _elsewhere(name: str, row: int, sheet: Sheet) -> bool:
    return any(
        isinstance(cell, str) and name.casefold() in cell.casefold()
        for at, cells in enumerate(sheet.rows)
        if at != row
        for cell in cells
    )


def _ordinal(word: str) -> str:
    number = ORDINALS.get(word) or _STEMS.get(word)
    return str(number) if number else word


_STEMS = {terms(word)[0]: number for word, number in ORDINALS.items()}
