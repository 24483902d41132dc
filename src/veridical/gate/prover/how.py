"""The operations that a claim can rest on; each has its words in every language."""

from enum import StrEnum


class How(StrEnum):
    """How a claim follows from the evidence."""

    ITSELF = "itself"
    """a cell, or a figure over rows"""
    ADDED = "added"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    PRODUCT = "product"
    CHANGE = "change"
    """from the second to the first, as a part of the second"""
    ALL_ROWS = "all_rows"
    ROWS_THERE_ARE = "rows_there_are"
    """as the result's receipt says, however many rows were returned"""
    NAMED_ROWS = "named_rows"
    OTHER_ROWS = "other_rows"
    BEYOND_LIMIT = "beyond_limit"
    LISTED = "listed"
    WITHOUT_VALUE = "without_value"
    DISTINCT_VALUES = "distinct_values"
    ROWS_OF_ROWS = "rows_of_rows"
    RUNNING_NUMBER = "running_number"
    QUESTION = "question"
    LIMIT = "limit"
    ARGUMENT = "argument"
    RANK = "rank"
    NAME = "name"
    TEXT = "text"
    """word for word in a text of the evidence"""


COUNTS = frozenset(
    {
        How.ALL_ROWS,
        How.ROWS_THERE_ARE,
        How.NAMED_ROWS,
        How.OTHER_ROWS,
        How.BEYOND_LIMIT,
        How.LISTED,
        How.WITHOUT_VALUE,
        How.DISTINCT_VALUES,
    }
)
"""Numbers of rows, or of their values."""
