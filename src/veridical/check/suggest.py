"""The column that a query may have meant, in a table that it does not read."""

from collections.abc import Iterable

from veridical.ontology.catalog import Catalog, TableCard


def column_elsewhere(name: str, here: Iterable[TableCard], catalog: Catalog) -> str | None:
    """``Table.column`` for a column of this name in a table that the query does not read.

    Tables that a declared join reaches come first.
    """
    reached = [join.target for table in here for join in table.joins]
    for table_name in (*reached, *catalog.tables):
        table = catalog.table(table_name)
        column = table.column(name) if table else None
        if table and column:
            return f"{table.name}.{column.name}"
    return None
