"""What a canonical pattern asks, for which time, and how its slots are filled."""

from enum import StrEnum


class SlotKind(StrEnum):
    """How a slot's value is recognised in a question."""

    YEAR = "YEAR"
    """of the pattern's period, as are the next two"""
    MONTH = "MONTH"
    DAY = "DAY"
    CODE = "CODE"
    """``format``, beside one of ``cues``: account 1020"""
    COUNT = "COUNT"
    """how many rows: top 5"""
    SUBCLASS = "SUBCLASS"
    """the sub-classes of ``entity`` by their names and ``words``; filled with the condition"""
    VALUE = "VALUE"
    """one of ``values`` by its ``words``"""
    QUOTED = "QUOTED"
    """a text in quotation marks"""


class PeriodKind(StrEnum):
    """The time that a pattern answers for."""

    YEAR = "YEAR"
    YEAR_END = "YEAR_END"
    MONTH = "MONTH"
    MONTH_END = "MONTH_END"
    """of any month but the year's last"""
    DAY = "DAY"
    SINCE_YEAR = "SINCE_YEAR"


class Asks(StrEnum):
    """What kind of answer a question wants."""

    HOW_MUCH = "HOW_MUCH"
    TOTAL = "TOTAL"
    """how much in all: whoever wants to see the things themselves asks another question"""
    HOW_MANY = "HOW_MANY"
    WHICH = "WHICH"
