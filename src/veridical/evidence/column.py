"""A column of a result: what its cells are, what they measure, and whether they add up."""

from dataclasses import dataclass, field
from enum import StrEnum

from veridical.contracts.language import Language, Text
from veridical.evidence.dimension import Dimension
from veridical.ontology.printed import Favourable


class Kind(StrEnum):
    """What the cells of a column are."""

    FIGURE = "figure"
    DAY = "day"
    MOMENT = "moment"
    """a point in time, with its clock"""
    PERIOD = "period"
    """a year, a quarter, a month"""
    NAME = "name"
    """text that names or describes"""
    CODE = "code"
    """a number or a text that tells things apart and counts nothing"""
    FLAG = "flag"
    """yes or no"""


TIMES = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)


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
    kind: Kind
    dimension: Dimension | None = None
    """Of figures."""
    additivity: Additivity = Additivity.FULL
    is_key: bool = False
    """Whether each row has a value of its own."""
    words: tuple[str, ...] = ()
    """The stems of its name, and of what people call it."""
    labels: tuple[str, ...] = ()
    """What people call it, in any language, as the ontology says."""
    label: Text = field(default="", hash=False)
    """What an answer calls it, in one text or one for each language."""
    decimals: int | None = None
    """With how many decimals an answer prints it; none where its cells say it."""
    favourable: Favourable | None = None
    coined: bool = False
    """Whether a statement made its name up: nobody says what it counts."""

    def called(self, language: Language) -> str:
        """Its label for readers of this language; empty where it has none."""
        return self.label if isinstance(self.label, str) else self.label.get(language, "")
