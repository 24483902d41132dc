"""The kinds of canonical patterns, of their periods and of their slots."""

from enum import StrEnum


class SlotKind(StrEnum):
    """The recognition of a slot's value in a question."""

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
    """The period of a pattern."""

    YEAR = "YEAR"
    YEAR_END = "YEAR_END"
    MONTH = "MONTH"
    MONTH_END = "MONTH_END"
    """of any month but the year's last"""
    DAY = "DAY"
    SINCE_YEAR = "SINCE_YEAR"


class Asks(StrEnum):
    """The kind of answer to a question."""

    HOW_MUCH = "HOW_MUCH"
    TOTAL = "TOTAL"
    """a total; the rows themselves are another question"""
    HOW_MANY = "HOW_MANY"
    WHICH = "WHICH"
