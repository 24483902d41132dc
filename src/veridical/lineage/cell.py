"""The origin of one value of a statement: read from columns, written as a literal, or both."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache

from sqlglot import exp

from veridical.contracts.lineage import OriginKind
from veridical.ontology.terms import HAN
from veridical.word_file import word_file

Value = Decimal | str
"""A literal: a number (a truth value counts as 0 or 1), or a text."""

MOST_WRITTEN = 64
"""More literals than this are not followed one by one."""
_DATA = frozenset({OriginKind.COLUMN, OriginKind.AGGREGATE, OriginKind.COUNT, OriginKind.COMPUTED})

NUMBER = re.compile(r"\d+(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2}(?:[ T].*)?)?")
_LETTER = re.compile(r"[^\W\d_]")
_HAN = re.compile(f"[{HAN}]")
_MOST_LETTERS = 4
_TEMPORAL = frozenset(
    {
        exp.DType.DATE, exp.DType.DATE32, exp.DType.DATETIME, exp.DType.DATETIME2,
        exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ,
        exp.DType.TIMESTAMPNTZ, exp.DType.INTERVAL, exp.DType.TIME,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """One value, before any row is known."""

    kind: OriginKind
    written: frozenset[Value] = frozenset()
    """For data: the literals that stand in for it in some rows. For a literal: all it can be."""
    constants: frozenset[Decimal] = frozenset()
    """For ``mixed``: the numbers that must have been named elsewhere before it proves anything."""
    known: bool = True
    """False for a literal whose value is not computed, and for a mix that nothing redeems."""
    chosen: bool = False
    """A literal that a condition on data picks."""
    flag: bool = False
    """Only 0 or 1, by a condition on data: summing it counts rows."""
    counts: bool = False
    """A sum in which ones stand in for data: it may be a number of rows."""
    ratio: bool = False
    """A figure divided by a figure."""
    temporal: bool = False
    """A literal day or span of time."""
    spelt: frozenset[str] = frozenset()
    """Quoted names behind it: some engines take one that is no column for a text."""

    @property
    def is_data(self) -> bool:
        """True where a row of a table decides the value."""
        return self.kind in _DATA

    @property
    def is_literal(self) -> bool:
        """True where the statement's own text decides the value."""
        return self.kind is OriginKind.LITERAL

    @property
    def number(self) -> Decimal | None:
        """The number that a literal is."""
        if not self.is_literal or not self.known or len(self.written) != 1:
            return None
        (value,) = self.written
        return value if isinstance(value, Decimal) else None


COLUMN = Cell(OriginKind.COLUMN)
COUNT = Cell(OriginKind.COUNT)
COMPUTED = Cell(OriginKind.COMPUTED)
FLAG = Cell(OriginKind.COMPUTED, flag=True)
NULL = Cell(OriginKind.LITERAL)
SOME_LITERAL = Cell(OriginKind.LITERAL, known=False)
SOME_DAY = Cell(OriginKind.LITERAL, known=False, temporal=True)
UNREDEEMED = Cell(OriginKind.MIXED, known=False)
"""Data and literals mixed so that the literals alone may decide."""
UNKNOWN = Cell(OriginKind.UNKNOWN, known=False)


def literal(value: Value) -> Cell:
    """The cell of one literal."""
    return Cell(OriginKind.LITERAL, frozenset({value}))


def mixed(constants: Iterable[Decimal]) -> Cell:
    """Data that numbers of the statement change: it proves something once these are known."""
    return Cell(OriginKind.MIXED, constants=frozenset(constants))


def worst(cells: Iterable[Cell]) -> Cell | None:
    """The first cell that proves nothing in any combination; none if all are sound."""
    listed = list(cells)
    for kind in (OriginKind.UNKNOWN, OriginKind.MIXED):
        found = [each for each in listed if each.kind is kind]
        if found:
            if all(each.known for each in found):
                return mixed(number for each in found for number in each.constants)
            return UNKNOWN if kind is OriginKind.UNKNOWN else UNREDEEMED
    return None


def either(left: Cell, right: Cell) -> Cell:
    """A value that is the one in some rows and the other in others: branches of a UNION."""
    spoilt = worst((left, right))
    if spoilt is not None:
        return spoilt
    written = left.written | right.written
    if left.is_literal and right.is_literal:
        known = left.known and right.known and len(written) <= MOST_WRITTEN
        return Cell(
            OriginKind.LITERAL,
            written if known else frozenset(),
            known=known,
            chosen=left.chosen and right.chosen,
            temporal=left.temporal and right.temporal,
        )
    fixed = left if left.is_literal else right if right.is_literal else None
    if (fixed is not None and not fixed.known) or len(written) > MOST_WRITTEN:
        return UNREDEEMED
    if fixed is None:
        kind = left.kind if left.kind is right.kind else OriginKind.COMPUTED
        return Cell(
            kind,
            written,
            flag=left.flag and right.flag,
            counts=left.counts or right.counts,
            ratio=left.ratio and right.ratio,
            spelt=left.spelt | right.spelt,
        )
    return replace(right if fixed is left else left, written=written, flag=False)


def read_literal(node: exp.Expr) -> Cell | None:
    """The cell of what is written out; none for anything else."""
    match node:
        case exp.Null():
            return NULL
        case exp.Boolean():
            return literal(Decimal(bool(node.this)))
        case exp.Literal():
            return literal(node.name) if node.is_string else _number(node.name)
        case exp.Interval():
            return SOME_DAY
        case exp.HexString() | exp.BitString() | exp.ByteString() | exp.National():
            return SOME_LITERAL
        case exp.RawString() | exp.UnicodeString():
            return SOME_LITERAL
        case exp.Parameter() | exp.Placeholder() | exp.SessionParameter():
            return SOME_LITERAL
        case _:
            return None


def cast_literal(cell: Cell, to: exp.Expr | None) -> Cell:
    """A literal in another type: a day, or a value that is not worked out any further."""
    if isinstance(to, exp.DataType) and to.this in _TEMPORAL:
        return Cell(cell.kind, cell.written, known=cell.known, chosen=cell.chosen, temporal=True)
    return cell


def is_day(cell: Cell) -> bool:
    """True for a literal that is a day."""
    if not cell.is_literal:
        return False
    texts = [value for value in cell.written if isinstance(value, str)]
    return cell.temporal or bool(texts and all(_DAY.fullmatch(text) for text in texts))


def joins_only(texts: list[str]) -> bool:
    """True for what stands between parts: signs, blanks, and a unit or two letters, no figure."""
    whole = "".join(texts)
    if any(character.isdigit() for character in whole):
        return False
    han = set(_HAN.findall(whole))
    letters = [each for each in _LETTER.findall(whole) if each not in han]
    return len(letters) <= _MOST_LETTERS and han <= _calendar_signs()


def is_format(text: str) -> bool:
    """True for a format of data without a text or figure of its own."""
    return (
        '"' not in text
        and "'" not in text
        and "\\" not in text
        and joins_only(
            [re.sub(r"%-?[A-Za-z]|[YyMmDdHhSsQqWwIiAaPpFf]+|9[90,.]*|0[90,.]*", "", text)]
        )
    )


def _number(text: str) -> Cell:
    try:
        value = Decimal(text.replace("_", ""))
    except InvalidOperation:
        return SOME_LITERAL
    return literal(value) if value.is_finite() else SOME_LITERAL


@cache
def _calendar_signs() -> frozenset[str]:
    return frozenset(word_file("veridical.lineage", "calendar_signs.toml")["signs"])
