"""Statements in the style of a database driver: their numbered parameters marked and bound."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from veridical.contracts.statement import Bound, ParamStyle, Statement
from veridical.statement.emit import written
from veridical.statement.reader import reader_of

STYLES: dict[str, ParamStyle] = {
    "duckdb": ParamStyle.DOLLAR,
    "mysql": ParamStyle.FORMAT,
    "postgres": ParamStyle.FORMAT,
    "snowflake": ParamStyle.FORMAT,
}
"""The parameter style of a dialect's usual Python driver; ``?`` for all others."""
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


class ParameterPlace(NamedTuple):
    """The place of a parameter in the text, and its number."""

    start: int
    end: int
    number: int


def parameters_in(sql: str, dialect: str) -> list[ParameterPlace]:
    """The parameters of a statement, by its tokens: a text may hold something like one."""
    tokens = reader_of(dialect).tokens(sql)
    found: list[ParameterPlace] = []
    for place, (sign, number) in enumerate(pairwise(tokens)):
        end = number.end
        if sign.token_type is TokenType.PARAMETER and number.token_type is TokenType.L_BRACE:
            number, closing = tokens[place + 2 : place + 4]  # Spark's are ${1}
            end = closing.end
        if sign.token_type is TokenType.PARAMETER and number.token_type is TokenType.NUMBER:
            found.append(ParameterPlace(sign.start, end + 1, int(number.text)))
    return found


def marked(sql: str, dialect: str, mark: Callable[[int], str]) -> str:
    """The statement with ``mark(n)`` in place of each parameter n."""
    return with_marks(sql, parameters_in(sql, dialect), mark)


def with_marks(
    sql: str, places: Sequence[ParameterPlace], mark: Callable[[int], str], percent: str = "%"
) -> str:
    """The statement with ``mark(n)`` for each parameter, and ``percent`` for each sign of it."""
    written: list[str] = []
    done = 0
    for place in places:
        written += [sql[done : place.start].replace("%", percent), mark(place.number)]
        done = place.end
    written.append(sql[done:].replace("%", percent))
    return "".join(written)


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
