"""One line of prompt for each part of an ontology, with the names for a call."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from veridical.contracts.language import Language, in_language
from veridical.contracts.schema import ValueType
from veridical.messages import message
from veridical.ontology.compile import column_name
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Cardinality,
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    Judgement,
    Metric,
    Purpose,
    Relation,
    Role,
    SemanticType,
    Slot,
)

_SIDES = {
    Cardinality.ONE_TO_ONE: "1:1",
    Cardinality.ONE_TO_MANY: "1:n",
    Cardinality.MANY_TO_ONE: "n:1",
    Cardinality.MANY_TO_MANY: "n:m",
}
_SHOWN_SAMPLES = 5


class Depth(IntEnum):
    """The depth of a line."""

    NAMES = 0
    """names, types and constraints"""
    WORDS = 1
    """also the owner's description of the thing itself"""
    FIELDS = 2
    """also those of its fields"""
    VALUES = 3
    """also its values"""


def table_line(
    entity: Entity, language: Language, fields: Iterable[Field], depth: Depth = Depth.VALUES
) -> str:
    """A table with its columns."""
    shown = tuple(fields)
    described = "; ".join(_field(field, language, depth) for field in shown)
    if len(shown) < len(entity.fields):
        hidden = message("prompt.more_fields", language, count=len(entity.fields) - len(shown))
        described = f"{described}; {hidden}" if described else hidden
    keys = ", ".join("+".join(key) for key in entity.keys)
    head = _head(entity, language, depth)
    return (
        f"- {head}"
        + (f" | {message('prompt.key', language)} {keys}" if keys else "")
        + (f" | {described}" if described else "")
    )


def column_line(entity: Entity, field: Field, language: Language) -> str:
    """One column with its full description."""
    return f"- {entity.table or entity.name}.{_field(field, language, Depth.VALUES)}"


def purpose_line(purpose: Purpose, language: Language) -> str:
    """A kind of question, with its owner's description."""
    text = in_language(purpose.description, language)
    return f"- {purpose.name}{f': {text}' if text else ''}"


def kind_line(entity: Entity, language: Language, depth: Depth = Depth.VALUES) -> str:
    """A sub-class: its table and its condition."""
    parent = f" < {entity.parent_entity}" if entity.parent_entity else ""
    condition = f": {entity.condition}" if entity.condition else ""
    tail = _tail(entity, language) if depth else ""
    return f"- {entity.name}{parent}{condition}{tail}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A constraint with all its targets; at full depth with the owner's reason for it."""

    subjects: str
    lean: str
    full: str
    warns: bool = False
    """True if a call that breaks it still runs, with a warning."""
    only_values: bool = False
    """True for a list of values without a description."""


def rule_lines(
    constraints: Iterable[Constraint], entities: Mapping[str, Entity], language: Language
) -> list[Rule]:
    """The constraints in order, each once."""
    subjects: dict[tuple[str, str, bool, bool], set[str]] = {}
    for constraint in constraints:
        listing = constraint.rule is ConstraintRule.ALLOWED_VALUES
        reason = in_language(constraint.message, language)
        demand = _demand(constraint, entities, language), reason, constraint.warns, listing
        subjects.setdefault(demand, set()).add(_physical(constraint.applies_to, entities))
    rules: list[Rule] = []
    for (text, reason, warns, listing), named in subjects.items():
        listed = ", ".join(sorted(named))
        whole = f"- {listed}: {text}"
        full = f"{whole} ({reason})" if reason else whole
        lean = f"- {listed}: {reason}" if listing and reason else whole
        rules.append(Rule(listed, lean, full, warns, listing and not reason))
    return sorted(rules, key=lambda rule: rule.full)


def pattern_line(
    pattern: CanonicalQueryPattern, language: Language, depth: Depth = Depth.VALUES
) -> str:
    """A known question and its call."""
    call = json.dumps(pattern.pattern, ensure_ascii=False, separators=(",", ":"))
    if depth is Depth.NAMES:
        return f"- {pattern.intent} → {call}"
    question = next(iter(pattern.questions.get(language, ())), "")
    described = in_language(pattern.description, language)
    text = question or described
    if question and described and depth >= Depth.FIELDS:
        text = f"{question} — {described}"
    slots = ", ".join(_slot(slot, language, depth) for slot in pattern.slots)
    filled = f" ({message('prompt.slots', language)} {slots})" if slots else ""
    return f"- {pattern.intent}{f': {text}' if text else ''} → {call}{filled}"


def _slot(slot: Slot, language: Language, depth: Depth) -> str:
    head = f"{slot.name}={'|'.join(map(str, slot.examples[:2])) or slot.type}"
    text = in_language(slot.description, language) if depth >= Depth.FIELDS else ""
    return f"{head}: {text}" if text else head


def join_line(relation: Relation, entities: Mapping[str, Entity]) -> str:
    """A join of two tables."""
    near, far = entities[relation.from_entity], entities[relation.to_entity]
    columns = ((_column(near, one), _column(far, other)) for one, other in relation.pairs)
    met = ", ".join(one if one == other else f"{one}={other}" for one, other in columns)
    role = f" as {relation.name}" if relation.name else ""
    sides = f"{near.table or near.name} → {far.table or far.name}{role}"
    return f"- {sides} {_SIDES[relation.cardinality]}" + (f" on {met}" if met else "")


