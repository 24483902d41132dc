"""An exhibit: one result behind an answer, as a table, a record or a text, with its receipt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical.contracts.language import Language, Text
from veridical.contracts.result import Emptiness, KnownQuestion, TimeRange
from veridical.evidence.column import Additivity
from veridical.ontology.judgement import Judgement
from veridical.ontology.printed import Favourable, Noun, Percent


@dataclass(frozen=True, slots=True)
class Measure:
    """The declared meaning of one column; missing parts are inferred from its name and values."""

    labels: tuple[str, ...] = ()
    """Its names, in any language."""
    unit: str = ""
    additivity: Additivity | None = None
    unit_column: str = ""
    """The column that names each row's unit: a currency."""
    is_key: bool = False
    """True for a column that identifies rows rather than measures them: an account, a year."""
    label: Text = field(default="", hash=False)
    """Its name in answers: one text, or one for each language."""
    scale: float = 1.0
    """The scale of its figures: 1000 for thousands."""
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


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One result. A table has columns and rows, a record a JSON value, a passage its text."""

    name: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    record: Any = None
    text: str = ""
    """Running text, alone or beside the rows."""
    calculation: Calculation | None = None
    measures: Mapping[str, Measure] = field(default_factory=dict[str, Measure])
    held: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Values that every row has because the call filtered for them: account 1020, year 2025."""
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
    known: KnownQuestion | None = None
    """The known question that it answers, if there is one."""
