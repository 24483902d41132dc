"""Where the answer names rows and columns of the evidence.

The answer's words are looked up in the indexes, longest phrase first; what lies inside a longer
phrase of its own kind names nothing.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim, Days, Role
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.index_label import Spot
from veridical.gate.evidence.index_text import known_fold, known_key
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, stem
from veridical.reading.listed import listed
from veridical.reading.period_words import MONTH_NUMBERS

_WORD = late_pattern(rf"([{HAN}]|[^\W_{HAN}]+)")
_PLAIN_WORD = late_pattern("([0-9A-Za-z]+)")
"""The same in plain letters, which is found faster."""
_HAN_MONTH = late_pattern(r"(?<![0-9年])(1[0-2]|[1-9])月")
_LONG_COMPOUND = 7
_START = attrgetter("start")
_SHORT = 2
_SHORTEST_CODE = 3
_MOST_ROWS = 300
_MOST_SPOTS = 60
_FEW = 24
_NO_KEYS = listed("""
    in on no an the is it as at to of or and by for all der die das den dem des von vom und oder ja
    nein yes true false wahr falsch total summe sum ein eine im am zu mit bei auf aus fur not none
    null keine other others andere 是 否 的 有 无 合 共
""")
LABEL_COLUMN = -1
"""Stands for the column of a sheet whose rows are named by labels."""


@dataclass(slots=True, eq=False)
class Mention:
    """A place that names rows by a key, rows by a period, or columns."""

    start: int
    end: int
    key: str = ""
    days: tuple[Days, ...] = ()
    month: int = 0
    columns: frozenset[Spot] = frozenset()
    """For a column's name: the sheets with the columns that have it."""
    spots: frozenset[Spot] = frozenset()
    """For a row's name: the sheets with the columns in which it stands."""
    names: frozenset[str] = frozenset()
    """What those columns are called, where there are several sheets."""
    codes: Sequence[int] = ()
    """Cells that hold the name, as many as are worth looking at."""

    @property
    def same(self) -> tuple[object, ...]:
        """What makes two mentions name the same thing."""
        return (self.key, self.days, self.month, self.columns)


@dataclass(slots=True, eq=False)
class Words:
    """The words of an answer, folded; a Chinese character is one."""

    folded: list[str]
    spans: list[tuple[int, int]]


def words_of(text: str) -> Words:
    """The folded words of a text."""
    parts = (_PLAIN_WORD if text.isascii() else _WORD).split(text)
    ends = list(accumulate(map(len, parts)))
    return Words(
        list(map(known_fold, parts[1::2])), list(zip(ends[:-1:2], ends[1::2], strict=True))
    )


def find_mentions(
    text: str, claims: Sequence[Claim], evidence: Evidence, words: Words | None = None
) -> list[Mention]:
    """All mentions in order of their place."""
    words = words or words_of(text)
    keys = list(_keys(words, text, claims, evidence))
    columns = list(_columns(words, evidence))
    periods = list(_periods(text, words, claims, evidence)) if evidence.days.codes else []
    if columns and keys:
        columns = _outside(columns, keys)
        keys = _outside(keys, columns)
    if periods:
        periods = _outside(periods, keys)
        spans = {(each.start, each.end) for each in periods}
        keys = _outside([each for each in keys if (each.start, each.end) not in spans], periods)
    return sorted((*keys, *periods, *columns), key=_START)


def _is_amount(claim: Claim) -> bool:
    return claim.kind in (ClaimKind.AMOUNT, ClaimKind.PERCENT)


def _outside(mentions: Sequence[Mention], others: Iterable[Mention]) -> list[Mention]:
    """Those that do not stand inside a longer one of the others."""
    longest: dict[int, int] = {}
    for other in others:
        longest[other.start] = max(other.end, longest.get(other.start, 0))
    starts = sorted(longest)
    reach = list(accumulate((longest[start] for start in starts), max))
    return [each for each in mentions if not _is_within(each, starts, reach, longest)]


def _is_within(
    mention: Mention, starts: Sequence[int], reach: Sequence[int], longest: Mapping[int, int]
) -> bool:
    """True where something that starts before it, or with it and is longer, ends behind it."""
    at = bisect_left(starts, mention.start)
    if at and reach[at - 1] >= mention.end:
        return True
    return longest.get(mention.start, 0) > mention.end


