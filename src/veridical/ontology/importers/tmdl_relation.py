"""The relationships of TMDL as relations."""

import re
from collections.abc import Iterable, Mapping

from veridical.ontology.importers.entity_fields import EntityFields
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.tmdl_text import Node, unquoted
from veridical.ontology.model import Cardinality, Relation

_COLUMN = re.compile(r"('(?:[^']|'')*'|[^.']+)\.('(?:[^']|'')*'|.+)\Z")
_CARDINALITIES = {
    ("many", "one"): Cardinality.MANY_TO_ONE,
    ("one", "many"): Cardinality.ONE_TO_MANY,
    ("one", "one"): Cardinality.ONE_TO_ONE,
    ("many", "many"): Cardinality.MANY_TO_MANY,
}


def column_named(text: str) -> tuple[str, str]:
    """Table and column of ``'G/L Entries'.'Posting Date'``."""
    found = _COLUMN.match(text.strip())
    return (unquoted(found[1]), unquoted(found[2])) if found else ("", "")


def add_relations(
    relationships: Iterable[Node], fields: Mapping[str, EntityFields], draft: Draft
) -> None:
    """Put each relationship into the draft; a further one of the same two tables has a name."""
    joined: set[tuple[str, str]] = set()
    for each in sorted(relationships, key=_is_inactive):
        near, near_column = column_named(each.properties.get("fromColumn", ""))
        far, far_column = column_named(each.properties.get("toColumn", ""))
        path = f"relationships.{near}.{near_column}"
        if near not in fields or far not in fields:
            draft.dropped(path, "relation_to_nowhere")
            continue
        ends = (
            each.properties.get("fromCardinality", "many"),
            each.properties.get("toCardinality", "one"),
        )
        draft.relations.append(
            Relation(
                from_entity=near,
                to_entity=far,
                cardinality=_CARDINALITIES.get(ends, Cardinality.MANY_TO_ONE),
                via=(f"{near_column}={far_column}",),
                name=near_column if (near, far) in joined or _is_inactive(each) else None,
            )
        )
        joined.add((near, far))
        if _is_inactive(each):
            draft.approximated(path, "inactive_relation", name=near_column)
        if each.is_on("relyOnReferentialIntegrity"):
            draft.approximated(path, "join_type", kind="inner (relyOnReferentialIntegrity)")
        if each.properties.get("crossFilteringBehavior") == "bothDirections":
            draft.dropped(path, "both_directions")


def _is_inactive(relationship: Node) -> bool:
    return relationship.properties.get("isActive", "").lower() == "false"
