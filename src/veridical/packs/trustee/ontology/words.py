"""How the ontology is written down: texts in three languages, fields by their role."""

from typing import Any

from veridical.contracts.language import Language, Text
from veridical.contracts.schema import Column
from veridical.ontology.model import Encoding, Entity, Field, Role, SemanticType
from veridical.packs.trustee.models import Row
from veridical.packs.trustee.schema import physical_schema

Told = dict[str, Any]
"""What is said of a field beyond its name and type."""


def told(de: str, en: str, zh: str) -> dict[Language, str]:
    """One text in German, English and Chinese."""
    return {Language.DE: de, Language.EN: en, Language.ZH: zh}


def key(de: str = "", en: str = "", zh: str = "") -> Told:
    """A field that names a row."""
    return _field(Role.KEY, de, en, zh)


def dimension(de: str = "", en: str = "", zh: str = "") -> Told:
    """A field to filter and to group by."""
    return _field(Role.DIMENSION, de, en, zh)


def measure(de: str = "", en: str = "", zh: str = "") -> Told:
    """A figure."""
    return _field(Role.MEASURE, de, en, zh)


def moment(de: str = "", en: str = "", zh: str = "") -> Told:
    """A day, stored as Unix seconds."""
    return {**_field(Role.TIME, de, en, zh), "encoding": Encoding.UNIX_SECONDS}


def _field(role: Role, de: str, en: str, zh: str) -> Told:
    return {"role": role, "description": told(de, en, zh) if en else ""}


COMMON: dict[str, Told] = {
    "mandateId": {
        "role": Role.TENANT,
        "description": told("Mandant", "client", "客户"),
    },
    "featureInstanceId": {
        "role": Role.TENANT,
        "description": told("Buchhaltung", "set of books", "账套"),
    },
    "currency": {"role": Role.UNIT},
    "accountNumber": dimension(),
    "periodYear": {
        "role": Role.TIME,
        "grain": "year",
        "description": told("Geschäftsjahr", "fiscal year", "会计年度"),
    },
    "periodMonth": {
        "role": Role.TIME,
        "grain": "month",
        "description": told(
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
    fields: dict[str, Told],
    *,
    invariants: tuple[Text, ...] = (),
    synonyms: tuple[str, ...] = (),
) -> Entity:
    """The entity behind a table: types from the model, meaning from here.

    Every column must be spoken of, here or in ``COMMON``; nothing else may be.
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


def _as_field(column: Column, meaning: Told) -> Field:
    return Field(name=column.name, type=column.type, **meaning)
