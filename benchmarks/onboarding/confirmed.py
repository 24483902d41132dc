"""The ontology of a database as a person confirmed it: a file, or hand-made labels."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from veridical.contracts.schema import Schema
from veridical.engines.sqlite import Sqlite
from veridical.ontology.load import load_ontology
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Entity,
    OntologyDescriptor,
    Relation,
    SemanticType,
)

_ENDINGS = (".yaml", ".yml", ".json")
_LABELS = "gold_semantics.json"


def confirmed_ontology(database: Path, folder: Path | None) -> OntologyDescriptor | None:
    """The ontology ``NAME.yaml`` or ``NAME.json`` of the folder; else what the labels beside the
    database say; None where nobody said anything."""
    if folder is not None:
        for ending in _ENDINGS:
            path = folder / f"{database.stem}{ending}"
            if path.is_file():
                return load_ontology(str(path))
    for place in (database.parent, database.parent.parent):
        labels = place / _LABELS
        if labels.is_file():
            found = json.loads(labels.read_text("utf-8")).get(database.stem)
            return None if found is None else _declared(database, found)
    return None


def _declared(database: Path, labels: dict[str, Any]) -> OntologyDescriptor:
    with closing(Sqlite(database)) as opened:
        schema = opened.reflect()
    return OntologyDescriptor(
        feature_code=database.stem,
        entities=tuple(
            Entity(
                name=table.name,
                table=table.name,
                semantic_type=SemanticType.OBJECT,
                keys=table.keys,
            )
            for table in schema.tables.values()
        ),
        relations=tuple(_relations(schema)),
        constraints=tuple(_constraints(schema, labels)),
    )


def _relations(schema: Schema) -> Iterator[Relation]:
    for table in schema.tables.values():
        for key in table.foreign_keys:
            if key.target in schema.tables:
                pairs = zip(key.columns, key.target_columns, strict=True)
                yield Relation(
                    from_entity=table.name,
                    to_entity=key.target,
                    cardinality=Cardinality.MANY_TO_ONE,
                    via=tuple(f"{near}={far}" for near, far in pairs),
                )


def _constraints(schema: Schema, labels: dict[str, Any]) -> Iterator[Constraint]:
    for name, additivity in labels.get("measures", {}).items():
        if str(additivity).startswith("non_additive"):
            yield Constraint(applies_to=name, rule=ConstraintRule.NEVER_AGGREGATE)
    for table, (start, end) in labels.get("history_tables", {}).items():
        if table in schema.tables:
            fields = (end or start,)
            rule = ConstraintRule.REQUIRES_FILTER_ON
            yield Constraint(applies_to=table, rule=rule, fields=fields)
