"""An exhibit: one result behind an answer, as a table, a record or a text, with its receipt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language, Text
from veridical.contracts.result import Emptiness, TimeRange
from veridical.ontology.judgement import Judgement
from veridical.ontology.printed import Favourable, Noun, Percent


class Additivity(StrEnum):
    """Whether values of one measure may be added up."""

    ADDITIVE = "additive"
    SEMI = "semi"
    """not over some columns: balances over months"""
    NEVER = "never"
    UNKNOWN = "unknown"
    """not declared: allowed"""


@dataclass(frozen=True, slots=True)
class Measure:
    """The meaning of one column, from the ontology."""

    labels: tuple[str, ...] = ()
    """Its names, in any language."""
    unit: str = ""
    additivity: Additivity = Additivity.UNKNOWN
    unit_column: str = ""
    """The column that names each row's unit: a currency."""
    is_key: bool = False
    """True for a column that identifies rows rather than measures them: an account, a year."""
    label: Text = field(default="", hash=False)
    """Its name in answers: one text, or one for each language."""
    scale: float = 1.0
    decimals: int | None = None
    percent: Percent | None = None
    favourable: Favourable | None = None
    coined: bool = False
    """True for a count under a name that the statement does not have otherwise."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """A receipt of the calculator."""

    expression: str
    value: float
    inputs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One result. A table has columns and rows, a record a JSON value, a passage its text."""

    name: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    record: Any = None
    text: str = ""
    calculation: Calculation | None = None
    measures: Mapping[str, Measure] = field(default_factory=dict[str, Measure])
    held: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Values that every row has because the call filtered for them: account 1020, year 2025."""
    compared: tuple[tuple[str, float], ...] = ()
    """Limits of the call, ``over`` or ``under`` a figure: amounts over 10'000."""
    row_limit: int | None = None
    """The call's limit of rows; none if unknown."""
    row_count: int | None = None
    """The number of all rows; none if unknown."""
    truncated: bool = False
    time_range: tuple[TimeRange, ...] = ()
    """The periods that the call's filters resolve to, with days as ISO dates."""
    emptiness: Emptiness | None = None
    nouns: Mapping[Language, Noun] = field(default_factory=dict[Language, Noun])
    """The noun for its rows, if each is one row of an entity."""
    judgements: tuple[Judgement, ...] = ()
    """Conditions on its rows that have a name; their fields are columns of this result."""
