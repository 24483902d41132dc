"""One line of prompt for each thing an ontology holds, with the names that a call must use."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from veridical.contracts.language import Language, in_language
from veridical.contracts.schema import ValueType
from veridical.messages import message
from veridical.ontology.compile import column_name
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Cardinality,
    Constraint,
    Entity,
    Field,
    Metric,
    Relation,
    Role,
    SemanticType,
)

_SIDES = {
    Cardinality.ONE_TO_ONE: "1:1",
    Cardinality.ONE_TO_MANY: "1:n",
    Cardinality.MANY_TO_ONE: "n:1",
    Cardinality.MANY_TO_MANY: "n:m",
}
_SHOWN_SAMPLES = 5


def table_line(
    entity: Entity, language: Language, fields: Iterable[Field], *, lean: bool = False
) -> str:
    """A table with its columns; lean is names and types alone."""
    shown = tuple(fields)
    described = "; ".join(_field(field, language, lean=lean) for field in shown)
    if len(shown) < len(entity.fields):
        hidden = message("prompt.more_fields", language, count=len(entity.fields) - len(shown))
        described = f"{described}; {hidden}" if described else hidden
    keys = ", ".join("+".join(key) for key in entity.keys)
    head = _head(entity, language, lean=lean)
    return (
        f"- {head}"
        + (f" | {message('prompt.key', language)} {keys}" if keys else "")
        + (f" | {described}" if described else "")
    )


def kind_line(entity: Entity, language: Language, *, lean: bool = False) -> str:
    """A sub-class: whose rows it picks, and by what condition."""
    parent = f" < {entity.parent_entity}" if entity.parent_entity else ""
    condition = f": {entity.condition}" if entity.condition else ""
    tail = "" if lean else _tail(entity, language)
    return f"- {entity.name}{parent}{condition}{tail}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A demand, on all that it is made of; in full with the owner's reason for it."""

    subjects: str
    lean: str
    full: str


def rule_lines(
    constraints: Iterable[Constraint], entities: Mapping[str, Entity], language: Language
) -> list[Rule]:
    """The demands in order, each once."""
    subjects: dict[tuple[str, str], set[str]] = {}
    for constraint in constraints:
        demand = _demand(constraint, entities, language), in_language(constraint.message, language)
        subjects.setdefault(demand, set()).add(_physical(constraint.applies_to, entities))
    rules: list[Rule] = []
    for (text, reason), named in subjects.items():
        listed = ", ".join(sorted(named))
        lean = f"- {listed}: {text}"
        rules.append(Rule(listed, lean, f"{lean} ({reason})" if reason else lean))
    return sorted(rules, key=lambda rule: rule.full)


def pattern_line(pattern: CanonicalQueryPattern, language: Language, *, lean: bool = False) -> str:
    """A known question and its call."""
    call = json.dumps(pattern.pattern, ensure_ascii=False, separators=(",", ":"))
    if lean:
        return f"- {pattern.intent} → {call}"
    asked = next(iter(pattern.questions.get(language, ())), "")
    text = asked or in_language(pattern.description, language)
    slots = ", ".join(
        f"{slot.name}={'|'.join(map(str, slot.examples[:2])) or slot.type}"
        for slot in pattern.slots
    )
    filled = f" ({message('prompt.slots', language)} {slots})" if slots else ""
    return f"- {pattern.intent}{f': {text}' if text else ''} → {call}{filled}"


def join_line(relation: Relation, entities: Mapping[str, Entity]) -> str:
    """How two tables meet."""
    near, far = entities[relation.from_entity], entities[relation.to_entity]
    columns = ((_column(near, one), _column(far, other)) for one, other in relation.pairs)
    met = ", ".join(one if one == other else f"{one}={other}" for one, other in columns)
    role = f" as {relation.name}" if relation.name else ""
    sides = f"{near.table or near.name} → {far.table or far.name}{role}"
    return f"- {sides} {_SIDES[relation.cardinality]}" + (f" on {met}" if met else "")


def metric_line(metric: Metric, language: Language) -> str:
    """A named figure and how it is made."""
    made = metric.expr or metric.field or ", ".join(metric.inputs)
    figure = f"{metric.aggregate}({made})" if metric.aggregate else made
    owner = f" @{metric.entity}" if metric.entity else ""
    condition = f" [{metric.filter}]" if metric.filter else ""
    text = in_language(metric.description, language)
    return f"- {metric.name} = {figure}{owner}{condition}{f' — {text}' if text else ''}"


def _head(entity: Entity, language: Language, *, lean: bool) -> str:
    table = entity.table or entity.name
    alias = [entity.name] if entity.name != table else []
    if entity.semantic_type is not SemanticType.OBJECT:
        alias.append(entity.semantic_type.value)
    named = f"{table} ({', '.join(alias)})" if alias else table
    return named + ("" if lean else _tail(entity, language))


def _tail(entity: Entity, language: Language) -> str:
    texts = [in_language(entity.description, language)]
    texts += (in_language(text, language) for text in entity.invariants)
    if entity.synonyms:
        texts.append(f"= {', '.join(entity.synonyms)}")
    told = ". ".join(text.rstrip(".。") for text in texts if text)
    return f" — {told}" if told else ""


def _field(field: Field, language: Language, *, lean: bool) -> str:
    tags = [field.type.value] if field.type is not ValueType.UNKNOWN else []
    if field.role is not Role.DIMENSION:
        tags.append(field.role.value.lower())
    if field.encoding:
        tags.append(message(f"prompt.{field.encoding}", language))
    if field.unit:
        tags.append(field.unit)
    named = " ".join((column_name(field), *tags))
    if lean:
        return named
    text = in_language(field.description, language)
    samples = ", ".join(map(str, field.sample_values[:_SHOWN_SAMPLES]))
    return named + (f": {text}" if text else "") + (f" [{samples}]" if samples else "")


def _demand(constraint: Constraint, entities: Mapping[str, Entity], language: Language) -> str:
    encoding = constraint.encoding
    levels = "; ".join(
        f"{name} {'/'.join(map(str, values))}" for name, values in sorted(constraint.levels.items())
    )
    return message(
        f"prompt.{constraint.rule}",
        language,
        fields=", ".join(_located(name, entities) for name in constraint.fields),
        values=", ".join(map(str, constraint.values)),
        purposes=", ".join(constraint.purposes),
        encoding=message(f"prompt.{encoding}", language) if encoding else "",
        levels=levels,
    )


def _located(name: str, entities: Mapping[str, Entity]) -> str:
    """A field as it is written; that of a parent with the names of its table and column."""
    return _physical(name, entities) if "." in name else name


def _physical(applies_to: str, entities: Mapping[str, Entity]) -> str:
    """An exact path in the names of table and column; a glob as it is written."""
    owner, dot, field = applies_to.partition(".")
    entity = entities.get(owner)
    if entity is None:
        return applies_to
    return f"{entity.table or owner}{dot}{_column(entity, field)}"


def _column(entity: Entity, name: str) -> str:
    return next((column_name(field) for field in entity.fields if field.name == name), name)
