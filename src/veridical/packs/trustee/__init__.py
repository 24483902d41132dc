"""Trustee: Swiss accounting as a trustee office keeps it for its clients."""

from pathlib import Path

from veridical.ontology import Pack
from veridical.packs.trustee.ontology import ONTOLOGY
from veridical.packs.trustee.schema import physical_schema, shared_tables, tenant_columns

pack = Pack(
    name="trustee",
    ontology=ONTOLOGY,
    schema=physical_schema(),
    domain_hints=ONTOLOGY.domain_hints,
    tenant_columns=tenant_columns(),
    shared_tables=shared_tables(),
    sample_data="veridical.packs.trustee.load:load_postgres",
    skills=Path(__file__).parent / "skills",
    gold=Path(__file__).parent / "gold",
)
