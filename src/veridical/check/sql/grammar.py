"""Where sqlglot's grammar is more forgiving than the engine's: told from the tokens."""

from itertools import pairwise

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


def grammar_problem(tokens: list[Token], sql: str, dialect: str) -> Problem | None:
    """The first thing that the engine would not read, though sqlglot does."""
    if not tokens:
        return Problem(Code.SYNTAX_ERROR, "", None, "one_statement")
    if tokens[0].token_type not in _STARTS:
        return Problem(Code.NOT_READ_ONLY, tokens[0].text[:30])
    if any(token.token_type is TokenType.SEMICOLON for token in tokens[:-1]):
        return Problem(Code.SYNTAX_ERROR, ";", None, "one_statement")
    changing = _changing(tokens)
    if changing is not None:
        return changing
    return _misplaced_clause(tokens) or (_beyond_sqlite(tokens) if dialect == "sqlite" else None)


def _changing(tokens: list[Token]) -> Problem | None:
    """A statement that changes something, hidden in parentheses."""
    for before, token in pairwise(tokens):
        if token.token_type in _CHANGES and before.token_type is TokenType.L_PAREN:
            return Problem(Code.NOT_READ_ONLY, token.text[:30])
    return None


def _misplaced_clause(tokens: list[Token]) -> Problem | None:
    """WHERE after HAVING, JOIN after LIMIT, a clause twice, ORDER BY before UNION."""
    reached = [_NOT_STARTED]
    previous: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        if kind is TokenType.L_PAREN:
            reached.append(_NOT_STARTED)
        elif kind is TokenType.R_PAREN:
            if len(reached) > 1:
                reached.pop()
        elif kind in _SET_OPERATIONS:
            if reached[-1] >= _CLAUSES[TokenType.ORDER_BY]:
                return Problem(Code.SYNTAX_ERROR, f"ORDER BY … {token.text}"[:40])
            reached[-1] = _NOT_STARTED
        elif kind in _CLAUSES and not _is_distinct_from(kind, previous):
            rank = _CLAUSES[kind]
            at = reached[-1]
            if kind is TokenType.SELECT:
                reached[-1] = 0
            elif at != _NOT_STARTED:
                if rank < at or (rank == at and rank in _ONCE):
                    return Problem(Code.SYNTAX_ERROR, token.text.upper())
                reached[-1] = rank
        previous = kind
    return None


def _is_distinct_from(kind: TokenType, previous: TokenType | None) -> bool:
    return kind is TokenType.FROM and previous is TokenType.DISTINCT


def _beyond_sqlite(tokens: list[Token]) -> Problem | None:
    """Forms that SQLite does not have."""
    for index, token in enumerate(tokens):
        kind = token.token_type
        after = tokens[index + 1].token_type if index + 1 < len(tokens) else None
        quantified = kind in (TokenType.ANY, TokenType.ALL, TokenType.SOME)
        if quantified and after is TokenType.L_PAREN:
            return _unsupported(token)
        if kind in _SET_OPERATIONS and TokenType.L_PAREN in (after, _second(tokens, index)):
            return _unsupported(token)
        if kind in (TokenType.QUALIFY, TokenType.RLIKE, TokenType.LATERAL):
            return _unsupported(token)
        follows_table = kind in (TokenType.FROM, TokenType.JOIN)
        if follows_table and after in (TokenType.ORDER_BY, TokenType.GROUP_BY):
            return _unsupported(tokens[index + 1])
    return None


def _second(tokens: list[Token], index: int) -> TokenType | None:
    """What stands after ``UNION ALL``."""
    if index + 2 < len(tokens) and tokens[index + 1].token_type is TokenType.ALL:
        return tokens[index + 2].token_type
    return None


def _unsupported(token: Token) -> Problem:
    return Problem(Code.SYNTAX_ERROR, token.text.upper(), None, "dialect")