def _keys(
    words: Words, text: str, claims: Sequence[Claim], evidence: Evidence
) -> Iterator[Mention]:
    firsts, folded = evidence.first_words, words.folded
    may_be_code = bool(evidence.code_columns)
    starts = [
        at
        for at, word in enumerate(folded)
        if word in firsts
        or (word[-1] == "s" and word[:-1] in firsts)
        or (may_be_code and word.isdigit())
    ]
    if not starts:
        return
    amounts = [(claim.start, claim.end) for claim in claims if _is_amount(claim)]
    past = 0
    for at in starts:
        if at < past:
            continue
        start, word = words.spans[at][0], folded[at]
        if amounts and any(begin <= start < end for begin, end in amounts):
            continue
        most = evidence.longest_key(word) or evidence.longest_key(word[:-1])
        found = _key_at(at, most, words, text, evidence)
        if found is not None:
            past = at + found[1]
            yield found[0]


def _key_at(
    at: int, most: int, words: Words, text: str, evidence: Evidence
) -> tuple[Mention, int] | None:
    """The longest key that starts here, and of how many words it is."""
    folded, texts = words.folded, evidence.texts
    start = words.spans[at][0]
    for size in range(min(most, len(folded) - at), 0, -1):
        key = " ".join(folded[at : at + size]) if size > 1 else folded[at]
        codes = texts.codes(key)
        if codes is None and key[-1] == "s" and key[:-1] in texts:
            key = key[:-1]
            codes = texts.codes(key)
        if codes is None and len(evidence.sheets) > 1 and key in evidence.held_keys:
            codes = ()
        if codes is not None:
            end = words.spans[at + size - 1][1]
            if _tells(key, text[start:end], evidence, codes):
                return _row_mention(start, end, key, codes, evidence), size
    if folded[at].isdigit() and len(folded[at]) >= _SHORTEST_CODE:
        coded = _coded(folded[at], words.spans[at], evidence)
        return (coded, 1) if coded is not None else None
    return None


def _tells(key: str, said: str, evidence: Evidence, codes: Sequence[int]) -> bool:
    """False for a key that any text has: a single digit, an article, yes and no."""
    if key.isdigit():
        return len(key) >= _SHORTEST_CODE
    if len(key) > _SHORT and key not in _NO_KEYS:
        return True
    if not codes:
        return False
    place = evidence.place(codes[0])
    if said != str(evidence.cell(place)).strip():
        return False
    return key not in _NO_KEYS or (len(key) == _SHORT and said.isupper())  # IT is no pronoun


def _row_mention(
    start: int, end: int, key: str, codes: Sequence[int], evidence: Evidence
) -> Mention:
    some = codes[:_MOST_ROWS]
    spots = evidence.spots(some[:_MOST_SPOTS])
    if len(evidence.sheets) == 1:
        return Mention(start, end, key, spots=frozenset(spots), codes=some)
    names = {evidence.sheets[sheet].columns[column] for sheet, column in spots}
    for sheet, name in evidence.held_keys.get(key, ()):
        spots.add((sheet, evidence.key_names[sheet][name]))
        names.add(name)
    return Mention(
        start, end, key, spots=frozenset(spots), names=frozenset(names) - {""}, codes=some
    )


def _coded(word: str, span: tuple[int, int], evidence: Evidence) -> Mention | None:
    """A number that is kept as a number and yet names a row: an account, an invoice."""
    value = float(word)
    some = [
        code
        for code in evidence.figures.between(value, value)[:_MOST_ROWS]
        if evidence.is_code_column(evidence.place(code))
    ]
    return _row_mention(*span, word, some, evidence) if some else None


def _columns(words: Words, evidence: Evidence) -> Iterator[Mention]:
    labels = evidence.labels
    longest, heads = labels.longest, labels.heads
    stems = list(map(stem, words.folded))
    past = 0
    for at, root in enumerate(stems):
        if root in longest:
            if at >= past:
                named = list(_phrases_at(at, stems, words, evidence))
                yield from (mention for _, mention in named)
                past = at + max((size for size, _ in named), default=0)
        elif len(root) > _LONG_COMPOUND and root.endswith(heads):
            head = max((each for each in heads if root.endswith(each)), key=len)
            measures = evidence.measure_columns.intersection(labels.columns[head])
            if measures:
                yield Mention(*words.spans[at], head, columns=measures)


def _phrases_at(
    at: int, stems: Sequence[str], words: Words, evidence: Evidence
) -> Iterator[tuple[int, Mention]]:
    """The columns and rows that the longest phrase from here on names, with its length."""
    labels = evidence.labels
    for size in range(min(labels.longest[stems[at]], len(stems) - at), 0, -1):
        phrase = " ".join(stems[at : at + size]) if size > 1 else stems[at]
        columns, rows = labels.columns.get(phrase), labels.rows.get(phrase)
        if columns is None and rows is None:
            continue
        start, end = words.spans[at][0], words.spans[at + size - 1][1]
        measures = evidence.measure_columns.intersection(columns or ())
        if measures:
            yield size, Mention(start, end, phrase, columns=measures)
        if rows is not None:
            yield size, _labelled(start, end, phrase, rows, evidence)
        return


