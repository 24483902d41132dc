"""The rows behind a cube: a table, a table with a condition, or a query."""

from sqlglot import exp

from veridical.ontology.importers.cube_spec import Cube, is_by_user, plain_sql
from veridical.ontology.importers.expression import parse_sql
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.row_filter import add_row_filter


def table_of(cube: Cube, draft: Draft) -> str | None:
    """The cube's table; a condition on its rows becomes a rule, another query is noted."""
    if cube.sql_table:
        return cube.sql_table.rpartition(".")[2]
    if not cube.sql:
        return None
    path, text = f"{cube.name}.sql", " ".join(cube.sql.split())
    if is_by_user(text):
        draft.unprotected(path, "row_security", condition=text)
        return None
    tree = parse_sql(plain_sql(text, cube.name))
    if not isinstance(tree, exp.Select) or not _is_whole_table(tree):
        draft.approximated(path, "query_text", sql=text)
        return None
    if where := tree.args.get("where"):
        for column in where.find_all(exp.Column):
            column.set("table", None)
        add_row_filter(cube.name, where.this.sql(), path, draft)
    return tree.args["from_"].this.name


def _is_whole_table(query: exp.Select) -> bool:
    """True for ``SELECT * FROM table``, perhaps with a condition."""
    used = {key for key, value in query.args.items() if value}
    source = query.args.get("from_")
    return (
        used <= {"expressions", "from_", "where"}
        and query.is_star
        and len(query.expressions) == 1
        and source is not None
        and isinstance(source.this, exp.Table)
        and isinstance(source.this.this, exp.Identifier)
        and not any(query.find_all(exp.Subquery, exp.Func))
    )
