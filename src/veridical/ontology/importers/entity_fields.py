"""The fields of an entity while an import collects them, and the relations between entities."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.expression import parse_sql, plain_column
from veridical.ontology.importers.imported import Draft
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Field,
    Relation,
    Role,
    SemanticType,
)


@dataclass(slots=True)
class EntityFields:
    """The fields of one entity, found again by name and by column."""

    fields: dict[str, Field] = field(default_factory=dict[str, Field])
    by_column: dict[str, str] = field(default_factory=dict[str, str])

    def put(self, new: Field) -> str:
        """Add a field; the last one added for a column represents it."""
        self.fields.setdefault(new.name, new)
        if new.expr is None:
            self.by_column[(new.column or new.name).casefold()] = new.name
        return new.name

    def on_column(self, column: str) -> str | None:
        """The field that represents this column."""
        return self.by_column.get(column.casefold())

    def column_of(self, name: str) -> str:
        """The column behind a field, or the name itself."""
        found = self.fields.get(name)
        return (found.column or found.name) if found else name

    def measure(self, name: str) -> None:
        """Make a field a measure, because it is summed or averaged."""
        found = self.fields.get(name)
        if found and found.role is Role.DIMENSION:
            value_type = ValueType.NUMBER if found.type is ValueType.UNKNOWN else found.type
            changes = {"role": Role.MEASURE, "type": value_type}
            self.fields[name] = found.model_copy(update=changes)


def sourced(field: Field, expr: str | None) -> Field:
    """The field with its column, if that differs from its name, or its SQL."""
    column = plain_column(expr)
    if not expr or column == field.name:
        return field
    return field.model_copy(update={"column": column} if column else {"expr": expr})


def guard_sum(target: str, path: str, draft: Draft) -> None:
    """Forbid sums of this field where a join repeats its rows, as every semantic layer does."""
    if target not in draft.guarded:
        draft.guarded.add(target)
        draft.constraints.append(Constraint(applies_to=target, rule=ConstraintRule.FAN_OUT))
    draft.kept(path, "measure_guarded")


def guessed_type(has_measures: bool, is_snapshot: bool = False) -> SemanticType:
    """The likely type of an entity in a format without types."""
    if is_snapshot:
        return SemanticType.BALANCE_SNAPSHOT
    return SemanticType.TRANSACTION if has_measures else SemanticType.OBJECT


def cardinality(near: Iterable[str], near_keys: Iterable[Iterable[str]]) -> Cardinality:
    """One to one when the near columns are a key themselves, many to one otherwise."""
    columns = {column.casefold() for column in near}
    is_key = any(columns == {column.casefold() for column in key} for key in near_keys)
    return Cardinality.ONE_TO_ONE if is_key else Cardinality.MANY_TO_ONE


def join_pairs(
    condition: str, near: str, far: str, fields_by_entity: Mapping[str, EntityFields]
) -> tuple[str, ...] | None:
    """The pairs of fields, if the condition is equalities of columns only."""
    tree = parse_sql(condition)
    pairs: list[str] = []
    for part in tree.flatten() if isinstance(tree, exp.And) else (tree,):
        if not isinstance(part, exp.EQ):
            return None
        ends = {
            side.table: fields_by_entity[side.table].on_column(side.name) or side.name
            for side in (part.left, part.right)
            if isinstance(side, exp.Column) and side.table in fields_by_entity
        }
        if set(ends) != {near, far}:
            return None
        pairs.append(f"{ends[near]}={ends[far]}")
    return tuple(pairs)


def common_root(entities: set[str], relations: Iterable[Relation]) -> str | None:
    """The one entity that reaches all these by joins to the one side; None if there is none."""
    towards: dict[str, set[str]] = {}
    for relation in relations:
        towards.setdefault(relation.from_entity, set()).add(relation.to_entity)
    roots = [entity for entity in sorted(entities) if entities <= _closure(entity, towards)]
    return roots[0] if len(roots) == 1 else None


def _closure(start: str, towards: Mapping[str, set[str]]) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        for target in towards.get(waiting.pop(), set()) - seen:
            seen.add(target)
            waiting.append(target)
    return seen
