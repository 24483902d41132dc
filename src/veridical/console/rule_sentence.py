"""Rules as sentences with blanks: what people fill in becomes a constraint of the ontology."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.editable import Part, PartKind, Values
from veridical.ontology.model import Constraint, ConstraintRule, Entity, Field, Role
from veridical.ontology.row_condition import Part as Comparison
from veridical.ontology.row_condition import written

MOST_VALUES = 200


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. Its texts are ``rule.NAME``, with blanks, and ``rule.NAME_text``, filled in."""

    name: str
    rule: ConstraintRule
    subject: Role | None = None
    """The role of the field that it is about, if it is about figures only."""
    is_about_field: bool = True
    """False for a sentence about the rows of the entity."""
    has_other: bool = False
    """True if it names another field."""
    has_values: bool = False
    needs_values: bool = False

    def subjects(self, entity: Entity) -> tuple[Field, ...]:
        """The fields that it may be about."""
        if self.subject is None:
            return entity.fields
        return tuple(each for each in entity.fields if each.role is self.subject)


_FIGURES = Role.MEASURE
SENTENCES = (
    Sentence("stock", ConstraintRule.SEMI_ADDITIVE_OVER, _FIGURES, has_other=True),
    Sentence("never_sum", ConstraintRule.NEVER_SUM, _FIGURES),
    Sentence("never_aggregate", ConstraintRule.NEVER_AGGREGATE, _FIGURES),
    Sentence("same_unit", ConstraintRule.SAME_UNIT, _FIGURES, has_other=True),
    Sentence("fan_out", ConstraintRule.FAN_OUT, _FIGURES),
    Sentence(
        "filter",
        ConstraintRule.REQUIRES_FILTER_ON,
        is_about_field=False,
        has_other=True,
        has_values=True,
    ),
    Sentence(
        "only",
        ConstraintRule.COUNTS_ONLY,
        is_about_field=False,
        has_other=True,
        has_values=True,
        needs_values=True,
    ),
    Sentence(
        "except",
        ConstraintRule.COUNTS_ONLY,
        is_about_field=False,
        has_other=True,
        has_values=True,
        needs_values=True,
    ),
    Sentence("allowed", ConstraintRule.ALLOWED_VALUES, has_values=True, needs_values=True),
    Sentence("not_unique", ConstraintRule.NOT_UNIQUE),
    Sentence("not_kept", ConstraintRule.NOT_KEPT),
)
_OPERATORS = {"only": "in", "except": "not in"}


@dataclass(frozen=True, slots=True)
class Blanks:
    """What somebody filled in."""

    subject: str = ""
    other: str = ""
    values: tuple[str, ...] = ()
    warns: bool = False


def sentence_named(name: str) -> Sentence | None:
    """The sentence of this name."""
    return next((each for each in SENTENCES if each.name == name), None)


def unfit_blanks(sentence: Sentence, entity: Entity, blanks: Blanks) -> list[str]:
    """The blanks that are empty or don't fit, as keys of messages."""
    names = {each.name for each in entity.fields}
    found: list[str] = []
    if sentence.is_about_field and blanks.subject not in {
        each.name for each in sentence.subjects(entity)
    }:
        found.append("unfit_subject")
    if sentence.has_other and (blanks.other not in names or blanks.other == blanks.subject):
        found.append("unfit_other")
    if sentence.needs_values and not blanks.values:
        found.append("unfit_values")
    return found


def constraint_of(sentence: Sentence, entity: Entity, blanks: Blanks) -> Constraint:
    """The constraint of a sentence whose blanks fit."""
    fields = {each.name: each for each in entity.fields}
    path = f"{entity.name}.{blanks.subject}" if sentence.is_about_field else entity.name
    other = fields.get(blanks.other)
    if sentence.rule is ConstraintRule.COUNTS_ONLY and other is not None:
        condition = _condition(other, _OPERATORS[sentence.name], blanks.values)
        return Constraint(
            applies_to=path, rule=sentence.rule, condition=condition, warns=blanks.warns
        )
    valued = other or fields.get(blanks.subject)
    return Constraint(
        applies_to=path,
        rule=sentence.rule,
        fields=(blanks.other,) if other else (),
        values=tuple(_typed(each, valued) for each in blanks.values) if sentence.has_values else (),
        warns=blanks.warns,
    )


def part_of(constraint: Constraint) -> tuple[Part, Values]:
    """The part of the ontology that a constraint is, with its values."""
    values = constraint.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return Part(kind=PartKind.RULE, name=constraint.title), values


def sentence_of(constraint: Constraint, language: Language) -> str:
    """A constraint in words; empty for one that no sentence says."""
    name = next((each.name for each in SENTENCES if each.rule is constraint.rule), "")
    if not name:
        return ""
    if constraint.rule is ConstraintRule.COUNTS_ONLY:
        name = "condition"
    elif constraint.rule is ConstraintRule.REQUIRES_FILTER_ON and constraint.values:
        name = "filter_values"
    return message(
        f"rule.{name}_text",
        language,
        subject=constraint.applies_to,
        other=", ".join(constraint.fields),
        values=_listed(constraint.values),
        condition=constraint.condition,
    )


def _condition(column: Field, operator: str, values: Sequence[str]) -> str:
    name = exp.column(column.column or column.name, quoted=True).sql()
    is_number = column.type.is_numeric and all(map(_is_number, values))
    return written((Comparison(name, operator, tuple(values), in_quotes=not is_number),))


def _typed(text: str, column: Field | None) -> str | int | float:
    if column is None or not column.type.is_numeric or not _is_number(text):
        return text
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii()


def _listed(values: Sequence[object]) -> str:
    shown = ", ".join(map(str, values[:8]))
    return f"{shown}, …" if len(values) > 8 else shown
