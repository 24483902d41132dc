"""Statements in the style of the host's own database driver."""

import re
from collections.abc import Iterator
from decimal import Decimal

from sqlglot import exp

from veridical.contracts.statement import Bound, ParamStyle, Statement

STYLES: dict[str, ParamStyle] = {
    "duckdb": ParamStyle.DOLLAR,
    "mysql": ParamStyle.FORMAT,
    "postgres": ParamStyle.FORMAT,
    "snowflake": ParamStyle.FORMAT,
}
"""What the usual Python driver of a dialect takes; ``?`` for all others."""
_NO_DECIMALS = frozenset({"sqlite"})
_MARKS = {
    ParamStyle.DOLLAR: "${}",
    ParamStyle.QMARK: "?",
    ParamStyle.FORMAT: "%s",
    ParamStyle.PYFORMAT: "%(p{})s",
    ParamStyle.NAMED: ":p{}",
}
_EACH_TIME = frozenset({ParamStyle.QMARK, ParamStyle.FORMAT})
"""Marks without a number: a value that is used twice is bound twice."""
_PERCENT_IS_A_MARK = frozenset({ParamStyle.FORMAT, ParamStyle.PYFORMAT})


def written_for(
    tree: exp.Query, values: tuple[Bound, ...], dialect: str, style: ParamStyle
) -> Statement:
    """The tree as SQL, its numbered parameters marked and bound as a driver wants them.

    The tree is changed in place.
    """
    stand_in = _unused_word(tree.sql(dialect))
    for node in list(tree.find_all(exp.Parameter)):
        node.replace(exp.Var(this=f"{stand_in}{node.this.name}_"))
    pieces = re.split(rf"{stand_in}(\d+)_", tree.sql(dialect))
    numbers = [int(number) for number in pieces[1::2]]
    bound = [values[number - 1] for number in numbers] if style in _EACH_TIME else list(values)
    marks = (_MARKS[style].format(number) for number in numbers)
    doubled = style in _PERCENT_IS_A_MARK
    texts = (text.replace("%", "%%") if doubled else text for text in pieces[::2])
    return Statement("".join(_alternating(texts, marks)), tuple(_plain(bound, dialect)))


def _unused_word(sql: str) -> str:
    """A word that the statement does not contain, whatever somebody wrote into it."""
    word = "parameter_"
    while word in sql:
        word += "x_"
    return word


def _alternating(texts: Iterator[str], marks: Iterator[str]) -> Iterator[str]:
    for text in texts:
        yield text
        yield next(marks, "")


def _plain(values: list[Bound], dialect: str) -> Iterator[Bound]:
    for value in values:
        whole = dialect not in _NO_DECIMALS or not isinstance(value, Decimal)
        yield value if whole else float(value)
