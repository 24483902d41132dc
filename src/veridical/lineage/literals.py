"""Literals of a statement as values, and the texts that data is put together with."""

import re
import tomllib
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files

from sqlglot import exp

from veridical.lineage.cell import NULL, SOME_DAY, SOME_LITERAL, Cell, literal

NUMBER = re.compile(r"\d+(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2}(?:[ T].*)?)?")
_LETTER = re.compile(r"[^\W\d_]")
_HAN = re.compile(r"[㐀-鿿豈-﫿]")
_MOST_LETTERS = 4
_TEMPORAL = frozenset(
    {
        exp.DType.DATE, exp.DType.DATE32, exp.DType.DATETIME, exp.DType.DATETIME2,
        exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ,
        exp.DType.TIMESTAMPNTZ, exp.DType.INTERVAL, exp.DType.TIME,
    }
)  # fmt: skip


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
    """True for a format that says how data is written, without a text or figure of its own."""
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
    text = files(__package__ or "").joinpath("calendar_signs.toml").read_text("utf-8")
    return frozenset(tomllib.loads(text)["signs"])
