"""The descriptors a data owner writes: entities, relations, constraints, patterns, metrics."""

import hashlib
from enum import StrEnum
from functools import cached_property
from typing import Any, Self

from pydantic import Field as Pydantic
from pydantic import model_validator

from veridical.contracts.language import Text
from veridical.contracts.schema import ValueType
from veridical.contracts.wire import Wire
from veridical.ontology.constraint_rule import ConstraintRule, Conversion
from veridical.ontology.judgement import Comparator, Judgement
from veridical.ontology.pattern_kinds import Asks, PeriodKind, SlotKind
from veridical.ontology.printed import Favourable, Gender, Noun, Nouns, Percent

__all__ = [
    "Asks",
    "CanonicalQueryPattern",
    "Cardinality",
    "Comparator",
    "Constraint",
    "ConstraintRule",
    "Conversion",
    "Encoding",
    "Entity",
    "Favourable",
    "Field",
    "Gender",
    "Judgement",
    "Link",
    "LinkKind",
    "Metric",
    "MetricKind",
    "Noun",
    "OntologyDescriptor",
    "Percent",
    "PeriodKind",
    "Purpose",
    "Relation",
    "Role",
    "SemanticType",
    "Slot",
    "SlotKind",
    "Words",
]


class SemanticType(StrEnum):
    """The type of an entity."""

    ACCOUNT = "ACCOUNT"
    BALANCE_SNAPSHOT = "BALANCE_SNAPSHOT"
    TRANSACTION = "TRANSACTION"
    PERIOD = "PERIOD"
    PARTY = "PARTY"
    DOCUMENT = "DOCUMENT"
    CLASSIFICATION = "CLASSIFICATION"
    OBJECT = "OBJECT"
    EVENT = "EVENT"


class Role(StrEnum):
    """The role of a field."""

    KEY = "KEY"
    DIMENSION = "DIMENSION"
    TIME = "TIME"
    MEASURE = "MEASURE"
    UNIT = "UNIT"
    TENANT = "TENANT"


class Encoding(StrEnum):
    """The encoding of a point in time, if the column's type doesn't define it."""

    UNIX_SECONDS = "UNIX_SECONDS"
    UNIX_MILLISECONDS = "UNIX_MILLISECONDS"
    ISO_TEXT = "ISO_TEXT"
    YYYYMMDD = "YYYYMMDD"


class Cardinality(StrEnum):
    """The cardinality of a relation."""

    ONE_TO_ONE = "ONE_TO_ONE"
    ONE_TO_MANY = "ONE_TO_MANY"
    MANY_TO_ONE = "MANY_TO_ONE"
    MANY_TO_MANY = "MANY_TO_MANY"


class LinkKind(StrEnum):
    """The kind of a link: a key of the entity's rows, or a reference to rows of another entity."""

    PRIMARY = "PRIMARY"
    UNIQUE = "UNIQUE"
    FOREIGN = "FOREIGN"
    NATURAL = "NATURAL"
    """a key that repeats over time: one row per version"""


class MetricKind(StrEnum):
    """The kind of a metric."""

    SIMPLE = "SIMPLE"
    RATIO = "RATIO"
    DERIVED = "DERIVED"
    CUMULATIVE = "CUMULATIVE"
    CONVERSION = "CONVERSION"


class Field(Wire):
    """One attribute of an entity."""

    name: str
    type: ValueType = ValueType.UNKNOWN
    role: Role = Role.DIMENSION
    description: Text = ""
    column: str | None = None
    """The column's name, where it differs from the field's."""
    expr: str | None = None
    """The SQL behind a computed field."""
    encoding: Encoding | None = None
    unit: str | None = None
    sample_values: tuple[str | int | float, ...] = ()
    synonyms: tuple[str, ...] = ()
    grain: str | None = None
    """The time granularity of a time field."""
    optional: bool = Pydantic(default=False, exclude_if=lambda optional: not optional)
    """True if rows without a value exist."""
    numeric: bool = Pydantic(default=False, exclude_if=lambda numeric: not numeric)
    """True for texts that are numbers, and are ordered as numbers."""
    label: Text = Pydantic(default="", exclude_if=lambda label: not label)
    """Its display name in answers."""
    scale: float = Pydantic(default=1.0, gt=0, exclude_if=lambda scale: scale == 1)
    """The factor of its figures: 1000 for thousands."""
    decimals: int | None = Pydantic(default=None, ge=0, le=6, exclude_if=lambda each: each is None)
    """The number of printed decimals."""
    percent: Percent | None = Pydantic(default=None, exclude_if=lambda each: each is None)
    favourable: Favourable | None = Pydantic(default=None, exclude_if=lambda each: each is None)


