"""SQL text to one read-only statement, or to the reason why not."""

import logging
from collections.abc import Collection
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from veridical.check.dialects import DIALECTS
from veridical.check.facts import Problem
from veridical.check.sql.calls import called_functions
from veridical.check.sql.grammar import grammar_problem
from veridical.contracts.violation import Code

MAX_CHARACTERS = 20_000
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
    """sqlglot quotes a statement that it can't read; what users ask belongs in no log."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "unsupported syntax" not in str(record.msg)


logging.getLogger("sqlglot").addFilter(_KeepsStatementsOut())

# Before there is a second thread: sqlglot hands out a grammar that another thread is still loading,
# and the statement is then read by another one.
for _name in DIALECTS:
    Grammar.get_or_raise(_name)


@dataclass(frozen=True, slots=True)
class Statement:
    """A read-only statement, and the functions it calls as they are typed."""

    tree: exp.Query
    functions: list[str]
    double_quoted: frozenset[str]
    """The names written in double quotes, which some engines may take for text."""
    crosses: bool = False
    """True when it says CROSS somewhere: in some dialects the tree shows a comma as that."""


def parse(sql: str, dialect: str) -> Statement | Problem:
    """The one statement that this text is."""
    if len(sql) > MAX_CHARACTERS:
        return Problem(Code.TOO_COMPLEX, f"{len(sql)} characters")
    grammar = Grammar.get_or_raise(dialect)
    try:
        tokens = grammar.tokenize(sql)
        refused = _too_complex(tokens, grammar.parser_class.TYPE_TOKENS) or _acting_comment(tokens)
        refused = refused or grammar_problem(tokens, sql, dialect)
        if refused is not None:
            return refused
        parser = grammar.parser(error_level=ErrorLevel.IMMEDIATE)
        statements = [each for each in parser.parse(tokens, sql) if each is not None]
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
    return Statement(
        statement,
        called_functions(statement, tokens, sql, dialect),
        _double_quoted(tokens, sql),
        any(token.token_type is TokenType.CROSS for token in tokens),
    )


def forbidden_part(nodes: Collection[exp.Expr]) -> Problem | None:
    """The first part that would change something, or that leaves a value open."""
    if not any(issubclass(kind, _STOPPED) for kind in set(map(type, nodes))):
        return None
    for node in nodes:
        if isinstance(node, _FORBIDDEN):
            return Problem(Code.NOT_READ_ONLY, type(node).__name__.upper())
        if isinstance(node, exp.Placeholder | exp.Parameter):
            return Problem(Code.SYNTAX_ERROR, node.sql(), None, "parameter")
    return None


def _double_quoted(tokens: list[Token], sql: str) -> frozenset[str]:
    return frozenset(
        token.text
        for token in tokens
        if token.token_type is TokenType.IDENTIFIER and sql[token.start] == '"'
    )


def _too_complex(tokens: list[Token], types: Collection[TokenType]) -> Problem | None:
    """Too long, too deep, or too much to read.

    What follows the name of a type in parentheses or brackets, sqlglot reads twice, first as a
    type and then as a value, and so doubles its effort with every level.
    """
    if len(tokens) > MAX_TOKENS:
        return Problem(Code.TOO_COMPLEX, f"{len(tokens)} tokens")
    deepest = effort = typed = 0
    levels: list[bool] = []
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
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


def _acting_comment(tokens: list[Token]) -> Problem | None:
    """A comment that some engines run or obey: ``/*! … */``, ``/*M! … */``, ``/*+ … */``."""
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
