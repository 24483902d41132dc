"""Snowflake's semantic views and semantic models in YAML."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sqlglot import exp

from veridical.contracts.schema import value_type_of
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    cardinality,
    guessed_type,
    sourced,
)
from veridical.ontology.importers.expression import parse_sql, plain_column
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lenient import children, unknown_keys
from veridical.ontology.importers.snowflake_metrics import add_metrics
from veridical.ontology.importers.snowflake_spec import (
    SnowflakeColumn,
    SnowflakeFile,
    SnowflakeTable,
)
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Cardinality,
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    Relation,
    Role,
)


def recognises(document: Mapping[str, Any]) -> bool:
    """True when a table has a base table."""
    return any("base_table" in table for table in children(document, "tables"))


def read(document: Mapping[str, Any]) -> SnowflakeFile:
    """The typed document. Raises ``pydantic.ValidationError``."""
    return SnowflakeFile.model_validate(document)


def build(files: Iterable[SnowflakeFile], draft: Draft) -> str | None:
    """Put these views into the draft; returns the first one's name."""
    views = list(files)
    for view in views:
        fields_by_entity = {table.name: _entity_fields(table, draft) for table in view.tables}
        draft.relations.extend(_relations(view, fields_by_entity, draft))
        add_metrics(view, fields_by_entity, draft)
        draft.entities.extend(_entity(table, fields_by_entity[table.name]) for table in view.tables)
        add_verified_queries(view, draft)
        instructions = (view.custom_instructions, *view.module_custom_instructions.values())
        draft.domain_hints.extend(text for text in instructions if text)
        for path, key in unknown_keys(view, view.name or "view"):
            draft.dropped(path, "key_unread", part=key)
    return next((view.name for view in views if view.name), None)


def _entity_fields(table: SnowflakeTable, draft: Draft) -> EntityFields:
    entity_fields = EntityFields()
    columns = (
        *((column, Role.DIMENSION) for column in table.dimensions),
        *((column, Role.TIME) for column in table.time_dimensions),
        *((column, Role.MEASURE) for column in table.facts),
    )
    for column, role in columns:
        plain = Field(
            name=column.name,
            role=role,
            type=value_type_of(column.data_type),
            description=column.description,
            synonyms=column.synonyms,
            sample_values=column.sample_values,
        )
        entity_fields.put(sourced(plain, column.expr))
        _add_enum(column, f"{table.name}.{column.name}", draft)
    return entity_fields


def _add_enum(column: SnowflakeColumn, path: str, draft: Draft) -> None:
    if column.is_enum and column.sample_values:
        rule = ConstraintRule.ALLOWED_VALUES
        draft.constraints.append(
            Constraint(applies_to=path, rule=rule, values=column.sample_values)
        )
        draft.kept(path, "closed_values")
    elif column.is_enum:
        draft.dropped(path, "enum_without_values")


def _entity(table: SnowflakeTable, entity_fields: EntityFields) -> Entity:
    is_snapshot = any(metric.non_additive_dimensions for metric in table.metrics)
    kind = guessed_type(bool(table.facts or table.metrics), is_snapshot)
    return Entity(
        name=table.name,
        semantic_type=kind,
        description=table.description,
        table=table.base_table.table or table.name,
        fields=tuple(entity_fields.fields.values()),
        keys=tuple(
            tuple(entity_fields.on_column(name) or name for name in key) for key in table.keys
        ),
        synonyms=table.synonyms,
    )


def _relations(
    view: SnowflakeFile, fields_by_entity: dict[str, EntityFields], draft: Draft
) -> Iterator[Relation]:
    keys = {table.name: table.keys for table in view.tables}
    for each in view.relationships:
        if each.left_table not in fields_by_entity or each.right_table not in fields_by_entity:
            draft.dropped(f"relationships.{each.name}", "relation_to_nowhere")
            continue
        near, far = fields_by_entity[each.left_table], fields_by_entity[each.right_table]
        left = [pair.left_column for pair in each.relationship_columns]
        declared = each.relationship_type.upper()
        yield Relation(
            from_entity=each.left_table,
            to_entity=each.right_table,
            cardinality=Cardinality(declared)
            if declared in set(Cardinality)
            else cardinality(left, keys[each.left_table]),
            via=tuple(
                f"{near.on_column(pair.left_column) or pair.left_column}="
                f"{far.on_column(pair.right_column) or pair.right_column}"
                for pair in each.relationship_columns
            ),
            name=each.name or None,
        )


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
