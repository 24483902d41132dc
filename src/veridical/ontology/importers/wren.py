"""WrenAI's MDL: models over tables, relationships, calculated columns, cubes, saved questions."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sqlglot import exp

from veridical.contracts.schema import value_type_of
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    guessed_type,
    join_pairs,
    sourced,
)
from veridical.ontology.importers.expression import parse_sql
from veridical.ontology.importers.imported import Draft, QuestionSql
from veridical.ontology.importers.lenient import children, unknown_keys
from veridical.ontology.importers.wren_measures import add_calculated, add_cube, is_computed
from veridical.ontology.importers.wren_spec import WrenColumn, WrenFile, WrenModel, snake_keys
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    Relation,
    Role,
)

_SOURCES: Final = frozenset({"table_reference", "ref_sql"})
_PARTS: Final = {"model": "models", "cube": "cubes", "view": "views"}
_WHOLE_KEYS: Final = frozenset(
    {"layout_version", "$schema", "schema_version", "profile", "version"}
)


def recognises(document: Mapping[str, Any]) -> bool:
    """True for a manifest, and for each file of a project."""
    plain = snake_keys(document)
    if any(_SOURCES & set(model) for model in children(plain, "models")):
        return True
    if any({"models", "join_type"} <= set(each) for each in children(plain, "relationships")):
        return True
    if any({"nl", "sql"} <= set(pair) for pair in children(plain, "pairs")):
        return True
    return {"name", "data_source"} <= set(plain) or _part(plain) is not None


def read(document: Mapping[str, Any]) -> WrenFile:
    """The typed document. Raises ``pydantic.ValidationError``."""
    plain = snake_keys(document)
    part = _part(plain)
    whole = {_PARTS[part]: [plain]} if part else plain
    return WrenFile.model_validate({k: v for k, v in whole.items() if k not in _WHOLE_KEYS})


def _part(plain: Mapping[str, Any]) -> str | None:
    """The kind of the only part in a project file: model, cube or view."""
    if "columns" in plain and _SOURCES & set(plain):
        return "model"
    if {"base_object", "measures"} <= set(plain):
        return "cube"
    return "view" if {"name", "statement"} <= set(plain) else None


def build(files: Iterable[WrenFile], draft: Draft) -> str | None:
    """Put all models and everything based on them into the draft; returns the project's name."""
    parts = list(files)
    models = [model for file in parts for model in file.models]
    dialect = next((file.dialect for file in parts if file.dialect), None)
    draft.dialect = dialect or ""
    enums = {each.name: each for file in parts for each in file.enum_definitions}
    fields_by_entity = {model.name: _entity_fields(model, dialect) for model in models}
    for model in models:
        for column in model.columns:
            if column.is_calculated and is_computed(column.expression, dialect):
                add_calculated(column, model, draft, dialect)
            elif column.type in enums:
                values = tuple(each.value or each.name for each in enums[column.type].values)
                _add_enum(f"{model.name}.{column.name}", values, draft)
    for cube in (cube for file in parts for cube in (*file.cubes, *file.metrics)):
        add_cube(cube, fields_by_entity, draft, dialect)
    draft.entities.extend(_entity(model, fields_by_entity[model.name], draft) for model in models)
    draft.relations.extend(_relations(parts, fields_by_entity, draft))
    add_pairs(parts, models, fields_by_entity, draft, dialect)
    for file in parts:
        for path, key in unknown_keys(file, file.name or "mdl"):
            draft.dropped(path, "key_unread", part=key)
    return next((file.name for file in parts if file.name), None)


def _entity_fields(model: WrenModel, dialect: str | None) -> EntityFields:
    """The columns of its rows, without relationships and without computed ones."""
    entity_fields = EntityFields()
    for column in model.columns:
        elsewhere = column.is_calculated and is_computed(column.expression, dialect)
        if not column.relationship and not elsewhere:
            field = _field(column, is_key=column.name in model.key)
            entity_fields.put(sourced(field, column.expression or None))
    return entity_fields


def _field(column: WrenColumn, *, is_key: bool) -> Field:
    kind = value_type_of(column.type)
    named = column.properties.display_name
    return Field(
        name=column.name,
        role=Role.KEY if is_key else Role.TIME if kind.is_temporal else Role.DIMENSION,
        type=kind,
        description=column.properties.description,
        synonyms=(named,) if named and named != column.name else (),
    )


def _add_enum(path: str, values: tuple[str, ...], draft: Draft) -> None:
    if not values:
        draft.dropped(path, "enum_without_values")
        return
    rule = ConstraintRule.ALLOWED_VALUES
    draft.constraints.append(Constraint(applies_to=path, rule=rule, values=values))
    draft.kept(path, "closed_values")


def _entity(model: WrenModel, entity_fields: EntityFields, draft: Draft) -> Entity:
    if not model.key:
        draft.approximated(model.name, "no_key")
    table = model.table_reference.table or None
    if table is None:
        draft.approximated(f"{model.name}.refSql", "query_source")
    has_measures = any(each.role is Role.MEASURE for each in entity_fields.fields.values())
    named = model.properties.display_name
    return Entity(
        name=model.name,
        semantic_type=guessed_type(has_measures),
        description=model.properties.description,
        table=table,
        fields=tuple(entity_fields.fields.values()),
        keys=(model.key,) if model.key else (),
        synonyms=(named,) if named and named != model.name else (),
    )


def _relations(
    parts: list[WrenFile], fields_by_entity: Mapping[str, EntityFields], draft: Draft
) -> Iterator[Relation]:
    for each in (each for file in parts for each in file.relationships):
        path = f"relationships.{each.name}"
        kind = each.join_type.upper()
        known = len(each.models) == 2 and set(each.models) <= set(fields_by_entity)
        if not known or kind not in set(Cardinality):
            draft.dropped(path, "relation_to_nowhere")
            continue
        near, far = each.models
        via = join_pairs(each.condition, near, far, fields_by_entity)
        if via is None:
            draft.approximated(path, "join_unreadable", sql=each.condition)
        yield Relation(
            from_entity=near,
            to_entity=far,
            cardinality=Cardinality(kind),
            via=via or (),
            name=each.name,
        )


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
