"""An ontology as a file of its own: JSON or YAML, from which ``load_ontology`` reads it again."""

import json

import yaml

from veridical.ontology.model import OntologyDescriptor

FORMATS = frozenset({".json", ".yaml", ".yml"})
"""The endings of the files."""


def ontology_text(ontology: OntologyDescriptor, ending: str) -> str:
    """The ontology as the text of a file with this ending."""
    data = ontology.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if ending == ".json":
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100)
