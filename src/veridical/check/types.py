"""The types that a query may cast to. What is not listed is refused.

A cast calls the input function of its type, and that of ``regclass``, ``regrole`` or ``xml`` looks
things up or reads documents: none of these computes from its argument alone.
"""

from sqlglot import exp

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
