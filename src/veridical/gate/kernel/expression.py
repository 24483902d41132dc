"""The expression language: small, closed, without side effects; every expression ends."""

from dataclasses import dataclass
from enum import StrEnum


class Operator(StrEnum):
    """Arithmetic between two figures."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    BY = "/"


class Comparator(StrEnum):
    """Comparisons between two values."""

    MORE = ">"
    LESS = "<"
    AT_LEAST = ">="
    AT_MOST = "<="
    EQUAL = "="
    OTHER = "!="
    ABOUT = "~"


class Function(StrEnum):
    """What becomes of a column of figures."""

    SUM = "sum"
    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    DISTINCT = "distinct"


class Course(StrEnum):
    """How figures go on from row to row."""

    RISING = "rising"
    FALLING = "falling"


class Quantifier(StrEnum):
    """How many of the rows a statement is about."""

    ALL = "all"
    NONE = "none"
    SOME = "some"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Table:
    """All rows of a result, without its totals."""

    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """The rows that have this value in any column; references to one row must name it alone."""

    rows: "Rows"
    value: str


@dataclass(frozen=True, slots=True)
class Named:
    """The rows that have any of these values, in the order of the table."""

    rows: "Rows"
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Nth:
    """The row at this place, from 1."""

    rows: "Rows"
    place: int


@dataclass(frozen=True, slots=True)
class Where:
    """The rows for which a comparison of their own cells holds."""

    rows: "Rows"
    left: "Scalar"
    comparator: Comparator
    right: "Scalar"


@dataclass(frozen=True, slots=True)
class Blank:
    """The rows whose cell is empty, or is not."""

    rows: "Rows"
    column: str
    is_blank: bool


@dataclass(frozen=True, slots=True)
class Range:
    """The rows whose period lies within two, both included."""

    rows: "Rows"
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """The rows at these ranks of a column: from 1 for the highest, from -1 for the lowest."""

    series: "Series"
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sorted:
    """All rows by a column."""

    series: "Series"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """One row for each value of a column, with its figures summed and its rows counted."""

    rows: "Rows"
    column: str


@dataclass(frozen=True, slots=True)
class Own:
    """A column of the row at hand: within a condition, or where one row stands for all."""

    column: str


@dataclass(frozen=True, slots=True)
class Cells:
    """A column of rows: one cell for one row, a series for several."""

    rows: "Rows"
    column: str


@dataclass(frozen=True, slots=True)
class Number:
    """A figure that is written out: a limit, a factor. It proves nothing by itself."""

    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A text or a day that is written out."""

    value: str


@dataclass(frozen=True, slots=True)
class Reduced:
    """A column of figures as one."""

    function: Function
    series: "Series"


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows there are."""

    rows: "Rows"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Two figures as one, or two series row by row."""

    operator: Operator
    left: "Scalar"
    right: "Scalar"


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a whole."""

    part: "Scalar"
    whole: "Scalar"


@dataclass(frozen=True, slots=True)
class Change:
    """How much a figure changed, as a part of what it was."""

    before: "Scalar"
    after: "Scalar"


@dataclass(frozen=True, slots=True)
class Year:
    """The year that a column's name says."""

    series: "Cells | Own"


Rows = Table | Row | Named | Nth | Where | Blank | Range | Ranked | Sorted | Group
Series = Cells | Arithmetic | Own | Share | Change
Scalar = Cells | Own | Number | Text | Reduced | Count | Arithmetic | Share | Change | Year


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two values."""

    left: Scalar
    comparator: Comparator
    right: Scalar


@dataclass(frozen=True, slots=True)
class Same:
    """That two selections are the same rows: ``a = top(r1.revenue)``."""

    left: Rows
    right: Rows


@dataclass(frozen=True, slots=True)
class Within:
    """That the rows of one selection are among those of another."""

    left: Rows
    right: Rows


@dataclass(frozen=True, slots=True)
class Quantified:
    """That all, none, some or only one of the rows are there, or meet a comparison."""

    quantifier: Quantifier
    rows: Rows
    condition: tuple[Scalar, Comparator, Scalar] | None = None


@dataclass(frozen=True, slots=True)
class Runs:
    """That figures rise or fall from row to row."""

    course: Course
    series: Series


@dataclass(frozen=True, slots=True)
class Not:
    """That a condition does not hold."""

    condition: "Condition"


Condition = Compare | Same | Within | Quantified | Runs | Not
Expression = Rows | Scalar | Condition
