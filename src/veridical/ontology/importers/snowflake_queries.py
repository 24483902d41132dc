"""Snowflake's verified queries as canonical patterns over the tables behind the logical ones."""

from typing import Final

from sqlglot import exp

from veridical.ontology.importers.expression import parse_sql, plain_column
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.snowflake_spec import SnowflakeFile, SnowflakeTable
from veridical.ontology.model import CanonicalQueryPattern

_DIALECT: Final = "snowflake"
_LOGICAL: Final = "__"
"""Verified queries write a logical table with two underscores before its name."""


def add_verified_queries(view: SnowflakeFile, draft: Draft) -> None:
    """Put the verified queries into the draft, with their tables' real names."""
    tables = {table.name.casefold(): table for table in view.tables}
    renamed = any(_renames(table) for table in view.tables)
    for query in view.verified_queries:
        path = f"verified_queries.{query.name}"
        tree = parse_sql(query.sql, _DIALECT)
        if tree is None:
            draft.dropped(path, "verified_query_unreadable")
            continue
        for node in list(tree.find_all(exp.Table)):
            _to_base_table(node, tables)
        draft.patterns.append(
            CanonicalQueryPattern(
                intent=query.name,
                pattern={"tool": "executeSqlSafe", "sql": tree.sql(dialect=_DIALECT)},
                description=query.question,
                questions={"en": (query.question,)},
            )
        )
        if renamed:
            draft.approximated(path, "verified_query_logical")
        else:
            draft.kept(path, "verified_query")


def _to_base_table(node: exp.Table, tables: dict[str, SnowflakeTable]) -> None:
    table = tables.get(node.name.removeprefix(_LOGICAL).casefold())
    if table is None or not table.base_table.table:
        return
    if not node.alias:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(node.name)))
    node.set("this", exp.to_identifier(table.base_table.table))


def _renames(table: SnowflakeTable) -> bool:
    """True if the name of a logical column differs from its physical one, or it is computed."""
    columns = (*table.dimensions, *table.time_dimensions, *table.facts)
    return any(
        column.expr and (plain_column(column.expr) or "").casefold() != column.name.casefold()
        for column in columns
    )