def _labelled(
    start: int, end: int, phrase: str, rows: Sequence[Spot], evidence: Evidence
) -> Mention:
    """A row that a label names: its cells stand for it."""
    starts, widths = evidence.numbering.starts, evidence.numbering.widths
    codes = [starts[sheet] + row * widths[sheet] for sheet, row in rows[:_MOST_ROWS]]
    spots = frozenset((sheet, LABEL_COLUMN) for sheet, _ in rows[:_MOST_SPOTS])
    return Mention(start, end, phrase, spots=spots, codes=codes)


def _periods(
    text: str, words: Words, claims: Sequence[Claim], evidence: Evidence
) -> Iterator[Mention]:
    taken: set[int] = set()
    for claim in claims:
        if claim.days and claim.role is not Role.MARKER:
            taken.update(range(claim.start, claim.end))
            codes = _within(claim.days, evidence)
            if codes:
                yield _period(claim.start, claim.end, codes, evidence, days=claim.days)
        elif claim.yearless is not None and claim.yearless[1:] == (1, 0):
            taken.update(range(claim.start, claim.end))
            codes = evidence.days.in_month(claim.yearless[0])
            if codes:
                yield _period(claim.start, claim.end, codes, evidence, month=claim.yearless[0])
    for start, end, month in _bare_months(text, words):
        if start not in taken:
            codes = evidence.days.in_month(month)
            if codes:
                yield _period(start, end, codes, evidence, month=month)


def _within(days: Sequence[Days], evidence: Evidence) -> list[int]:
    for each in days:
        found = evidence.days.within(each)
        if not found and each.start == each.end:
            found = evidence.days.ending(each.end)
        if found:
            return found
    return []


def _period(
    start: int,
    end: int,
    codes: Sequence[int],
    evidence: Evidence,
    days: tuple[Days, ...] = (),
    month: int = 0,
) -> Mention:
    some = codes[:_MOST_ROWS]
    spots = frozenset(evidence.spots(some))
    return Mention(start, end, days=days, month=month, spots=spots, codes=some)


def _bare_months(text: str, words: Words) -> Iterator[tuple[int, int, int]]:
    """Months without a year; in lower case only where no verb is written so."""
    for word, (start, end) in zip(words.folded, words.spans, strict=True):
        month = _MONTHS.get(word)
        if month and text[start].isupper():
            yield start, end, month
    if not text.isascii():
        for match in _HAN_MONTH.finditer(text):
            yield match.start(), match.end(), int(match[1])


_MONTHS = {
    known_fold(name): number
    for name, number in MONTH_NUMBERS.items()
    if len(name) >= _SHORTEST_CODE
}


def names_row(mention: Mention, sheet: int, row: int, evidence: Evidence) -> bool:
    """True where this row is one of those that the mention names."""
    if len(mention.codes) <= _FEW:
        width = evidence.numbering.widths[sheet]
        first = evidence.numbering.starts[sheet] + row * width
        for code in mention.codes:
            if first <= code < first + width:
                return True
        return any(at == sheet and column < LABEL_COLUMN for at, column in mention.spots)
    return any(
        at == sheet and _names_by(mention, sheet, row, column, evidence)
        for at, column in mention.spots
    )


def _names_by(mention: Mention, sheet: int, row: int, column: int, evidence: Evidence) -> bool:
    """The same where there are too many cells to go through: by what stands in the row."""
    if column == LABEL_COLUMN:
        return any(
            place.sheet == sheet and place.row == row
            for place in map(evidence.place, mention.codes)
        )
    if column < LABEL_COLUMN:
        return True
    if mention.key:
        return _is_key(evidence.sheets[sheet].rows[row][column], mention.key)
    return _is_then(mention, sheet, row, column, evidence)


def _is_key(cell: object, key: str) -> bool:
    if isinstance(cell, str):
        return known_key(cell) == key
    return cell is not None and key.isdigit() and cell == int(key)


def _is_then(mention: Mention, sheet: int, row: int, column: int, evidence: Evidence) -> bool:
    days = evidence.days_of(sheet, row, column)
    if days is None:
        return False
    if mention.month:
        return days.start.month == mention.month == days.end.month
    return any(
        (each.start <= days.start and days.end <= each.end) or days.end == each.end
        for each in mention.days
    )
