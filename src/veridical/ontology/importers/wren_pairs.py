"""MDL's saved questions: SQL over models, rewritten over their tables."""

from collections.abc import Iterable, Mapping

from sqlglot import exp

from veridical.ontology.importers.entity_fields import EntityFields
from veridical.ontology.importers.expression import parse_sql
from veridical.ontology.importers.imported import Draft, QuestionSql
from veridical.ontology.importers.wren_spec import WrenFile, WrenModel


def add_pairs(
    files: Iterable[WrenFile],
    models: Iterable[WrenModel],
    fields_by_entity: Mapping[str, EntityFields],
    draft: Draft,
    dialect: str | None,
) -> None:
    """Put the questions that have SQL into the draft; a view without one is noted as lost."""
    tables = {each.name: each.table_reference.table for each in models}
    for file in files:
        pairs = [(f"pairs.{each.question}", each.question, each.sql) for each in file.pairs]
        for view in file.views:
            if view.properties.question:
                pairs.append((f"views.{view.name}", view.properties.question, view.statement))
            else:
                draft.dropped(f"views.{view.name}", "named_query")
        for path, question, sql in pairs:
            tree = parse_sql(sql, dialect)
            if tree is None:
                draft.dropped(path, "verified_query_unreadable")
                continue
            _to_tables(tree, tables, fields_by_entity)
            draft.pairs.append(QuestionSql(question, tree.sql(dialect=dialect)))
            draft.kept(path, "gold_draft")


def _to_tables(
    tree: exp.Expr, tables: Mapping[str, str], fields_by_entity: Mapping[str, EntityFields]
) -> None:
    """Models become tables under the model's name, fields become columns."""
    models: dict[str, str] = {}
    for node in list(tree.find_all(exp.Table)):
        if tables.get(node.name):
            models[node.alias_or_name] = node.name
            if tables[node.name] != node.name and not node.alias:
                node.set("alias", exp.TableAlias(this=exp.to_identifier(node.name)))
            node.set("this", exp.to_identifier(tables[node.name]))
            node.set("db", None)
            node.set("catalog", None)
    for column in tree.find_all(exp.Column):
        sole = next(iter(models.values())) if len(models) == 1 and not column.table else ""
        fields = fields_by_entity.get(models.get(column.table, sole))
        if fields is not None and (real := fields.column_of(column.name)) != column.name:
            column.set("this", exp.to_identifier(real))