def metric_line(metric: Metric, language: Language, depth: Depth = Depth.VALUES) -> str:
    """A named figure and its definition."""
    made = metric.expr or metric.field or ", ".join(metric.inputs)
    figure = f"{metric.aggregate}({made})" if metric.aggregate else made
    owner = f" @{metric.entity}" if metric.entity else ""
    condition = f" [{metric.filter}]" if metric.filter else ""
    text = in_language(metric.description, language) if depth else ""
    return f"- {metric.name} = {figure}{owner}{condition}{f' — {text}' if text else ''}"


def judgement_line(entity: Entity, judgement: Judgement, language: Language) -> str:
    """A named condition and its display name."""
    columns = {field.name: column_name(field) for field in entity.fields}
    line = f"- {judgement.name} @{entity.table or entity.name} = {judgement.told(columns)}"
    if judgement.unless:
        unless = columns.get(judgement.unless, judgement.unless)
        line += message("prompt.unless", language, field=unless)
    label = in_language(judgement.label, language)
    return line + (f" — {label}" if label and label != judgement.name else "")


def _head(entity: Entity, language: Language, depth: Depth) -> str:
    table = entity.table or entity.name
    alias = [entity.name] if entity.name != table else []
    if entity.semantic_type is not SemanticType.OBJECT:
        alias.append(entity.semantic_type.value)
    named = f"{table} ({', '.join(alias)})" if alias else table
    return named + (_tail(entity, language) if depth else "")


def _tail(entity: Entity, language: Language) -> str:
    texts = [in_language(entity.description, language)]
    texts += (in_language(text, language) for text in entity.invariants)
    if entity.synonyms:
        texts.append(f"= {', '.join(entity.synonyms)}")
    joined = ". ".join(text.rstrip(".。") for text in texts if text)
    return f" — {joined}" if joined else ""


def _field(field: Field, language: Language, depth: Depth) -> str:
    tags = [field.type.value] if field.type is not ValueType.UNKNOWN else []
    if field.role is not Role.DIMENSION:
        tags.append(field.role.value.lower())
    if field.encoding:
        tags.append(message(f"prompt.{field.encoding}", language))
    if field.unit:
        tags.append(field.unit)
    named = " ".join((column_name(field), *tags))
    text = in_language(field.description, language) if depth >= Depth.FIELDS else ""
    if depth < Depth.VALUES:
        return named + (f": {text}" if text else "")
    called = f" = {', '.join(field.synonyms)}" if field.synonyms else ""
    samples = ", ".join(map(str, field.sample_values[:_SHOWN_SAMPLES]))
    return named + (f": {text}" if text else "") + called + (f" [{samples}]" if samples else "")


def _demand(constraint: Constraint, entities: Mapping[str, Entity], language: Language) -> str:
    encoding = constraint.encoding
    levels = "; ".join(
        f"{name} {'/'.join(map(str, values))}" for name, values in sorted(constraint.levels.items())
    )
    demand = message(
        _demand_key(constraint),
        language,
        fields=", ".join(_located(name, entities) for name in constraint.fields),
        values=", ".join(map(str, constraint.values)),
        purposes=", ".join(constraint.purposes),
        encoding=message(f"prompt.{encoding}", language) if encoding else "",
        levels=levels,
        condition=constraint.condition,
        others=", ".join(_located(name, entities) for name in constraint.instead_of),
        zone=constraint.zone,
        local_zone=constraint.local_zone,
    )
    return "; ".join((demand, *_additions(constraint, entities, language)))


def _demand_key(constraint: Constraint) -> str:
    if constraint.rule is ConstraintRule.EMPTY_COUNTS and constraint.fields:
        return "prompt.stands_in"
    if constraint.rule is ConstraintRule.COUNTS_ONLY and constraint.purposes:
        return "prompt.COUNTS_ONLY_for"
    return f"prompt.{constraint.rule}"


def _additions(
    constraint: Constraint, entities: Mapping[str, Entity], language: Language
) -> Iterator[str]:
    """What the rule demands besides."""
    conversion = constraint.conversion
    if conversion is not None:
        yield message(
            f"prompt.{'divide' if conversion.divides else 'multiply'}",
            language,
            rate=_located(conversion.rate, entities),
            unit=conversion.unit,
        )
        if conversion.period:
            day = conversion.day
            period = f"{conversion.period} = {day}" if day else conversion.period
            yield message("prompt.rate_period", language, period=period)
        if conversion.base:
            yield message("prompt.rate_base", language, base=", ".join(conversion.base))
    if constraint.ahead:
        yield message("prompt.ahead", language)
    if constraint.last_per:
        yield message("prompt.last_per", language, fields=", ".join(constraint.last_per))


def _located(name: str, entities: Mapping[str, Entity]) -> str:
    """A field by its own name; that of a parent with the names of its table and column."""
    return _physical(name, entities) if "." in name else name


def _physical(applies_to: str, entities: Mapping[str, Entity]) -> str:
    """An exact path by the names of table and column; a glob unchanged."""
    owner, dot, field = applies_to.partition(".")
    entity = entities.get(owner)
    if entity is None:
        return applies_to
    return f"{entity.table or owner}{dot}{_column(entity, field)}"


def _column(entity: Entity, name: str) -> str:
    return next((column_name(field) for field in entity.fields if field.name == name), name)
