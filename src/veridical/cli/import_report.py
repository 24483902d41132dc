"""What came of reading another tool's model, for a terminal."""

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.importers.imported import FidelityNote
from veridical.ontology.model import OntologyDescriptor


def counted(ontology: OntologyDescriptor, language: Language) -> str:
    """How much of it there is now."""
    return message(
        "cli.imported",
        language,
        entities=len(ontology.entities),
        relations=len(ontology.relations),
        constraints=len(ontology.constraints),
        metrics=len(ontology.metrics),
    )


def note_line(note: FidelityNote) -> str:
    """What became of one part of the model."""
    return f"  {note.status:<12} {note.path}: {note.text}"
