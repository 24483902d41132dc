"""The tokenizer and the parser of each dialect, made once for each thread that reads statements."""

from threading import local

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.tokens import Tokenizer

# Before there is a second thread: sqlglot hands out a grammar that another thread is still loading,
# and the statement is then read, or written and kept, by another one.
GRAMMARS: dict[str, Grammar] = {
    name: Grammar.get_or_raise(name)
    for name in ("bigquery", "clickhouse", "duckdb", "mysql", "postgres", "snowflake", "sqlite")
}

PARSE_ERRORS = (
    SqlglotError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError,
)  # fmt: skip
"""What sqlglot raises for a text that is no statement: its own errors, and where it stumbles."""


class Reader:
    """Reads one statement after another. Both parts forget what was before with each of them."""

    def __init__(self, dialect: str) -> None:
        grammar = Grammar.get_or_raise(dialect)
        self._tokenizer: Tokenizer = grammar.tokenizer()
        self._parser: Parser = grammar.parser(error_level=ErrorLevel.IMMEDIATE)
        self.types: set[TokenType] = grammar.parser_class.TYPE_TOKENS
        """The names of types."""

    def tokens(self, sql: str) -> list[Token]:
        """The words of a text. Raises ``SqlglotError``."""
        return self._tokenizer.tokenize(sql)

    def statements(self, tokens: list[Token], sql: str) -> list[exp.Expr]:
        """The trees of these words. Raises ``SqlglotError``, and what else sqlglot stumbles on."""
        return [each for each in self._parser.parse(tokens, sql) if each is not None]


class _Readers(local):
    """Those of one thread."""

    def __init__(self) -> None:
        self.known: dict[str, Reader] = {}


_READERS = _Readers()


def reader_of(dialect: str) -> Reader:
    """This thread's reader of a dialect."""
    found = _READERS.known.get(dialect)
    if found is None:
        found = _READERS.known[dialect] = Reader(dialect)
    return found
