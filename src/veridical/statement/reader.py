"""Statements read: the tokenizer and the parser of each dialect, made once for each thread, and the
parts of a tree, walked once for all who look at them."""

from functools import lru_cache
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
    for name in (
        *("bigquery", "clickhouse", "duckdb", "mysql", "postgres", "snowflake", "spark", "sqlite"),
    )
}

PARSE_ERRORS = (
    SqlglotError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError,
)  # fmt: skip
"""Errors of sqlglot for a text that is no statement: its own, and those of its bugs."""
MAX_CHARACTERS = 20_000
_ANY_DIALECT = ("postgres", "duckdb", "mysql", "sqlite", "tsql", "bigquery", "snowflake", "oracle")
_NO_NODES = frozenset({type(None), bool, str, int})
"""Types of the values in trees that are no nodes: a set is quicker than ``isinstance``."""
_REMEMBERED = 4096
"""Sets of forms: most statements are made of the same few."""


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


def parsed(sql: str, dialect: str | None = None) -> exp.Expr | None:
    """The one statement in a text, by the first grammar that reads it; none where there are
    several, or where no grammar reads it."""
    if len(sql) > MAX_CHARACTERS:
        return None
    for name in (dialect,) if dialect else _ANY_DIALECT:
        try:
            reader = reader_of(name)
            trees = reader.statements(reader.tokens(sql), sql)
        except PARSE_ERRORS:
            continue
        return trees[0] if len(trees) == 1 else None
    return None


def nodes_of(tree: exp.Expr) -> list[exp.Expr]:
    """All parts of a tree, itself first, level by level as ``walk`` has them."""
    level = [tree]
    found = [tree]
    while level:
        below: list[exp.Expr] = []
        for node in level:
            for value in node.args.values():
                kind = type(value)
                if kind in _NO_NODES:
                    continue
                if kind is list:
                    below += [each for each in value if isinstance(each, exp.Expr)]
                elif isinstance(value, exp.Expr):
                    below.append(value)
        found += below
        level = below
    return found


def with_subkinds(*kinds: type[exp.Expr]) -> frozenset[type[exp.Expr]]:
    """These kinds and all their subclasses, as a set for fast lookup."""
    below = (each for kind in kinds for each in with_subkinds(*kind.__subclasses__()))
    return frozenset((*kinds, *below))


def inside(node: exp.Expr, around: frozenset[type[exp.Expr]]) -> exp.Expr:
    """The expression within brackets and within these kinds."""
    node = node.unnest()
    while type(node) in around:
        node = node.this.unnest()
    return node


@lru_cache(_REMEMBERED)
def has_any(types: frozenset[type[exp.Expr]], wanted: tuple[type[exp.Expr], ...]) -> bool:
    """True when one of the types is of a wanted kind."""
    return any(issubclass(each, wanted) for each in types)
