"""SQL text to one read-only statement, or to the reason why not."""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from veridical.check.facts import Problem
from veridical.check.sql.calls import called_functions
from veridical.check.sql.grammar import grammar_problem
from veridical.contracts.violation import Code
from veridical.statement.reader import MAX_CHARACTERS, has_any, nodes_of, reader_of

MAX_TOKENS = 3_000
MAX_DEPTH = 60

MAX_EFFORT = 40_000
"""Tokens to read, those counted several times that are read several times."""
_OPENERS = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSERS = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_FORBIDDEN = (
    exp.Insert,
    exp.Update,
    exp.Delete,
    exp.Merge,
    exp.DDL,
    exp.Command,
    exp.Into,
    exp.Set,
    exp.Use,
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
    exp.Describe,
    exp.Pragma,
    exp.Copy,
    exp.Kill,
)
_STOPPED = (*_FORBIDDEN, exp.Placeholder, exp.Parameter)


class _KeepsStatementsOut(logging.Filter):
    """Drops messages of sqlglot that quote a statement: questions of users belong in no log."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "unsupported syntax" not in str(record.msg)


logging.getLogger("sqlglot").addFilter(_KeepsStatementsOut())


@dataclass(frozen=True, slots=True)
class Statement:
    """A read-only statement, and the functions it calls as they are typed."""

    tree: exp.Query
    nodes: list[exp.Expr]
    """All parts of the tree."""
    types: frozenset[type[exp.Expr]]
    """The types of the nodes."""
    functions: list[str]
    double_quoted: frozenset[str]
    """The names written in double quotes, which some engines may take for text."""
    crosses: bool = False
    """True when it has the word CROSS: in some dialects the tree shows a comma as that."""


def parse(sql: str, dialect: str) -> Statement | Problem:
    """The one statement that this text is."""
    if len(sql) > MAX_CHARACTERS:
        return Problem(Code.TOO_COMPLEX, f"{len(sql)} characters")
    reader = reader_of(dialect)
    try:
        tokens = reader.tokens(sql)
        kinds = [token.token_type for token in tokens]
        refused = _too_complex(kinds, reader.types) or _acting_comment(tokens, sql)
        refused = refused or grammar_problem(tokens, kinds, dialect)
        if refused is not None:
            return refused
        statements = reader.statements(tokens, sql)
    except RecursionError:
        return Problem(Code.TOO_COMPLEX, "nesting")
    except SqlglotError as error:
        return Problem(Code.SYNTAX_ERROR, _where(error))
    except (ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        # sqlglot is lenient in its grammar and not hardened against nonsense
        return Problem(Code.SYNTAX_ERROR, type(error).__name__)
    if len(statements) != 1:
        return Problem(Code.SYNTAX_ERROR, f"{len(statements)} statements", None, "one_statement")
    statement = statements[0]
    if not isinstance(statement, exp.Query) or isinstance(statement, _FORBIDDEN):
        return Problem(Code.NOT_READ_ONLY, type(statement).__name__.upper())
    if dialect == "sqlite":
        _write_out_tables(statement)
    nodes = nodes_of(statement)
    types = frozenset(map(type, nodes))
    return Statement(
        statement,
        nodes,
        types,
        called_functions(nodes, types, tokens, sql, dialect),
        _double_quoted(tokens, sql),
        TokenType.CROSS in kinds,
    )


def _write_out_tables(statement: exp.Query) -> None:
    """``x IN t`` of SQLite as ``x IN (SELECT * FROM t)``: then t is read as any table is."""
    for node in statement.find_all(exp.In):
        named = node.args.get("field")
        if isinstance(named, exp.Column) and not named.table:
            node.set("query", exp.select("*").from_(exp.Table(this=named.this)).subquery())
            node.set("field", None)


def forbidden_part(nodes: Iterable[exp.Expr], types: frozenset[type[exp.Expr]]) -> Problem | None:
    """The first part that would change something, or that leaves a value open."""
    if not has_any(types, _STOPPED):
        return None
    for node in nodes:
        if isinstance(node, _FORBIDDEN):
            return Problem(Code.NOT_READ_ONLY, type(node).__name__.upper())
        if isinstance(node, exp.Placeholder | exp.Parameter):
            return Problem(Code.SYNTAX_ERROR, node.sql(), None, "parameter")
    return None


def _double_quoted(tokens: list[Token], sql: str) -> frozenset[str]:
    if '"' not in sql:
        return frozenset()
    return frozenset(
        token.text
        for token in tokens
        if token.token_type is TokenType.IDENTIFIER and sql[token.start] == '"'
    )


def _too_complex(kinds: list[TokenType], types: Collection[TokenType]) -> Problem | None:
    """Too long, too deep, or too much to read.

    What follows the name of a type in parentheses or brackets, sqlglot reads twice, first as a
    type and then as a value, and so doubles its effort with every level.
    """
    if len(kinds) > MAX_TOKENS:
        return Problem(Code.TOO_COMPLEX, f"{len(kinds)} tokens")
    most = sum(map(kinds.count, _OPENERS))
    if most <= MAX_DEPTH and len(kinds) << most <= MAX_EFFORT:
        return None  # were each of them within all others, and the name of a type before it
    deepest = effort = typed = 0
    levels: list[bool] = []
    before: TokenType | None = None
    for kind in kinds:
        if kind in _OPENERS:
            levels.append(before in types)
            typed += levels[-1]
            deepest = max(deepest, len(levels))
        elif kind in _CLOSERS and levels:
            typed -= levels.pop()
        effort += 1 << min(typed, MAX_DEPTH)
        before = kind
    if deepest > MAX_DEPTH:
        return Problem(Code.TOO_COMPLEX, f"{deepest} levels")
    return Problem(Code.TOO_COMPLEX, "nesting") if effort > MAX_EFFORT else None


def _acting_comment(tokens: list[Token], sql: str) -> Problem | None:
    """A comment that some engines run or obey: ``/*! … */``, ``/*M! … */``, ``/*+ … */``."""
    if "!" not in sql and "+" not in sql:
        return None
    for token in tokens:
        if any(comment.startswith(("!", "M!", "+")) for comment in token.comments):
            return Problem(Code.SYNTAX_ERROR, "/*", None, "form")
    return None


def _where(error: SqlglotError) -> str:
    details = getattr(error, "errors", None)
    if details:
        found = details[0].get("highlight")
        if found:
            return str(found)[:40]
    return str(error).splitlines()[0][:40] if str(error) else "?"
