"""The numbered parameters of a written statement, marked as a driver wants them."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from sqlglot.tokenizer_core import TokenType

from veridical.statement.reader import reader_of


class Place(NamedTuple):
    """Where a parameter stands in the text, and its number."""

    start: int
    end: int
    number: int


def parameters_in(sql: str, dialect: str) -> list[Place]:
    """The parameters of a statement, by its tokens: a text may hold whatever looks like one."""
    tokens = reader_of(dialect).tokens(sql)
    return [
        Place(sign.start, number.end + 1, int(number.text))
        for sign, number in pairwise(tokens)
        if sign.token_type is TokenType.PARAMETER and number.token_type is TokenType.NUMBER
    ]


def marked(sql: str, dialect: str, mark: Callable[[int], str]) -> str:
    """The statement with ``mark(n)`` wherever it has the parameter n."""
    return with_marks(sql, parameters_in(sql, dialect), mark)


def with_marks(
    sql: str, places: Sequence[Place], mark: Callable[[int], str], percent: str = "%"
) -> str:
    """The statement with ``mark(n)`` for each parameter, and ``percent`` for each sign of it."""
    written: list[str] = []
    done = 0
    for place in places:
        written += [sql[done : place.start].replace("%", percent), mark(place.number)]
        done = place.end
    written.append(sql[done:].replace("%", percent))
    return "".join(written)
