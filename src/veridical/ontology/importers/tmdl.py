"""Power BI's TMDL: tables, their measures in DAX, relationships and roles."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.by_name import warn_by_name
from veridical.ontology.importers.dax import Formula, formula_of
from veridical.ontology.importers.entity_fields import EntityFields, guard_sum, guessed_type
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.tmdl_measure import add_measures
from veridical.ontology.importers.tmdl_text import Node, unquoted
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    Relation,
    Role,
)

TMDL = "tmdl"
"""The key under which a parsed file stands."""
_TYPES: Final = {
    "string": ValueType.TEXT,
    "int64": ValueType.INTEGER,
    "double": ValueType.NUMBER,
    "decimal": ValueType.NUMBER,
    "datetime": ValueType.TIMESTAMP,
    "boolean": ValueType.BOOLEAN,
}
_NUMBERS: Final = frozenset({ValueType.INTEGER, ValueType.NUMBER})
_SUMMED: Final = frozenset({"sum", "average"})
_ITEM = re.compile(r'\bItem\s*=\s*"([^"]+)"')
_COLUMN = re.compile(r"('(?:[^']|'')*'|[^.']+)\.('(?:[^']|'')*'|.+)\Z")
_CARDINALITIES = {
    ("many", "one"): Cardinality.MANY_TO_ONE,
    ("one", "many"): Cardinality.ONE_TO_MANY,
    ("one", "one"): Cardinality.ONE_TO_ONE,
    ("many", "many"): Cardinality.MANY_TO_MANY,
}


@dataclass(slots=True)
class Table:
    """One table with its columns as fields."""

    node: Node
    keys: frozenset[str]
    fields: EntityFields = field(default_factory=EntityFields)


def recognises(document: Mapping[str, Any]) -> bool:
    """True for a parsed TMDL file."""
    return TMDL in document


def read(document: Mapping[str, Any]) -> Node:
    """The parsed file."""
    return document[TMDL]


def build(files: Iterable[Node], draft: Draft) -> None:
    """Put all tables, measures, relationships and roles into the draft."""
    parts = [part for file in files for part in file.parts]
    relationships = [each for each in parts if each.kind == "relationship"]
    joined = {
        column_named(each.properties.get(end, ""))
        for each in relationships
        for end in ("fromColumn", "toColumn")
    }
    ones = {
        column_named(each.properties.get("toColumn", ""))
        for each in relationships
        if each.properties.get("toCardinality") != "many"
    }
    nodes = [each for each in parts if each.kind == "table" and (each.parts or each.properties)]
    tables = {node.name: Table(node, _names(node.name, joined)) for node in nodes}
    formulas = {
        each.name: formula_of(each.expression) for node in nodes for each in node.all("measure")
    }
    for name, table in tables.items():
        _add_columns(table, formulas, draft)
        _note_display(name, table.node, draft)
    fields = {name: table.fields for name, table in tables.items()}
    add_measures([table.node for table in tables.values()], formulas, fields, draft)
    add_relations(relationships, fields, draft)
    for name, table in tables.items():
        draft.entities.append(_entity(table, _names(name, ones), draft))
    for role in (each for each in parts if each.kind == "role"):
        for permission in role.all("tablePermission"):
            condition = " ".join(permission.expression.split())
            path = f"roles.{role.name}.{permission.name}"
            draft.unprotected(path, "row_security", condition=condition)


def _names(table: str, columns: Iterable[tuple[str, str]]) -> frozenset[str]:
    return frozenset(column for owner, column in columns if owner == table)


def _add_columns(table: Table, formulas: Mapping[str, Formula], draft: Draft) -> None:
    name = table.node.name
    aggregated = {column for each in formulas.values() for column in each.columns}
    for column in table.node.all("column"):
        kind = _TYPES.get(column.properties.get("dataType", "").lower(), ValueType.UNKNOWN)
        is_key = column.name in table.keys or column.is_on("isKey")
        source = column.properties.get("sourceColumn", "").strip("[]\"' ")
        role = Role.KEY if is_key else Role.TIME if kind is ValueType.TIMESTAMP else Role.DIMENSION
        table.fields.put(
            Field(
                name=column.name,
                role=role,
                type=kind,
                description=column.description,
                column=source if source and source != column.name else None,
                expr=" ".join(column.expression.split()) or None,
            )
        )
        if not is_key and (kind in _NUMBERS or kind is ValueType.UNKNOWN):
            _add_default(table, column, (name, column.name) in aggregated, draft)


def _add_default(table: Table, column: Node, is_aggregated: bool, draft: Draft) -> None:
    """What Power BI does with the column where no measure is chosen: a sum, a mean or nothing."""
    name, default = table.node.name, column.properties.get("summarizeBy", "")
    path = f"{name}.{column.name}"
    if default in _SUMMED:
        table.fields.measure(column.name)
        guard_sum(path, path, draft)
        if default == "sum":
            warn_by_name(name, column.name, (), path, draft)
    elif default == "none" and not is_aggregated and column.properties.get("dataType") != "string":
        draft.warned.add(path)
        draft.constraints.append(
            Constraint(applies_to=path, rule=ConstraintRule.NEVER_SUM, warns=True)
        )
        draft.kept(path, "summed_by_nobody")


def _entity(table: Table, ones: frozenset[str], draft: Draft) -> Entity:
    node = table.node
    keys = [each.name for each in node.all("column") if each.is_on("isKey") or each.name in ones]
    if not keys:
        draft.approximated(node.name, "no_key")
    return Entity(
        name=node.name,
        semantic_type=guessed_type(any(node.all("measure"))),
        description=node.description,
        table=_source(node),
        fields=tuple(table.fields.fields.values()),
        keys=tuple((each,) for each in keys),
    )


def _source(node: Node) -> str:
    """The table behind it, where the source names one; else its own name."""
    for partition in node.all("partition"):
        for source in partition.all("source"):
            if entity := source.properties.get("entityName"):
                return entity
            if found := _ITEM.search(source.expression):
                return found[1]
    return node.name


def _note_display(name: str, node: Node, draft: Draft) -> None:
    """One note each for what is hidden and for how figures are printed."""
    members = [each for each in node.parts if each.kind in ("column", "measure")]
    if hidden := [each.name for each in members if each.is_on("isHidden")]:
        draft.approximated(f"{name}.hidden", "hidden_members", names=", ".join(hidden))
    formats = [f"{each.name} ({shown})" for each in members if (shown := _format(each))]
    if formats:
        draft.dropped(f"{name}.formats", "formats", formats=", ".join(formats))
    if any(node.all("calculationGroup")):
        draft.dropped(name, "calculation_group")


def _format(member: Node) -> str:
    computed = next(member.all("formatStringDefinition"), None)
    text = computed.expression if computed else member.properties.get("formatString", "")
    return " ".join(text.split())


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
