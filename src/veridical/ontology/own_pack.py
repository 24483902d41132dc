"""A pack made of an ontology alone, for data without an installed package."""

from collections.abc import Iterable
from pathlib import Path

from veridical.ontology.compile import column_name, schema_of
from veridical.ontology.model import OntologyDescriptor, Role
from veridical.ontology.pack import Pack


def pack_from(
    ontology: OntologyDescriptor,
    name: str = "",
    *,
    shared: Iterable[str] = (),
    skills: Path | None = None,
    gold: Path | None = None,
) -> Pack:
    """The pack of an ontology. Its fields with the role ``TENANT`` name the owner of a row.

    If there are any, a table without them is closed unless ``shared`` names it: it may have rows of
    all tenants, such as the lines of orders.
    """
    columns = {
        entity.table: tuple(
            column_name(field) for field in entity.fields if field.role is Role.TENANT
        )
        for entity in ontology.entities
        if entity.table
    }
    return Pack(
        name=name or ontology.feature_code,
        ontology=ontology,
        schema=schema_of(ontology),
        tenant_columns={table: named for table, named in columns.items() if named},
        shared_tables=frozenset(shared),
        skills=skills,
        gold=gold,
    )
