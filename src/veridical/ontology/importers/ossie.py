"""Apache Ossie, formerly Open Semantic Interchange: datasets, relationships, metrics."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final

from pydantic import AliasChoices, BeforeValidator
from pydantic import Field as Pydantic

from veridical.contracts.schema import value_type_of
from veridical.ontology.importers.by_name import warn_by_name
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    cardinality,
    common_root,
    guard_sum,
    guessed_type,
    sourced,
)
from veridical.ontology.importers.expression import ADDITIVE, aggregate_of, columns_in
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lenient import Lenient, children, unknown_keys
from veridical.ontology.importers.ossie_extension import (
    VENDOR,
    Extension,
    declared_cardinality,
    digest,
    is_declared_sum,
    keep_rules,
    ontology_in,
    rules_in,
)
from veridical.ontology.model import (
    Entity,
    Field,
    Metric,
    MetricKind,
    OntologyDescriptor,
    Relation,
    Role,
)

_SQL_DIALECTS: Final = {
    "ANSI_SQL": None,
    "SNOWFLAKE": "snowflake",
    "DATABRICKS": "databricks",
    "BIGQUERY": "bigquery",
}


class _Context(Lenient):
    instructions: str = ""
    synonyms: tuple[str, ...] = ()


def _as_context(value: Any) -> Any:
    return {"instructions": value} if isinstance(value, str) else value


Context = Annotated[_Context, BeforeValidator(_as_context)]


class _Dialect(Lenient):
    dialect: str = "ANSI_SQL"
    expression: str


class _Expression(Lenient):
    dialects: tuple[_Dialect, ...] = ()

    @property
    def sql(self) -> tuple[str, str | None] | None:
        """The text and its sqlglot dialect: standard SQL first, None if there is no SQL."""
        written = {each.dialect: each.expression for each in self.dialects}
        known = (name for name in _SQL_DIALECTS if name in written)
        return next(((written[name], _SQL_DIALECTS[name]) for name in known), None)


class _Dimension(Lenient):
    is_time: bool = False


class _Field(Lenient):
    name: str
    expression: _Expression = _Expression()
    dimension: _Dimension | None = None
    label: str | None = None
    description: str = ""
    datatype: str = Pydantic(default="", validation_alias=AliasChoices("datatype", "data_type"))
    ai_context: Context = _Context()
    custom_extensions: tuple[Extension, ...] = ()


class _Dataset(Lenient):
    name: str
    source: str = ""
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    description: str = ""
    ai_context: Context = _Context()
    fields: tuple[_Field, ...] = ()
    custom_extensions: tuple[Extension, ...] = ()

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The primary key first, then the others, each once."""
        every = (self.primary_key, *self.unique_keys)
        return tuple(dict.fromkeys(key for key in every if key))


class _Relationship(Lenient):
    name: str
    near: str = Pydantic(validation_alias="from")
    far: str = Pydantic(validation_alias="to")
    from_columns: tuple[str, ...] = ()
    to_columns: tuple[str, ...] = ()
    ai_context: Context = _Context()
    custom_extensions: tuple[Extension, ...] = ()


class _Metric(Lenient):
    name: str
    expression: _Expression = _Expression()
    description: str = ""
    datatype: str = ""
    ai_context: Context = _Context()
    custom_extensions: tuple[Extension, ...] = ()


class _Model(Lenient):
    name: str
    description: str = ""
    ai_context: Context = _Context()
    datasets: tuple[_Dataset, ...] = ()
    relationships: tuple[_Relationship, ...] = ()
    metrics: tuple[_Metric, ...] = ()
    custom_extensions: tuple[Extension, ...] = ()
    digest: str = ""

    @property
    def extensions(self) -> tuple[Extension, ...]:
        """Those of the model and of everything in it."""
        parts = [self, *self.datasets, *(each for one in self.datasets for each in one.fields)]
        return tuple(each for part in parts for each in part.custom_extensions)


class OssieFile(Lenient):
    """One Ossie document."""

    semantic_model: tuple[_Model, ...] = ()


def recognises(document: Mapping[str, Any]) -> bool:
    """True when a semantic model has datasets."""
    return any("datasets" in model for model in children(document, "semantic_model"))


def read(document: Mapping[str, Any]) -> OssieFile:
    """The typed document. Raises ``pydantic.ValidationError``."""
    models = [{**model, "digest": digest(model)} for model in children(document, "semantic_model")]
    return OssieFile.model_validate({**document, "semantic_model": models})


def build(files: Iterable[OssieFile], draft: Draft) -> str | None:
    """Put all models of these files into the draft; returns the first one's name."""
    models = [model for file in files for model in file.semantic_model]
    if len(models) == 1 and (whole := _exported(models[0], draft)):
        draft.whole = whole
        draft.kept("custom_extensions", "ontology_restored")
        return models[0].name
    for model in models:
        if model.ai_context.instructions:
            draft.domain_hints.append(model.ai_context.instructions)
        fields_by_entity = {
            dataset.name: _entity_fields(dataset, draft) for dataset in model.datasets
        }
        draft.relations.extend(_relations(model, fields_by_entity, draft))
        for metric in model.metrics:
            _add_metric(metric, fields_by_entity, draft)
        for dataset in model.datasets:
            draft.entities.append(_entity(dataset, fields_by_entity[dataset.name], draft))
        keep_rules(rules_in(model.extensions, draft), draft)
        _note_extensions(model, draft)
        for path, key in unknown_keys(model, model.name):
            draft.dropped(path, "key_unread", part=key)
    return models[0].name if models else None


