"""The forms and types that a statement may be made of. What is not listed is refused.

An allow-list, because each engine has forms that reach a function, a file or a setting without
looking like a call: ``OPERATOR(pg_catalog.+)``, ``(x).f``, ``COLUMNS('…')``, ``@stage``, ``$1``.
``x IN name`` is a column to one engine and a whole table to SQLite, for which it is written out.
A cast calls the input function of its type, and that of ``regclass`` or ``xml`` looks things up or
reads documents.
"""

import re
from collections.abc import Iterable

from sqlglot import exp

from veridical.check.facts import Problem
from veridical.contracts.violation import Code

_NUMBERS = """
    TINYINT SMALLINT MEDIUMINT INT BIGINT INT128 UTINYINT USMALLINT UINT UBIGINT UINT128
    FLOAT DOUBLE DECIMAL BIGDECIMAL DECFLOAT
"""
_TEXTS = "CHAR NCHAR VARCHAR NVARCHAR TEXT TINYTEXT MEDIUMTEXT LONGTEXT BPCHAR UUID"
_TIMES = """
    DATE DATE32 TIME TIMETZ DATETIME DATETIME2 TIMESTAMP TIMESTAMPNTZ TIMESTAMPLTZ TIMESTAMPTZ
    TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL YEAR
"""
_OTHERS = "BOOLEAN JSON JSONB VARIANT ARRAY LIST NULL"
ALLOWED_TYPES = frozenset(
    exp.DType[name] for name in " ".join((_NUMBERS, _TEXTS, _TIMES, _OTHERS)).split()
)
_SIZED = """
    numeric decimal number dec varchar character char text nchar nvarchar bpchar string varying
    timestamp timestamptz timestamp_ntz timestamp_ltz timestamp_tz time timetz datetime float
    double int integer bigint smallint tinyint real interval
"""
_WITH_SIZE = frozenset(_SIZED.split())
_QUERIES = """
    Select Subquery Union Except Intersect Values With CTE From Join Lateral Unnest Table TableAlias
    Where Group Having Qualify Order Ordered Limit Fetch LimitOptions Offset Distinct Rollup Cube
    GroupingSets TableSample Lock Into
"""
_OPERATORS = """
    Add Sub Mul Div IntDiv Mod Neg DPipe BitwiseAnd BitwiseOr BitwiseXor BitwiseNot
    BitwiseLeftShift BitwiseRightShift EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is In Between
    Like ILike Glob SimilarTo Escape Not Any All Paren Tuple Bracket AtTimeZone Overlaps
    RegexpLike RegexpILike Collate And Or Xor Exists
"""
_VALUES = """
    Column Identifier Literal Boolean Null Star Var Alias Interval IntervalSpan DataType
    DataTypeParam Window WindowSpec WithinGroup Filter IgnoreNulls RespectNulls Kwarg HavingMax
    Case If Cast TryCast JSONPath JSONPathRoot JSONPathKey JSONPathSubscript JSONExtract
    JSONExtractScalar Array
"""
_FOUND_ELSEWHERE = "Parameter Placeholder"
"""Refused by their own rule, with a reason of their own."""
_FORMS = tuple(
    getattr(exp, name)
    for name in " ".join((_QUERIES, _OPERATORS, _VALUES, _FOUND_ELSEWHERE)).split()
)
FORMS: frozenset[type[exp.Expr]] = frozenset(_FORMS)
_LOOKED_AT = {exp.DataType, exp.ObjectIdentifier, exp.PseudoType, exp.Select, exp.Star}
_PLAIN = FORMS - _LOOKED_AT - {exp.Var, exp.In}
"""Forms that are right at any place."""
_UNITS = """
    millennium century decade isoyear year quarter month isoweek week day dayofweek dayofweekiso
    dayofyear isodow dow doy weekday weekiso yearofweek yearofweekiso weekofyear hour minute second
    millisecond microsecond nanosecond epoch epoch_second epoch_millisecond timezone timezone_hour
    timezone_minute date time julian min sec mon yr hr qtr
    second_microsecond minute_microsecond minute_second hour_microsecond hour_second hour_minute
    day_microsecond day_second day_minute day_hour year_month
    monday tuesday wednesday thursday friday saturday sunday
"""
_PLURALS = frozenset(f"{word}s" for word in _UNITS.split())
WORDS = frozenset(_UNITS.split()) | _PLURALS | {"centuries", "millennia"}
"""Units of time and the names of arguments. sqlglot takes any text in their place for such a word,
quoted or not, and writes it as it is."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_PARTS = """
    with_ expressions distinct from_ joins laterals where group having windows qualify order limit
    offset locks into
"""
_SELECT_PARTS = frozenset(_PARTS.split())
_SHOWN = 40


def is_sized_type(word: str) -> bool:
    """True for a type that a parenthesis may follow: ``numeric(10, 2)``."""
    return word.casefold() in _WITH_SIZE


def refused_type(node: exp.Expr) -> str | None:
    """The type that this cast names, if a query may not cast to it."""
    if isinstance(node, exp.DataType):
        named = node.this
        if named in ALLOWED_TYPES or isinstance(named, exp.Interval):
            return None
        return _spelled(node)
    if isinstance(node, exp.ObjectIdentifier | exp.PseudoType):
        return str(node.this).casefold()
    return None


def _spelled(node: exp.DataType) -> str:
    return str(node.args.get("kind") or node.sql()).casefold()[:40]


def refused_form(nodes: Iterable[exp.Expr]) -> Problem | None:
    """The first part of a statement that is of no form, or casts to no type, that is known."""
    for node in nodes:
        if type(node) in _PLAIN:
            continue
        kind = refused_type(node)
        if kind is not None:
            return Problem(Code.FUNCTION_NOT_ALLOWED, kind, None, "type")
        if not isinstance(node, exp.Func) and type(node) not in FORMS and not _is_text_name(node):
            return _form(type(node).__name__)
        if isinstance(node, exp.Select) and not _SELECT_PARTS.issuperset(node.args):
            odd = [key for key, value in node.args.items() if value and key not in _SELECT_PARTS]
            if odd:
                return _form(odd[0])
        if isinstance(node, exp.Star) and _is_odd_star(node):
            return _form("*")
        if isinstance(node, exp.Var) and not _is_known_word(node):
            return _form(node.name[:_SHOWN])
        if isinstance(node, exp.In) and node.args.get("field") is not None:
            return _form("IN")
    return None


def _is_known_word(word: exp.Var) -> bool:
    """A unit or an argument's name; or a collation, whose names are the engine's own."""
    if isinstance(word.parent, exp.Collate):
        return _WORD.fullmatch(word.name) is not None
    return word.name.casefold() in WORDS


def _is_odd_star(star: exp.Star) -> bool:
    """``* REPLACE (…)``, ``* LIKE 'x'``: a star that is more than all columns or all rows."""
    changed = star.args.get("replace") or star.args.get("rename")
    return bool(changed) or not isinstance(star.parent, exp.Select | exp.Column | exp.Func)


def _form(name: str) -> Problem:
    return Problem(Code.SYNTAX_ERROR, name.strip("_").upper(), None, "form")


def _is_text_name(node: exp.Expr) -> bool:
    """``'table'.'column'``, which SQLite's users write."""
    parts = (node.this, node.args.get("expression")) if isinstance(node, exp.Dot) else ()
    return bool(parts) and all(isinstance(part, exp.Literal) for part in parts)
