"""The results as a model reads them: each under its name, with its columns and first rows."""

from collections.abc import Sequence
from datetime import date

from veridical.evidence.table import Cell, EvidenceTable
from veridical.facts.kernel.judged import judged_by

_MOST_ROWS = 60


def list_results(tables: Sequence[EvidenceTable]) -> str:
    """All results as text."""
    return "\n\n".join(map(_listed, tables))


def _listed(table: EvidenceTable) -> str:
    arguments = ", ".join(f"{key}={_written(cell)}" for key, cell in table.held.items())
    head = f"{table.name}: {table.title or 'result'}" + (f" ({arguments})" if arguments else "")
    lines = [f"{head}, {_size(table)}"]
    conditions = {name: condition for _, name, condition in judged_by(table)}
    lines += [f"judgement {name}: {condition}" for name, condition in conditions.items()]
    lines.append(" | ".join(column.name for column in table.columns))
    lines += [" | ".join(map(_written, row)) for row in table.rows[:_MOST_ROWS]]
    if len(table.rows) > _MOST_ROWS:
        lines.append(f"… {len(table.rows) - _MOST_ROWS} more rows")
    return "\n".join(lines)


def _size(table: EvidenceTable) -> str:
    count = f"{len(table.rows)} rows"
    if table.truncated:
        whole = f" of {table.row_count}" if table.row_count else ""
        return f"the first {count}{whole}"
    return count


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return f"{cell:.6f}".rstrip("0").rstrip(".")
    return cell.isoformat() if isinstance(cell, date) else str(cell)
