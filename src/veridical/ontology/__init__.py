"""One source of truth: descriptors compiled to prompt, rules and tool enums under one hash.

The names below are public: ontologies and packs, loaded, imported and as a prompt. Each is loaded
when it is first used.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.ontology.importers import import_ontology
    from veridical.ontology.load import load_ontology
    from veridical.ontology.model import OntologyDescriptor
    from veridical.ontology.pack import Pack, load_pack
    from veridical.ontology.prompt import compile_prompt

__all__ = [
    "OntologyDescriptor",
    "Pack",
    "compile_prompt",
    "import_ontology",
    "load_ontology",
    "load_pack",
]

_HOMES = {
    "importers": "import_ontology",
    "load": "load_ontology",
    "model": "OntologyDescriptor",
    "pack": "Pack load_pack",
    "prompt": "compile_prompt",
}

if not TYPE_CHECKING:  # a type checker is to report a name that there is not
    __getattr__ = lazy_names(__name__, _HOMES)