class Link(Wire):
    """A named key: entities that name the same link meet on it; it prefixes their dimensions."""

    name: str
    kind: LinkKind
    expr: str | None = None
    """The column or SQL behind it, where it differs from the name."""


class Entity(Wire):
    """One thing of the business; backed by a table, or a sub-class of an entity that is."""

    name: str
    semantic_type: SemanticType
    description: Text = ""
    table: str | None = None
    python_class: str | None = None
    parent_entity: str | None = None
    invariants: tuple[Text, ...] = ()
    condition: str | None = None
    """The SQL condition of a sub-class on the rows of the parent's table."""
    fields: tuple[Field, ...] = ()
    keys: tuple[tuple[str, ...], ...] = ()
    links: tuple[Link, ...] = ()
    """The links of this entity in a metric graph; the relations define the joins without them."""
    synonyms: tuple[str, ...] = ()
    noun: Nouns = Pydantic(default_factory=Nouns, exclude_if=lambda noun: not noun)
    """The nouns for one row and for several, by language."""
    judgements: tuple[Judgement, ...] = Pydantic(default=(), exclude_if=lambda each: not each)


class Relation(Wire):
    """A join of two entities. ``via`` pairs the fields: ``accountNumber`` or ``accountId=id``."""

    from_entity: str
    to_entity: str
    cardinality: Cardinality
    via: tuple[str, ...] = ()
    name: str | None = None
    """The role of the far side, if one pair of entities joins in several ways."""

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The joined fields as (from, to)."""
        split = (pair.split("=", 1) for pair in self.via)
        return tuple((pair[0].strip(), pair[-1].strip()) for pair in split)


class Constraint(Wire):
    """One rule on what ``applies_to`` names: ``Entity``, ``Entity.field``, or a glob of either."""

    applies_to: str
    rule: ConstraintRule
    message: Text = ""
    fields: tuple[str, ...] = ()
    values: tuple[str | int | float | bool, ...] = ()
    purposes: tuple[str, ...] = ()
    settled_by: tuple[str, ...] = ()
    # Not written by default, so that an unchanged descriptor keeps its hash.
    where_read: tuple[str, ...] = Pydantic(default=(), exclude_if=lambda names: not names)
    levels: dict[str, tuple[int | str, ...]] = Pydantic(
        default_factory=dict[str, tuple[int | str, ...]]
    )
    encoding: Encoding | None = None
    condition: str = Pydantic(default="", exclude_if=lambda condition: not condition)
    opening: str | None = None
    conversion: Conversion | None = Pydantic(default=None, exclude_if=lambda each: each is None)
    ahead: bool = Pydantic(default=False, exclude_if=lambda ahead: not ahead)
    last_per: tuple[str, ...] = Pydantic(default=(), exclude_if=lambda names: not names)
    instead_of: tuple[str, ...] = Pydantic(default=(), exclude_if=lambda names: not names)
    zone: str = Pydantic(default="", exclude_if=lambda zone: not zone)
    local_zone: str = Pydantic(default="", exclude_if=lambda zone: not zone)
    warns: bool = Pydantic(default=False, exclude_if=lambda warns: not warns)
    """True until a person confirms it: breaking it only gives a warning."""

    @property
    def title(self) -> str:
        """Its rule, what it applies to, and what it demands: what people know it by."""
        return " · ".join(
            (self.rule, self.applies_to, *self.fields, *filter(None, (self.condition,)))
        )

    @model_validator(mode="after")
    def _has_what_its_rule_reads(self) -> Self:
        needed = _PARAMETERS.get(self.rule, ())
        missing = [name for name in needed if not getattr(self, name)]
        if missing:
            raise ValueError(f"{self.rule} on {self.applies_to} needs {', '.join(missing)}")
        return self


_PARAMETERS: dict[ConstraintRule, tuple[str, ...]] = {
    ConstraintRule.SEMI_ADDITIVE_OVER: ("fields",),
    ConstraintRule.REQUIRES_FILTER_ON: ("fields",),
    ConstraintRule.TYPE_MISMATCH_GUARD: ("encoding",),
    ConstraintRule.ALLOWED_VALUES: ("values",),
    ConstraintRule.ONLY_FOR_PURPOSE: ("purposes",),
    ConstraintRule.SAME_UNIT: ("fields",),
    ConstraintRule.COUNTS_ONLY: ("condition",),
    ConstraintRule.ONE_LEVEL: ("fields", "levels"),
    ConstraintRule.LOCAL_DAYS: ("zone", "local_zone"),
    ConstraintRule.FIRST_OR_LAST: ("fields",),
    ConstraintRule.MERGED_INTO: ("fields",),
    ConstraintRule.PERIOD_BY: ("fields", "instead_of"),
    ConstraintRule.INCLUDES: ("fields",),
    ConstraintRule.SPELLINGS: ("levels",),
}


class Purpose(Wire):
    """A kind of question, recognised by its words in each language."""

    name: str
    description: Text = ""
    keywords: dict[str, tuple[str, ...]] = Pydantic(default_factory=dict[str, tuple[str, ...]])


Words = dict[str, tuple[str, ...]]
"""The words for one notion by language, any of which is enough."""


class Slot(Wire):
    """A placeholder of a pattern: ``{year}``. With a kind, it can be filled without a model."""

    name: str
    type: ValueType = ValueType.TEXT
    description: Text = ""
    examples: tuple[str | int, ...] = ()
    kind: SlotKind | None = None
    format: str = ""
    """The regular expression of a code: digits and nothing else."""
    cues: Words = Pydantic(default_factory=dict[str, tuple[str, ...]])
    entity: str | None = None
    values: tuple[str, ...] = ()
    """The values to choose from; empty means all sub-classes."""
    words: dict[str, tuple[str, ...]] = Pydantic(default_factory=dict[str, tuple[str, ...]])
    """The names of each value, in any language."""
    encoding: Encoding | None = None
    """The format of a day in the call."""


class CanonicalQueryPattern(Wire):
    """A known question and the tool call that answers it, with ``{slots}`` for what varies."""

    intent: str
    pattern: dict[str, Any]
    description: Text = ""
    slots: tuple[Slot, ...] = ()
    questions: dict[str, tuple[str, ...]] = Pydantic(default_factory=dict[str, tuple[str, ...]])
    purpose: str | None = None
    asks: Asks = Asks.HOW_MUCH
    period: PeriodKind | None = None
    words: tuple[Words, ...] = ()
    """The notions that a question must name to mean this."""
    also: tuple[Words, ...] = ()
    """The notions that it may name as well. Any other word makes it another question."""
    title: Text = ""
    """The title of the answer, with ``{slots}`` and ``{period}``."""
    labels: dict[str, Text] = Pydantic(default_factory=dict[str, Text])
    """The display name of each column of the result."""


class Metric(Wire):
    """A named figure over one entity, or over other metrics."""

    name: str
    kind: MetricKind = MetricKind.SIMPLE
    entity: str | None = None
    aggregate: str | None = None
    field: str | None = None
    expr: str | None = None
    inputs: tuple[str, ...] = ()
    filter: str | None = None
    description: Text = ""
    label: str | None = None
    time_field: str | None = None
    additive: bool = True
    """False if the values of groups don't add up: means, medians, distinct counts, ratios."""


