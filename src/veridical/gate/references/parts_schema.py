"""The JSON schema of an answer in parts, with the rows and columns that there are."""

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.evidence.table import Table
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.parse import is_rows, parse
from veridical.gate.kernel.value import EvaluationError
from veridical.gate.references.parts import LISTED, PartedAnswer

DEFINED = ("a", "b", "c", "d")
"""The names that an answer may define: more are read, these are offered."""
FORMATS = ("0", "1", "2", "0%", "1%", "m", "~", "+", "w", "h", "bare", "d", "month", "time")
_MOST_ROWS = 40
_BY_NAME = ("properties", "$defs")
"""Keys of a schema whose own keys are names."""
_UNSAID = frozenset({"title", "description", "default"})


def parts_schema(tables: Sequence[Table]) -> dict[str, Any]:
    """What a final answer about these tables looks like: no row and no column but theirs."""
    schema = _terse(PartedAnswer.model_json_schema())
    kinds = schema["$defs"]
    row = kinds["RowPart"]["properties"]
    names = [name for table in tables for name in row_names(table)]
    if names and len(names) <= _MOST_ROWS:
        row["row"]["enum"] = [*DEFINED, LISTED, *names]
    columns = dict.fromkeys(column.name for table in tables for column in table.columns)
    if columns:
        row["column"]["enum"] = list(columns)
    for kind in ("RowPart", "ValuePart"):
        kinds[kind]["properties"]["format"]["enum"] = list(FORMATS)
    kinds["Definition"]["properties"]["name"]["enum"] = list(DEFINED)
    kinds["ListPart"]["properties"]["name"]["enum"] = [LISTED]
    return schema


def row_names(table: Table) -> Iterator[str]:
    """Each row as an expression: by its name where that is its own, else by its place."""
    tables = {table.name: table}
    evaluator = Evaluator(tables)
    for place, row in enumerate(table.rows):
        named = f"{table.name}[{row[table.naming[0]]}]" if table.naming else ""
        try:
            found = parse(named, tables, {})
            is_own = is_rows(found) and evaluator.rows(found).rows == (place,)
        except EvaluationError:
            is_own = False
        yield named if is_own else f"{table.name}[#{place + 1}]"


def _terse(node: Any, *, is_schema: bool = True) -> Any:
    """Without titles and descriptions: a small model pays for every word."""
    if isinstance(node, list):
        return [_terse(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _terse(value, is_schema=key not in _BY_NAME)
        for key, value in node.items()
        if not (is_schema and key in _UNSAID)
    }
