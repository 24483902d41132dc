"""A column of a result: the kind and dimension of its cells, and whether they add up."""

from dataclasses import dataclass, field
from enum import StrEnum

from veridical.contracts.language import Language, Text
from veridical.evidence.dimension import Dimension
from veridical.ontology.printed import Favourable


class CellKind(StrEnum):
    """The kinds of cells of a column."""

    FIGURE = "figure"
    DAY = "day"
    MOMENT = "moment"
    """a point in time, with its clock"""
    PERIOD = "period"
    """a year, a quarter, a month"""
    NAME = "name"
    """text that names or describes"""
    CODE = "code"
    """a number or a text that identifies things and counts nothing"""
    FLAG = "flag"
    """yes or no"""


TIMES = (CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)


class Additivity(StrEnum):
    """Whether the cells of a column may be summed."""

    FULL = "full"
    NOT_OVER_TIME = "notOverTime"
    """a balance, a stock: one moment's cells add up, those of several don't"""
    NEVER = "never"
    """a mean, a rate, a price, a temperature"""


@dataclass(frozen=True, slots=True)
class Column:
    """One column, typed."""

    name: str
    kind: CellKind
    dimension: Dimension | None = None
    """Of figures."""
    additivity: Additivity = Additivity.FULL
    is_key: bool = False
    """True if each row has a value of its own."""
    words: tuple[str, ...] = ()
    """The stems of its name and its labels."""
    labels: tuple[str, ...] = ()
    """Its names in any language, from the ontology."""
    label: Text = field(default="", hash=False)
    """Its name in answers: one text, or one for each language."""
    decimals: int | None = None
    """The decimals in answers; none to take them from its cells."""
    favourable: Favourable | None = None
    unit_column: str = ""
    """The column that names each row's unit, where rows have several."""
    coined: bool = False
    """True if a statement coined its name, so that its meaning is unknown."""

    def called(self, language: Language) -> str:
        """Its label for readers of this language; empty where it has none."""
        return self.label if isinstance(self.label, str) else self.label.get(language, "")
