"""The views of an ontology's editable parts, and of the changes that were made to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from veridical.console.ontology_form import fingerprint
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.onboarding.edits import Edit
from veridical.ontology.editable import Part, PartKind, Values, values_of
from veridical.ontology.model import Constraint, Entity, Field, OntologyDescriptor


@dataclass(frozen=True, slots=True)
class PartView:
    """One part with the values of its form."""

    part: Part
    values: Values
    seen: str
    """The fingerprint of the values in the file."""
    is_open: bool
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class EntityView:
    """An entity with its parts."""

    entity: Entity
    words: PartView
    fields: tuple[PartView, ...]
    judgements: tuple[PartView, ...]
    addition: PartView
    """A judgement that is not there yet."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One changed value, in words."""

    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class EditView:
    """One change that was made."""

    edit: Edit
    differences: tuple[Difference, ...]
    is_undoable: bool
    """True while the part is as this change left it."""


def entity_view(
    ontology: OntologyDescriptor,
    entity: Entity,
    edited: Part | None = None,
    entered: Values | None = None,
) -> EntityView:
    """The forms of an entity; the edited one has the entered values and is open."""

    def view(kind: PartKind, name: str = "", field: Field | None = None) -> PartView:
        part = Part(kind=kind, entity=entity.name, name=name)
        values = values_of(ontology, part)
        is_open = part == edited
        shown = entered if is_open and entered is not None else values or {}
        return PartView(part, shown, fingerprint(values), is_open, field)

    judged = tuple(view(PartKind.JUDGEMENT, each.name) for each in entity.judgements)
    is_new = edited is not None and edited.kind is PartKind.JUDGEMENT
    added = edited.name if edited and is_new and not any(each.is_open for each in judged) else ""
    addition = view(PartKind.JUDGEMENT, added)
    return EntityView(
        entity=entity,
        words=view(PartKind.ENTITY),
        fields=tuple(view(PartKind.FIELD, each.name, each) for each in entity.fields),
        judgements=judged,
        addition=addition,
    )


def rules_about(ontology: OntologyDescriptor, entity: Entity) -> tuple[Constraint, ...]:
    """The rules that apply to an entity or one of its fields."""
    names = [entity.name, *(f"{entity.name}.{each.name}" for each in entity.fields)]
    return tuple(
        each
        for each in ontology.constraints
        if any(fnmatchcase(name, each.applies_to) for name in names)
    )


def edit_views(
    edits: Sequence[Edit], ontology: OntologyDescriptor, language: Language
) -> tuple[EditView, ...]:
    """Changes with their differences."""
    return tuple(
        EditView(
            each,
            ()
            if each.part.kind is PartKind.RULE
            else differences_of(each.before, each.after, language),
            is_undoable=values_of(ontology, each.part) == each.after,
        )
        for each in edits
    )


def differences_of(
    before: Values | None, after: Values | None, language: Language
) -> tuple[Difference, ...]:
    """The values that differ, by key."""
    old, new = before or {}, after or {}
    return tuple(
        Difference(key, _shown(old.get(key), language), _shown(new.get(key), language))
        for key in dict.fromkeys((*old, *new))
        if old.get(key) != new.get(key)
    )


def _shown(value: Any, language: Language) -> str:
    match value:
        case None | "":
            return "–"
        case bool():
            return message("edit.yes" if value else "edit.no", language)
        case Mapping():
            return " · ".join(f"{key}: {_shown(each, language)}" for key, each in value.items())
        case list():
            return ", ".join(map(str, value))
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value)
