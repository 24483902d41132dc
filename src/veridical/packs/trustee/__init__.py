"""Trustee: Swiss accounting as a trustee office keeps it for its clients."""

from pathlib import Path

from veridical.ontology import Pack, load_ontology
from veridical.packs.trustee.schema import physical_schema, shared_tables, tenant_columns

_HERE = Path(__file__).parent
_ONTOLOGY = load_ontology(str(_HERE / "ontology.yaml"))

pack = Pack(
    name="trustee",
    ontology=_ONTOLOGY,
    schema=physical_schema(),
    domain_hints=_ONTOLOGY.domain_hints,
    tenant_columns=tenant_columns(),
    shared_tables=shared_tables(),
    sample_data="veridical.packs.trustee.load:load_postgres",
    skills=_HERE / "skills",
    gold=_HERE / "gold",
)
