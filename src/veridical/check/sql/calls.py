"""The functions that a statement calls: as its text spells them, and as its tree holds them.

Neither is enough alone. The tree forgets how a function was spelled and shows some as operators;
the text does not say whether ``name (`` is a call, a column list or a type. So a word before a
parenthesis is a call unless the tree proves it to be something else, and a function of the tree
is refused unless the allowed ones lead to one of its kind.
"""

from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from veridical.check.sql.forms import FORMS, is_sized_type
from veridical.statement.reader import has_any

_KEYWORD_FUNCTIONS = frozenset(
    {
        *("current_user", "session_user", "current_role", "current_catalog", "current_schema"),
        "system_user",
    }
)
"""Functions without parentheses that reveal the user or the database."""
_USERS = _KEYWORD_FUNCTIONS | {"user"}
"""In PostgreSQL a function as well; elsewhere a name like any other."""
_QUANTIFIERS = frozenset({"all", "any", "some"})
"""Words before a list that a value is compared with, which look like calls in the tree."""
_ANONYMOUS = (exp.Anonymous, exp.AnonymousAggFunc)
_HINT = "materialized"
_LABELS_FOLLOW = (TokenType.DOT, TokenType.ALIAS)
_OPENER, _NAME = TokenType.L_PAREN, TokenType.IDENTIFIER
"""Local names: an enumeration looks its members up each time."""


def called_functions(
    nodes: Sequence[exp.Expr],
    types: frozenset[type[exp.Expr]],
    tokens: list[Token],
    sql: str,
    dialect: str,
) -> list[str]:
    """Every function that either the text or the tree calls.

    ``nodes`` are all parts of the tree, and ``types`` are theirs.
    """
    if "(" in sql:
        named = _named_places(nodes) if exp.TableAlias in types else frozenset[int]()
        spelled = tuple(_before_parentheses(tokens, named))
    else:
        spelled = ()
    keywords = _keyword_functions(tokens, sql, dialect)
    unforeseen = _unforeseen(nodes, sql) if has_any(types - _FORESEEN, (exp.Func,)) else ()
    return list(dict.fromkeys((*spelled, *keywords, *unforeseen)))


def _before_parentheses(tokens: list[Token], named: frozenset[int]) -> Iterator[str]:
    for index, opener in enumerate(tokens[1:]):
        if opener.token_type is not _OPENER:
            continue
        token = tokens[index]
        if token.start in named:
            continue
        if token.token_type in GRAMMAR or not _is_word(token):
            continue
        before = tokens[index - 1].token_type if index else None
        if token.text.casefold() == _HINT and _follows_as(tokens, index):
            continue  # WITH t AS MATERIALIZED (…), AS NOT MATERIALIZED (…)
        if before not in _TYPES_FOLLOW or not is_sized_type(token.text):
            yield token.text.casefold()


def _follows_as(tokens: list[Token], index: int) -> bool:
    before = [each.token_type for each in tokens[max(index - 2, 0) : index]]
    return before[-1:] == [TokenType.ALIAS] or before == [TokenType.ALIAS, TokenType.NOT]


def _is_word(token: Token) -> bool:
    text = token.text
    if token.token_type is _NAME:
        return True
    return bool(text) and (text[0].isalpha() or text[0] == "_") and text.casefold() != "group"


def _named_places(nodes: Sequence[exp.Expr]) -> frozenset[int]:
    """The places of the names of column lists: ``WITH name (a, b)``, ``AS name (a, b)``."""
    aliases = (
        each for each in nodes if isinstance(each, exp.TableAlias) and each.args.get("columns")
    )
    names = (each.this for each in aliases if isinstance(each.this, exp.Identifier))
    starts = (name.meta.get("start") for name in names)
    return frozenset(start for start in starts if isinstance(start, int))


def _keyword_functions(tokens: list[Token], sql: str, dialect: str) -> Iterator[str]:
    words = _USERS if dialect == "postgres" else _KEYWORD_FUNCTIONS
    folded = sql.casefold()
    if not any(word in folded for word in words):
        return
    before: TokenType | None = None
    for token in tokens:
        quoted = token.token_type in (TokenType.IDENTIFIER, TokenType.STRING)
        if not quoted and token.text.casefold() in words and before not in _LABELS_FOLLOW:
            yield token.text.casefold()
        before = token.token_type


def _unforeseen(nodes: Sequence[exp.Expr], sql: str) -> Iterator[str]:
    """The functions of the tree that no allowed call leads to, by the name they are known under."""
    for node in nodes:
        kind = type(node)
        if kind in _FORESEEN or not isinstance(node, exp.Func):
            continue
        if isinstance(node, _ANONYMOUS):
            if node.name.casefold() not in _QUANTIFIERS:
                yield node.name.casefold()
        else:
            start, end = node.meta.get("start"), node.meta.get("end")
            written = sql[start : end + 1] if start is not None and end is not None else ""
            yield (written.strip('"`[]') or type(node).sql_name()).casefold()


_TYPES_FOLLOW = (TokenType.ALIAS, TokenType.DCOLON)
GRAMMAR = {
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
_KINDS = """
    Abs Acos AddMonths AnyValue ApproxDistinct ArgMax ArgMin ArrayAgg ArraySize ArrayToString Ascii
    Asin Atan Atan2 Avg Ceil Chr Coalesce Concat ConcatWs Contains Corr Cos Count CountIf CovarPop
    CovarSamp CumeDist CurrentDate CurrentTime CurrentTimestamp Date DateAdd DateDiff DateFromParts
    DateTrunc Day DayOfWeek Dayname Decode DecodeCase Degrees DenseRank EndsWith EqualNull Exp
    Explode ExplodingGenerateSeries Extract First FirstValue Floor Format GenerateSeries Greatest
    GroupConcat Hex Initcap IsNan JustifyDays Kurtosis Lag Last LastDay LastValue Lead Least Left
    Length Ln Localtime Localtimestamp Log LogicalAnd LogicalOr Lower MD5 MakeInterval Max Median
    Min Mode Month Monthname MonthsBetween NthValue Ntile Nullif Nvl2 Pad PercentRank
    PercentileCont PercentileDisc Pi Pow Quantile Quarter Radians Rand Rank RegexpExtract
    RegexpFullMatch RegexpReplace Repeat Replace Reverse Right Round RowNumber Sign Sin Skewness
    Split SplitPart Sqrt StartsWith Stddev StddevPop StddevSamp StrPosition StrToDate StrToTime
    Substring Sum Tan Time TimeToStr TimeToUnix Timestamp TimestampFromParts TimestampTrunc ToChar
    ToDouble ToNumber Translate Trim Trunc TsOrDsToDate TsOrDsToTime TsOrDsToTimestamp Typeof
    Unicode Uniform UnixToTime Upper Variance VariancePop Week Year
    """
FUNCTIONS: frozenset[type[exp.Expr]] = frozenset(getattr(exp, name) for name in _KINDS.split())
"""The kinds of nodes that the grammars make of the allowed functions."""
_FORESEEN = (FUNCTIONS | FORMS) - frozenset(_ANONYMOUS)
