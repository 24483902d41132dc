"""A query as people read and copy it: on lines of its own, with the values that it ran with."""

from sqlglot import exp, parse_one

from veridical.contracts.result import Receipt
from veridical.statement.driver import marked
from veridical.statement.reader import GRAMMARS, PARSE_ERRORS


def shown_sql(receipt: Receipt, dialect: str) -> str:
    """The query of a receipt; as it was recorded where it can't be read."""
    if not receipt.sql or dialect not in GRAMMARS:
        return receipt.sql
    values = [exp.convert(each).sql(dialect=dialect) for each in receipt.parameters]
    try:
        filled = marked(receipt.sql, dialect, lambda number: values[number - 1])
        return parse_one(filled, dialect=dialect).sql(dialect=dialect, pretty=True)
    except PARSE_ERRORS:
        return receipt.sql