class OntologyDescriptor(Wire):
    """All knowledge about one feature's data."""

    feature_code: str
    description: Text = ""
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    canonical_patterns: tuple[CanonicalQueryPattern, ...] = ()
    metrics: tuple[Metric, ...] = ()
    purposes: tuple[Purpose, ...] = ()
    time_grains: tuple[str, ...] = ()
    """The business's own calendar grains beside the usual ones: ``fiscal_quarter``."""
    domain_hints: Text = ""
    """The free text used instead of the ontology when it is switched off."""
    drafts: tuple[str, ...] = Pydantic(default=(), exclude_if=lambda found: not found)
    """``Entity`` or ``Entity.field`` whose description and synonyms a model wrote. A person who
    has read one removes it from the list."""

    @property
    def says_nothing(self) -> bool:
        """True if it has no knowledge of its own, at most hints as free text."""
        return not (
            self.entities
            or self.relations
            or self.constraints
            or self.canonical_patterns
            or self.metrics
        )

    @cached_property
    def hash(self) -> str:
        """The identity under which prompt, rules and enums were compiled."""
        return hashlib.sha256(self.model_dump_json(by_alias=True).encode()).hexdigest()[:16]

    @model_validator(mode="after")
    def _names_are_unique_and_known(self) -> Self:
        names = [entity.name for entity in self.entities]
        doubled = (
            sorted({name for name in names if names.count(name) > 1})
            if len(set(names)) < len(names)
            else []
        )
        known = set(names)
        unknown = sorted(
            {entity.parent_entity for entity in self.entities if entity.parent_entity}.union(
                *({relation.from_entity, relation.to_entity} for relation in self.relations)
            ).difference(known)
        )
        if doubled or unknown:
            raise ValueError(f"doubled entities {doubled}, unknown entities {unknown}")
        return self