def _note_extensions(model: _Model, draft: Draft) -> None:
    """Note what other vendors wrote, with its text: filters, formats, cardinalities."""
    parts: list[tuple[str, tuple[Extension, ...]]] = [(model.name, model.custom_extensions)]
    for dataset in model.datasets:
        parts.append((dataset.name, dataset.custom_extensions))
        parts += [
            (f"{dataset.name}.{each.name}", each.custom_extensions) for each in dataset.fields
        ]
    for each in (*model.relationships, *model.metrics):
        parts.append((each.name, each.custom_extensions))
    for path, extensions in parts:
        for extension in extensions:
            if extension.vendor_name != VENDOR:
                text = f"{extension.vendor_name}: {' '.join(extension.data.split())}"
                draft.dropped(f"{path}.custom_extensions", "extension_unread", text=text)
    for each in model.relationships:
        if text := each.ai_context.instructions:
            draft.dropped(f"relationships.{each.name}", "join_advice", text=text)


def _exported(model: _Model, draft: Draft) -> OntologyDescriptor | None:
    """The ontology that this model was written from, if nobody edited it since."""
    return ontology_in(model.extensions, rules_in(model.extensions, draft), model.digest)


def _entity_fields(dataset: _Dataset, draft: Draft) -> EntityFields:
    entity_fields = EntityFields()
    for each in dataset.fields:
        sql = each.expression.sql
        if sql is None and each.expression.dialects:
            draft.dropped(f"{dataset.name}.fields.{each.name}", "no_sql_dialect")
            continue
        is_time = bool(each.dimension and each.dimension.is_time)
        is_key = any(each.name in key for key in dataset.keys)
        plain = Field(
            name=each.name,
            role=Role.TIME if is_time else Role.KEY if is_key else Role.DIMENSION,
            type=value_type_of(each.datatype),
            description=each.description,
            synonyms=each.ai_context.synonyms,
        )
        entity_fields.put(sourced(plain, sql[0] if sql else None))
        if is_declared_sum(each.custom_extensions):
            path = f"{dataset.name}.{each.name}"
            entity_fields.measure(each.name)
            guard_sum(path, path, draft)
            warn_by_name(dataset.name, each.name, (), path, draft)
    return entity_fields


def _entity(dataset: _Dataset, entity_fields: EntityFields, draft: Draft) -> Entity:
    is_query = any(sign.isspace() for sign in dataset.source.strip())
    if is_query:
        draft.approximated(f"{dataset.name}.source", "query_source")
    has_measures = any(each.role is Role.MEASURE for each in entity_fields.fields.values())
    kind = guessed_type(has_measures)
    return Entity(
        name=dataset.name,
        semantic_type=kind,
        description=dataset.description or dataset.ai_context.instructions,
        table=None if is_query else (dataset.source.rpartition(".")[2] or dataset.name),
        fields=tuple(entity_fields.fields.values()),
        keys=tuple(
            tuple(entity_fields.on_column(name) or name for name in key) for key in dataset.keys
        ),
        synonyms=dataset.ai_context.synonyms,
    )


def _relations(
    model: _Model, fields_by_entity: dict[str, EntityFields], draft: Draft
) -> Iterator[Relation]:
    keys = {dataset.name: dataset.keys for dataset in model.datasets}
    for each in model.relationships:
        path = f"relationships.{each.name}"
        if each.near not in fields_by_entity or each.far not in fields_by_entity:
            draft.dropped(path, "relation_to_nowhere")
            continue
        pairs = zip(each.from_columns, each.to_columns, strict=False)
        if declared_cardinality(each.custom_extensions):
            draft.kept(path, "cardinality_declared")
        elif keys[each.far] and set(each.to_columns) not in map(set, keys[each.far]):
            draft.approximated(path, "far_side_no_key")
        yield Relation(
            from_entity=each.near,
            to_entity=each.far,
            cardinality=declared_cardinality(each.custom_extensions)
            or cardinality(each.from_columns, keys[each.near]),
            via=tuple(
                f"{fields_by_entity[each.near].on_column(near) or near}="
                f"{fields_by_entity[each.far].on_column(far) or far}"
                for near, far in pairs
            ),
            name=each.name,
        )


def _add_metric(metric: _Metric, fields_by_entity: dict[str, EntityFields], draft: Draft) -> None:
    path = f"metrics.{metric.name}"
    sql = metric.expression.sql
    if sql is None:
        draft.dropped(path, "no_sql_dialect")
        return
    text, dialect = sql
    single = aggregate_of(text, dialect)
    named = columns_in(text, dialect)
    entities = {table for table, _ in named if table in fields_by_entity}
    owner = common_root(entities, draft.relations) if entities else None
    if owner is None and len(fields_by_entity) == 1:
        owner = next(iter(fields_by_entity))
    function = single.function if single else None
    field = single.argument if single and single.is_column else None
    if (
        owner
        and field
        and field in fields_by_entity[owner].fields
        and function in ("sum", "average")
    ):
        fields_by_entity[owner].measure(field)
        guard_sum(f"{owner}.{field}", path, draft)
    if owner is None or len(entities) > 1:
        draft.approximated(path, "several_tables", tables=", ".join(sorted(entities)) or "-")
    if function not in ADDITIVE:
        draft.approximated(path, "not_additive", aggregate=function or text)
    draft.metrics.append(
        Metric(
            name=metric.name,
            kind=MetricKind.SIMPLE if single else MetricKind.DERIVED,
            entity=owner,
            aggregate=function,
            field=field,
            expr=text,
            description=metric.description,
            additive=function in ADDITIVE,
        )
    )
