"""An ontology as the semantic model of another tool, with a note on what has no place there."""

from collections.abc import Callable, Mapping
from typing import Final

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.exporters import cube, dbt, ossie
from veridical.ontology.exporters.exported import Exported, ExportFailed, ExportNotes
from veridical.ontology.model import OntologyDescriptor

__all__ = ["TARGETS", "ExportFailed", "Exported", "export_ontology"]

TARGETS: Final[Mapping[str, Callable[[OntologyDescriptor, ExportNotes], str]]] = {
    "ossie": ossie.ossie_text,
    "dbt": dbt.dbt_text,
    "cube": cube.cube_text,
}


def export_ontology(
    ontology: OntologyDescriptor, target: str, language: Language = Language.EN
) -> Exported:
    """The text of the other tool's file, and notes. Raises ``ExportFailed``."""
    writer = TARGETS.get(target)
    if writer is None:
        known = ", ".join(TARGETS)
        raise ExportFailed(message("export.unknown", language, target=target, known=known))
    notes = ExportNotes(language)
    return Exported(writer(ontology, notes), tuple(notes.all))
