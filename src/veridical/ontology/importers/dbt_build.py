"""A dbt project as an ontology."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from veridical.ontology.importers.dbt_entity import add_entity, fields_of, links_of
from veridical.ontology.importers.dbt_metrics import Measured, add_metrics
from veridical.ontology.importers.dbt_spec import (
    DbtMeasure,
    DbtMetric,
    DbtModel,
    DbtProject,
    DbtSavedQuery,
)
from veridical.ontology.importers.entity_fields import EntityFields
from veridical.ontology.importers.expression import plain_column
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lenient import unknown_keys
from veridical.ontology.metric_reference import ReferenceSyntaxError, parse_reference
from veridical.ontology.model import CanonicalQueryPattern, Cardinality, LinkKind, Relation


def build_dbt(projects: Iterable[DbtProject], draft: Draft) -> None:
    """Put all declarations of these projects into the draft."""
    whole = list(projects)
    metrics = [metric for project in whole for metric in project.metrics]
    direct = _direct_measures(metrics)
    models = [
        model.model_copy(update={"measures": (*model.measures, *direct.get(model.name, ()))})
        for project in whole
        for model in project.semantic_models
    ]
    fields_by_entity = {model.name: fields_of(model) for model in models}
    for model in models:
        add_entity(model, fields_by_entity[model.name], draft)
    draft.relations.extend(_relations(models, fields_by_entity, draft))
    measures = {
        measure.name: Measured(measure, model, fields_by_entity[model.name])
        for model in models
        for measure in model.measures
    }
    add_metrics(iter(metrics), measures, draft)
    for project in whole:
        draft.time_grains.extend(project.time_grains)
        for query in project.saved_queries:
            _add_saved_query(query, draft)
    _note_unread(whole, draft)


def _direct_measures(metrics: Iterable[DbtMetric]) -> dict[str, list[DbtMeasure]]:
    """For each model, a measure for each simple metric that aggregates it without one."""
    direct: defaultdict[str, list[DbtMeasure]] = defaultdict(list)
    for metric in metrics:
        found = metric.type_params.metric_aggregation_params
        if found is None or metric.type_params.measure is not None:
            continue
        direct[found.semantic_model].append(
            DbtMeasure(
                name=metric.name,
                agg=found.agg,
                expr=found.expr or metric.type_params.expr,
                description=metric.description,
                label=metric.label,
                agg_time_dimension=found.agg_time_dimension,
                agg_params=found.agg_params,
                non_additive_dimension=found.non_additive_dimension,
            )
        )
    return direct


def _relations(
    models: list[DbtModel], fields_by_entity: dict[str, EntityFields], draft: Draft
) -> Iterator[Relation]:
    """Each link towards each other model that it is a key of."""
    keyed: defaultdict[str, list[tuple[DbtModel, LinkKind]]] = defaultdict(list)
    for model in models:
        for link in links_of(model):
            if link.kind is not LinkKind.FOREIGN:
                keyed[link.name].append((model, link.kind))
    seen = set[tuple[str, ...]]()
    for model in models:
        for link in links_of(model):
            if not keyed[link.name]:
                path = f"{model.name}.entities.{link.name}"
                draft.approximated(path, "link_to_nowhere", column=link.expr or link.name)
            for far, kind in keyed[link.name]:
                ends = (link.name, *sorted((model.name, far.name)))
                via = _via(link.name, model, far, fields_by_entity)
                if far.name == model.name or ends in seen or via is None:
                    continue
                seen.add(ends)
                if LinkKind.NATURAL in (kind, link.kind):
                    draft.approximated(f"{model.name}.entities.{link.name}", "natural_key")
                yield Relation(
                    from_entity=model.name,
                    to_entity=far.name,
                    cardinality=_cardinality(link.kind, kind),
                    via=(via,),
                    name=link.name,
                )


def _cardinality(near: LinkKind, far: LinkKind) -> Cardinality:
    if far is LinkKind.NATURAL:
        many = near in (LinkKind.FOREIGN, LinkKind.NATURAL)
        return Cardinality.MANY_TO_MANY if many else Cardinality.ONE_TO_MANY
    many = near in (LinkKind.FOREIGN, LinkKind.NATURAL)
    return Cardinality.MANY_TO_ONE if many else Cardinality.ONE_TO_ONE


def _via(
    link: str, near: DbtModel, far: DbtModel, fields_by_entity: dict[str, EntityFields]
) -> str | None:
    ends = [_key_field(link, model, fields_by_entity[model.name]) for model in (near, far)]
    return "=".join(end for end in ends if end) if all(ends) else None


def _key_field(link: str, model: DbtModel, entity_fields: EntityFields) -> str | None:
    key = next((key for key in model.entities if key.name == link), None)
    if key is None:
        return None
    column = plain_column(key.expr or key.name)
    return entity_fields.on_column(column) if column else key.name


def _add_saved_query(query: DbtSavedQuery, draft: Draft) -> None:
    params, path = query.query_params, f"saved_queries.{query.name}"
    try:
        group_by = [parse_reference(item).item for item in params.group_by]
        order_by = [parse_reference(item).sort_key for item in params.order_by]
    except ReferenceSyntaxError as error:
        draft.dropped(path, "saved_query_unreadable", item=str(error))
        return
    call: dict[str, object] = {"tool": "queryMetrics", "metrics": list(params.metrics)}
    optional = {
        "groupBy": group_by,
        "where": [params.where] if params.where else [],
        "orderBy": order_by,
        "limit": params.limit,
    }
    call.update({key: value for key, value in optional.items() if value})
    draft.patterns.append(
        CanonicalQueryPattern(
            intent=query.name,
            pattern=call,
            description=query.description,
            questions={"en": (query.label,)} if query.label else {},
        )
    )
    draft.kept(path, "saved_query")


def _note_unread(projects: list[DbtProject], draft: Draft) -> None:
    for project in projects:
        for model in project.semantic_models:
            for path, key in unknown_keys(model, model.name):
                draft.dropped(path, "key_unread", part=key)
        for metric in project.metrics:
            for path, key in unknown_keys(metric, f"metrics.{metric.name}"):
                draft.dropped(path, "key_unread", part=key)
        for query in project.saved_queries:
            for path, key in unknown_keys(query, f"saved_queries.{query.name}"):
                draft.dropped(path, "key_unread", part=key)
