"""The judgements of a table as conditions that a fact may name."""

from veridical.evidence.column import CellKind
from veridical.evidence.table import EvidenceTable
from veridical.ontology.judgement import TODAY, Judgement

Named = tuple[tuple[str, str, str], ...]
"""The label of a judgement, its own name, and its condition as an author would write it."""


def judged_by(table: EvidenceTable) -> Named:
    """Every judgement under its name and its labels, but for those that are names of columns."""
    taken = {column.name.casefold() for column in table.columns}
    return tuple(
        (called, judgement.name, condition)
        for judgement in table.judgements
        if (condition := _condition(judgement, table)) is not None
        for called in judgement.names
        if called.casefold() not in taken
    )


def judgement_of(table: EvidenceTable, name: str) -> Judgement | None:
    """The judgement of this name."""
    return next((each for each in table.judgements if each.name == name), None)


def _condition(judgement: Judgement, table: EvidenceTable) -> str | None:
    """None if the table lacks a column, or if today's date is unknown."""
    if any(table.column(name) is None for name in judgement.fields):
        return None
    limit = _quoted(judgement.limit_field) if judgement.limit_field else _limit(judgement, table)
    if limit is None:
        return None
    text = f"{_quoted(judgement.field)} {judgement.comparator} {limit}"
    return f"{text} and {_quoted(judgement.unless)} is null" if judgement.unless else text


def _limit(judgement: Judgement, table: EvidenceTable) -> str | None:
    limit = judgement.limit
    at = table.column(judgement.field)
    is_time = at is not None and table.columns[at].kind not in (CellKind.FIGURE, CellKind.FLAG)
    if limit == TODAY and is_time:
        return f"'{table.asked_on.isoformat()}'" if table.asked_on else None
    if isinstance(limit, bool):
        return "true" if limit else "false"
    if isinstance(limit, str):
        return "'" + limit.replace("'", "''") + "'"
    return f"{limit:.12g}" if limit is not None else None


def _quoted(name: str) -> str:
    return f'"{name}"'
