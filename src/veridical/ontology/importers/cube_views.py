"""Cube's views: each is an entity of its own that offers members of cubes under new names."""

from collections.abc import Iterator
from typing import Any

from veridical.ontology.importers.cube_spec import CubeView, CubeViewPart
from veridical.ontology.importers.imported import Draft
from veridical.ontology.model import Entity, Field, Metric, Role, SemanticType


def add_view(view: CubeView, draft: Draft) -> None:
    """Put the view's entity, and its measures as ``view.measure``, into the draft."""
    entities = {entity.name: entity for entity in draft.entities}
    metrics = {metric.name: metric for metric in draft.metrics}
    fields: list[Field] = []
    root: str | None = None
    for part in view.cubes:
        cube = part.join_path.rpartition(".")[2]
        if cube not in entities:
            draft.dropped(f"{view.name}.cubes.{part.join_path}", "relation_to_nowhere")
            continue
        root = root or part.join_path.partition(".")[0]
        own = {field.name: field for field in entities[cube].fields if field.role != Role.MEASURE}
        for member, name in _members(part, cube, own, metrics):
            if member in own:
                fields.append(_renamed(own[member], name))
            elif (metric := metrics.get(f"{cube}.{member}")) is not None:
                draft.metrics.append(_moved(metric, view.name, name))
            else:
                draft.dropped(f"{view.name}.{name}", "member_unknown", member=f"{cube}.{member}")
    draft.entities.append(
        Entity(
            name=view.name,
            semantic_type=SemanticType.TRANSACTION,
            description=view.description,
            parent_entity=root if root in entities else None,
            fields=tuple(fields),
        )
    )
    draft.approximated(view.name, "view")


def _members(
    part: CubeViewPart, cube: str, own: dict[str, Field], metrics: dict[str, Metric]
) -> Iterator[tuple[str, str]]:
    """Each member taken, with the name it gets in the view."""
    stem = f"{part.alias or cube}_" if part.prefix else ""
    if part.includes == "*":
        start = f"{cube}."
        measures = (name.removeprefix(start) for name in metrics if name.startswith(start))
        taken: list[Any] = [*own, *measures]
    else:
        taken = list(part.includes or ())
    for each in taken:
        name = each.get("name", "") if isinstance(each, dict) else str(each)
        alias = each.get("alias") if isinstance(each, dict) else None
        if name not in part.excludes:
            yield name, f"{stem}{alias or name}"


def _renamed(field: Field, name: str) -> Field:
    column = field.column or (field.name if field.expr is None else None)
    return field.model_copy(
        update={"name": name, "column": column if column != name else None, "role": _role(field)}
    )


def _role(field: Field) -> Role:
    return Role.DIMENSION if field.role is Role.KEY else field.role


def _moved(metric: Metric, view: str, name: str) -> Metric:
    return metric.model_copy(update={"name": f"{view}.{name}", "entity": view})
