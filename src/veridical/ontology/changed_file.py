"""The text of an ontology file after a change: what was not changed keeps its characters."""

from pathlib import Path
from typing import Any

from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import ontology_from, ontology_text
from veridical.ontology.yaml_change import not_changeable, with_change

_JSON = ".json"


def changed_text(
    text: str, before: OntologyDescriptor, after: OntologyDescriptor, path: Path
) -> str:
    """The file with the changed ontology. Comments stay; JSON, which has none, is written anew.

    Raises ``FileMistakesError`` for a file that can't be changed so.
    """
    ending = path.suffix.lower()
    if ending == _JSON or text == ontology_text(before, ending):
        return ontology_text(after, ending)
    written = with_change(text, plain_values(before), plain_values(after), str(path))
    if ontology_from(written, str(path)) != after:
        raise not_changeable(str(path))
    return written


def plain_values(ontology: OntologyDescriptor) -> dict[str, Any]:
    """The ontology as its file has it, without defaults."""
    return ontology.model_dump(mode="json", by_alias=True, exclude_defaults=True)
