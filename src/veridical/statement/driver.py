"""Statements in the style of the host's own database driver."""

from collections.abc import Iterator
from decimal import Decimal

from sqlglot import exp

from veridical.contracts.statement import Bound, ParamStyle, Statement
from veridical.statement.emit import written
from veridical.statement.parameters import parameters_in, with_marks

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

    The tree is used up.
    """
    sql = written(tree, dialect)
    found = parameters_in(sql, dialect)
    numbers = [each.number for each in found]
    bound = [values[number - 1] for number in numbers] if style in _EACH_TIME else list(values)
    double = style in _PERCENT_IS_A_MARK
    text = with_marks(sql, found, _MARKS[style].format, "%%" if double else "%")
    return Statement(text, tuple(_plain(bound, dialect)))


def _plain(values: list[Bound], dialect: str) -> Iterator[Bound]:
    for value in values:
        whole = dialect not in _NO_DECIMALS or not isinstance(value, Decimal)
        yield value if whole else float(value)
