"""A call that this dialect does not have, as this dialect writes it: sqlglot translates, the
allow-list decides."""

from collections import Counter
from collections.abc import Iterator

from sqlglot import ErrorLevel, exp, parse_one
from sqlglot.tokenizer_core import TokenType

from veridical.check.dialects import DIALECTS
from veridical.check.facts import Problem
from veridical.check.sql.parse import parse
from veridical.statement.functions import allowed_functions
from veridical.statement.reader import PARSE_ERRORS, reader_of

_LONGEST = 300
"""Characters of one call: a hint has room for no more."""


def translated_call(sql: str, name: str, dialect: str) -> str | None:
    """The first call of this function in this dialect; none if there is no equivalent, or if the
    other dialects don't agree on its meaning."""
    written = call_text(sql, name, dialect)
    if written is None or len(written) > _LONGEST:
        return None
    found = Counter(_translations(written, dialect))
    best = found.most_common(2)
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return None
    return best[0][0]


def call_text(sql: str, name: str, dialect: str) -> str | None:
    """The first call of this function as it is written, up to its closing parenthesis."""
    tokens = reader_of(dialect).tokens(sql)
    for at, token in enumerate(tokens[:-1]):
        opens = tokens[at + 1].token_type is TokenType.L_PAREN
        if not opens or token.text.casefold() != name:
            continue
        depth = 0
        for each in tokens[at + 1 :]:
            depth += (each.token_type is TokenType.L_PAREN) - (each.token_type is TokenType.R_PAREN)
            if depth == 0:
                return sql[token.start : each.end + 1]
    return None


def _translations(written: str, dialect: str) -> Iterator[str]:
    """The call translated to this dialect from each other one, where it is permitted here."""
    for other in DIALECTS.keys() - {dialect}:
        try:
            tree = parse_one(written, read=other)
            if tree.find(exp.Anonymous, exp.Command) is not None:
                continue
            here = tree.sql(dialect=dialect, unsupported_level=ErrorLevel.RAISE)
        except PARSE_ERRORS:
            continue
        if _may_be_called(here, dialect):
            yield here


def _may_be_called(expression: str, dialect: str) -> bool:
    parsed = parse(f"SELECT {expression}", dialect)
    return not isinstance(parsed, Problem) and allowed_functions(dialect).issuperset(
        parsed.functions
    )
