"""SQL text to one read-only statement, or to the reason why not."""

import logging
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from veridical.check.dialects import DIALECTS
from veridical.check.facts import Problem
from veridical.check.sql.grammar import grammar_problem
from veridical.contracts.violation import Code

MAX_CHARACTERS = 20_000
MAX_TOKENS = 3_000
MAX_DEPTH = 60

_OPENERS = {TokenType.L_PAREN, TokenType.L_BRACKET}
_CLOSERS = {TokenType.R_PAREN, TokenType.R_BRACKET}
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


def parse(sql: str, dialect: str) -> Statement | Problem:
    """The one statement that this text is."""
    if len(sql) > MAX_CHARACTERS:
        return Problem(Code.TOO_COMPLEX, f"{len(sql)} characters")
    grammar = Grammar.get_or_raise(dialect)
    try:
        tokens = grammar.tokenize(sql)
        refused = _too_complex(tokens) or grammar_problem(tokens, sql, dialect)
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
    return Statement(statement, function_names(tokens), _double_quoted(tokens, sql))


def forbidden_part(statement: exp.Query) -> Problem | None:
    """The first part that would change something, or that leaves a value open."""
    for node in statement.walk():
        if isinstance(node, _FORBIDDEN):
            return Problem(Code.NOT_READ_ONLY, type(node).__name__.upper())
        if isinstance(node, exp.Placeholder | exp.Parameter):
            return Problem(Code.SYNTAX_ERROR, node.sql(), None, "parameter")
    return None


def function_names(tokens: list[Token]) -> list[str]:
    """Every word that stands before an opening parenthesis and is not part of the grammar.

    Taken from the tokens, since the tree forgets how a function was spelled.
    """
    names: list[str] = []
    for index in range(len(tokens) - 1):
        if tokens[index + 1].token_type is not TokenType.L_PAREN:
            continue
        token = tokens[index]
        if token.token_type in _GRAMMAR or not _is_word(token):
            continue
        before = tokens[index - 1].token_type if index else None
        if before not in _NAMES_FOLLOW and not _is_cte(tokens, index):
            names.append(token.text.casefold())
    return names


def _is_word(token: Token) -> bool:
    text = token.text
    return bool(text) and (text[0].isalpha() or text[0] == "_") and text.casefold() != "group"


def _is_cte(tokens: list[Token], index: int) -> bool:
    """``, name (columns) AS (`` names a CTE."""
    if tokens[index - 1].token_type is not TokenType.COMMA:
        return False
    for position in range(index + 2, min(index + 80, len(tokens) - 2)):
        if tokens[position].token_type is TokenType.R_PAREN:
            after = (tokens[position + 1].token_type, tokens[position + 2].token_type)
            return after == (TokenType.ALIAS, TokenType.L_PAREN)
    return False


def _double_quoted(tokens: list[Token], sql: str) -> frozenset[str]:
    return frozenset(
        token.text
        for token in tokens
        if token.token_type is TokenType.IDENTIFIER and sql[token.start] == '"'
    )


def _too_complex(tokens: list[Token]) -> Problem | None:
    if len(tokens) > MAX_TOKENS:
        return Problem(Code.TOO_COMPLEX, f"{len(tokens)} tokens")
    depth = deepest = 0
    for token in tokens:
        kind = token.token_type
        if kind in _OPENERS:
            depth += 1
            deepest = max(deepest, depth)
        elif kind in _CLOSERS:
            depth -= 1
    if deepest > MAX_DEPTH:
        return Problem(Code.TOO_COMPLEX, f"{deepest} levels")
    return None


def _where(error: SqlglotError) -> str:
    details = getattr(error, "errors", None)
    if details:
        found = details[0].get("highlight")
        if found:
            return str(found)[:40]
    return str(error).splitlines()[0][:40] if str(error) else "?"


_NAMES_FOLLOW = {
    TokenType.ALIAS,
    TokenType.DCOLON,
    TokenType.WITH,
    TokenType.RECURSIVE,
}
"""After these comes a name or a type, never a function."""
_GRAMMAR = {
    getattr(TokenType, name)
    for name in (
        "ALIAS", "ALL", "AND", "ANY", "ARRAY", "BETWEEN", "BY_DEFAULT", "CASE", "COLLATE",
        "CROSS", "CUBE", "DISTINCT", "DIV", "ELSE", "ESCAPE", "EXCEPT", "EXISTS", "FILTER",
        "FROM", "FULL", "GROUPING_SETS", "GROUP_BY", "HAVING", "ILIKE", "IN", "INNER", "INTERSECT",
        "INTERVAL", "IS", "JOIN", "LATERAL", "LIKE", "LIMIT", "MATERIALIZED", "NATURAL",
        "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER_BY", "OUTER", "OVER",
        "PARTITION_BY", "QUALIFY", "ROLLUP", "ROW", "ROWS", "SELECT", "SIMILAR_TO", "SOME",
        "THEN", "UNION", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH", "STRING", "NUMBER",
        "END", "TRUE", "FALSE", "DESC", "ASC",
    )
    if hasattr(TokenType, name)
}  # fmt: skip
"""Words of the grammar that a parenthesis may follow."""
