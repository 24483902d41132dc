"""Builders of the ontology: texts in three languages, fields by their role."""

from typing import Any

from veridical.contracts.language import Language, Text
from veridical.contracts.schema import Column
from veridical.ontology.model import Encoding, Entity, Field, Role, SemanticType
from veridical.packs.trustee.models import Row
from veridical.packs.trustee.schema import physical_schema

FieldSettings = dict[str, Any]
"""The settings of a field beyond its name and type."""


def texts(de: str, en: str, zh: str) -> dict[Language, str]:
    """One text in German, English and Chinese."""
    return {Language.DE: de, Language.EN: en, Language.ZH: zh}


def key(de: str = "", en: str = "", zh: str = "") -> FieldSettings:
    """A field that names a row."""
    return _field(Role.KEY, de, en, zh)


def dimension(de: str = "", en: str = "", zh: str = "") -> FieldSettings:
    """A field to filter and to group by."""
    return _field(Role.DIMENSION, de, en, zh)


def measure(de: str = "", en: str = "", zh: str = "") -> FieldSettings:
    """A figure."""
    return _field(Role.MEASURE, de, en, zh)


def moment(de: str = "", en: str = "", zh: str = "") -> FieldSettings:
    """A day, stored as Unix seconds."""
    return {**_field(Role.TIME, de, en, zh), "encoding": Encoding.UNIX_SECONDS}


def _field(role: Role, de: str, en: str, zh: str) -> FieldSettings:
    return {"role": role, "description": texts(de, en, zh) if en else ""}


COMMON: dict[str, FieldSettings] = {
    "mandateId": {
        "role": Role.TENANT,
        "description": texts("Mandant", "client", "客户"),
    },
    "featureInstanceId": {
        "role": Role.TENANT,
        "description": texts("Buchhaltung", "set of books", "账套"),
    },
    "currency": {"role": Role.UNIT},
    "accountNumber": dimension(),
    "periodYear": {
        "role": Role.TIME,
        "grain": "year",
        "description": texts("Geschäftsjahr", "fiscal year", "会计年度"),
    },
    "periodMonth": {
        "role": Role.TIME,
        "grain": "month",
        "description": texts(
            "0 = ganzes Jahr, 1-12 = Monat", "0 = whole year, 1-12 = month", "0=全年，1-12=月份"
        ),
    },
    "isActive": dimension(),
}


def table(
    model: type[Row],
    name: str,
    semantic_type: SemanticType,
    description: Text,
    fields: dict[str, FieldSettings],
    *,
    invariants: tuple[Text, ...] = (),
    synonyms: tuple[str, ...] = (),
) -> Entity:
    """The entity behind a table: types from the model, meaning from here.

    Every column must be described, here or in ``COMMON``, and nothing else.
    """
    physical = physical_schema().tables[model.__name__]
    columns = {column.name: column for column in physical.columns}
    unknown = sorted(fields.keys() - columns.keys())
    meaning = {**COMMON, **fields}
    silent = sorted(columns.keys() - meaning.keys())
    if unknown or silent:
        raise ValueError(f"{model.__name__}: unknown {unknown}, not described {silent}")
    return Entity(
        name=name,
        semantic_type=semantic_type,
        description=description,
        table=model.__name__,
        python_class=model.__name__,
        invariants=invariants,
        fields=tuple(_as_field(column, meaning[column.name]) for column in physical.columns),
        keys=physical.keys,
        synonyms=synonyms,
    )


def _as_field(column: Column, meaning: FieldSettings) -> Field:
    return Field(name=column.name, type=column.type, **meaning)
