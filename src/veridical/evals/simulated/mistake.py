"""The kinds of mistakes that models make with business data."""

from enum import StrEnum


class Mistake(StrEnum):
    """One kind of mistake. Its rate is that among the runs in which it can be made."""

    WRONG_PERIOD_ROW = "wrongPeriodRow"
    """a month's row instead of the year's, or the other way round"""
    WRONG_YEAR = "wrongYear"
    WRONG_KIND = "wrongKind"
    """another account, or another value of a closed list"""
    TURNOVER_FOR_BALANCE = "turnoverForBalance"
    SUMMED_BALANCE = "summedBalance"
    """a balance added up over months"""
    MIXED_CURRENCIES = "mixedCurrencies"
    INVENTED_COLUMN = "inventedColumn"
    INVENTED_TABLE = "inventedTable"
    ISO_DATE = "isoDate"
    """an ISO date against seconds since 1970"""
    MISSING_FILTER = "missingFilter"
    TRAPPED = "trapped"
    """the call that the question tempts to"""
    WRONG_FIGURE = "wrongFigure"
    SCALED_FIGURE = "scaledFigure"
    """rounded too coarsely, or told in thousands without a word"""
    SWAPPED_LABEL = "swappedLabel"
    PLACEHOLDER_LIST = "placeholderList"
    INCOMPLETE_LIST = "incompleteList"
    MISREPORTED_EMPTINESS = "misreportedEmptiness"
    """rows told as nothing, or nothing told as a figure"""
    ANSWERS_AFTER_ERROR = "answersAfterError"
    ANSWERS_WITHOUT_CALL = "answersWithoutCall"
    REPEATS_CALL = "repeatsCall"
    GIVES_UP = "givesUp"


CALL_MISTAKES = (
    Mistake.WRONG_PERIOD_ROW,
    Mistake.WRONG_YEAR,
    Mistake.WRONG_KIND,
    Mistake.TURNOVER_FOR_BALANCE,
    Mistake.SUMMED_BALANCE,
    Mistake.MIXED_CURRENCIES,
    Mistake.INVENTED_COLUMN,
    Mistake.INVENTED_TABLE,
    Mistake.ISO_DATE,
    Mistake.MISSING_FILTER,
    Mistake.TRAPPED,
)
"""In what is asked of the data: the check may refuse them."""
SENTENCE_MISTAKES = (
    Mistake.WRONG_FIGURE,
    Mistake.SCALED_FIGURE,
    Mistake.SWAPPED_LABEL,
    Mistake.PLACEHOLDER_LIST,
    Mistake.INCOMPLETE_LIST,
    Mistake.MISREPORTED_EMPTINESS,
)
"""In what is said about the result: the gate may hold them back."""
HABITS = tuple(each for each in Mistake if each not in CALL_MISTAKES + SENTENCE_MISTAKES)
"""In how the run goes."""
