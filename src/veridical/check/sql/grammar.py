"""Errors that sqlglot's grammar forgives and the engine's does not, found in the tokens."""

from collections.abc import Set

from sqlglot.tokenizer_core import Token, TokenType

from veridical.check.facts import Problem
from veridical.contracts.violation import Code

_STARTS = {
    TokenType.SELECT,
    TokenType.WITH,
    TokenType.L_PAREN,
    TokenType.VALUES,
    TokenType.COMMENT,
}
_CLAUSES = {
    TokenType.SELECT: 0,
    TokenType.FROM: 1,
    TokenType.JOIN: 1,
    TokenType.WHERE: 2,
    TokenType.GROUP_BY: 3,
    TokenType.HAVING: 4,
    TokenType.QUALIFY: 5,
    TokenType.ORDER_BY: 6,
    TokenType.LIMIT: 7,
}
_ONCE = frozenset({2, 3, 4, 5, 6, 7})
_CHANGES = {
    TokenType.CREATE,
    TokenType.INSERT,
    TokenType.UPDATE,
    TokenType.DELETE,
    TokenType.MERGE,
    TokenType.DROP,
    TokenType.ALTER,
    TokenType.COPY,
    TokenType.TRUNCATE,
    TokenType.COMMAND,
    TokenType.SET,
}
_SET_OPERATIONS = {TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT}
_NOT_STARTED = -1
_PLACED = {TokenType.L_PAREN, TokenType.R_PAREN, *_SET_OPERATIONS, *_CLAUSES}
"""Tokens with a fixed place in a statement."""
_QUANTIFIERS = {TokenType.ANY, TokenType.ALL, TokenType.SOME}
_NOT_IN_SQLITE = {TokenType.QUALIFY, TokenType.RLIKE, TokenType.LATERAL}
_TABLES_FOLLOW = {TokenType.FROM, TokenType.JOIN}
_NO_TABLES = {TokenType.ORDER_BY, TokenType.GROUP_BY}
_DOUBTED = {*_QUANTIFIERS, *_SET_OPERATIONS, *_NOT_IN_SQLITE, *_TABLES_FOLLOW}
"""Tokens that SQLite may not read."""
_DOUBTFUL = frozenset({*_DOUBTED, *_NO_TABLES} - _TABLES_FOLLOW)
"""Without any of these, tables follow where they should."""
_OPENER, _CLOSER, _SELECT, _FROM = (
    TokenType.L_PAREN,
    TokenType.R_PAREN,
    TokenType.SELECT,
    TokenType.FROM,
)
"""Local names: an enumeration looks its members up each time."""
_LAST_PARTS = _CLAUSES[TokenType.ORDER_BY]


def grammar_problem(tokens: list[Token], kinds: list[TokenType], dialect: str) -> Problem | None:
    """The first thing that the engine would not read, though sqlglot does.

    ``kinds`` are those of the tokens.
    """
    if not tokens:
        return Problem(Code.SYNTAX_ERROR, "", None, "one_statement")
    if kinds[0] not in _STARTS:
        return Problem(Code.NOT_READ_ONLY, tokens[0].text[:30])
    present = frozenset(kinds)
    if TokenType.SEMICOLON in present and TokenType.SEMICOLON in kinds[:-1]:
        return Problem(Code.SYNTAX_ERROR, ";", None, "one_statement")
    changing = _changing(tokens, kinds, present)
    if changing is not None:
        return changing
    misplaced = _misplaced_clause(tokens, kinds)
    if misplaced is not None or dialect != "sqlite" or present.isdisjoint(_DOUBTFUL):
        return misplaced
    return _beyond_sqlite(tokens, kinds)


def _changing(
    tokens: list[Token], kinds: list[TokenType], present: Set[TokenType]
) -> Problem | None:
    """A statement that changes something, hidden in parentheses."""
    if present.isdisjoint(_CHANGES):
        return None
    for index, kind in enumerate(kinds[1:]):
        if kind in _CHANGES and kinds[index] is TokenType.L_PAREN:
            return Problem(Code.NOT_READ_ONLY, tokens[index + 1].text[:30])
    return None


def _misplaced_clause(tokens: list[Token], kinds: list[TokenType]) -> Problem | None:
    """WHERE after HAVING, JOIN after LIMIT, a clause twice, ORDER BY before UNION."""
    reached = [_NOT_STARTED]
    for index, kind in enumerate(kinds):
        if kind not in _PLACED:
            continue
        if kind is _OPENER:
            reached.append(_NOT_STARTED)
        elif kind is _CLOSER:
            if len(reached) > 1:
                reached.pop()
        elif kind in _SET_OPERATIONS:
            if reached[-1] >= _LAST_PARTS:
                return Problem(Code.SYNTAX_ERROR, f"ORDER BY … {tokens[index].text}"[:40])
            reached[-1] = _NOT_STARTED
        elif not _is_distinct_from(kinds, index):
            rank = _CLAUSES[kind]
            at = reached[-1]
            if kind is _SELECT:
                reached[-1] = 0
            elif at != _NOT_STARTED:
                if rank < at or (rank == at and rank in _ONCE):
                    return Problem(Code.SYNTAX_ERROR, tokens[index].text.upper())
                reached[-1] = rank
    return None


def _is_distinct_from(kinds: list[TokenType], index: int) -> bool:
    return kinds[index] is _FROM and index > 0 and kinds[index - 1] is TokenType.DISTINCT


def _beyond_sqlite(tokens: list[Token], kinds: list[TokenType]) -> Problem | None:
    """Forms that SQLite does not have."""
    for index, kind in enumerate(kinds):
        if kind not in _DOUBTED:
            continue
        after = kinds[index + 1] if index + 1 < len(kinds) else None
        if kind in _QUANTIFIERS and after is TokenType.L_PAREN:
            return _unsupported(tokens[index])
        if kind in _SET_OPERATIONS and TokenType.L_PAREN in (after, _second(kinds, index)):
            return _unsupported(tokens[index])
        if kind in _NOT_IN_SQLITE:
            return _unsupported(tokens[index])
        if kind in _TABLES_FOLLOW and after in _NO_TABLES:
            return _unsupported(tokens[index + 1])
    return None


def _second(kinds: list[TokenType], index: int) -> TokenType | None:
    """The token after ``UNION ALL``."""
    if index + 2 < len(kinds) and kinds[index + 1] is TokenType.ALL:
        return kinds[index + 2]
    return None


def _unsupported(token: Token) -> Problem:
    return Problem(Code.SYNTAX_ERROR, token.text.upper(), None, "dialect")
