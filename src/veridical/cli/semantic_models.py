"""``veridical import`` and ``export``: the semantic models of other tools."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import err
from veridical.cli.options import In
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.enforceability import enforceability
from veridical.ontology.errors import LoadError, SourceError, SourceProblem
from veridical.ontology.exporters import TARGETS, ExportFailed, export_ontology
from veridical.ontology.importers import ImportFailed, import_ontology
from veridical.ontology.importers.imported import Fidelity, FidelityNote
from veridical.ontology.load import load_ontology
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import FORMATS, ontology_text

_GRAVEST = (Fidelity.UNPROTECTED, Fidelity.DROPPED, Fidelity.APPROXIMATED, Fidelity.KEPT)
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write it to this file, not to the output.")
]


def import_command(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders of another tool.")],
    output: Output = None,
    format_name: Annotated[
        str,
        typer.Option(
            "--from", "--format", help="lookml, tmdl, dbt, cube, ossie …; auto: by the content."
        ),
    ] = "auto",
    language: In = Language.EN,
) -> None:
    """Read another tool's semantic model, and say what was lost and what is not protected."""
    if output is not None and output.suffix.lower() not in FORMATS:
        raise SourceError(SourceProblem.NO_ENDING, source=output)
    try:
        imported = import_ontology(paths, format_name, language)
    except ImportFailed as error:
        raise LoadError(str(error)) from error
    ontology = imported.ontology
    if output is None:
        typer.echo(ontology_text(ontology, ".json"), nl=False)
    else:
        write_file(ontology_text(ontology, output.suffix.lower()), output)
    err.print(counted(ontology, language))
    for note in sorted(imported.notes, key=lambda each: _GRAVEST.index(each.status)):
        err.print(note_line(note), markup=False, soft_wrap=True)
    err.print(message("cli.not_protected", language))
    err.print(enforceability(ontology).text(language))


def export_command(
    ontology: Annotated[
        str, typer.Argument(help="pack:NAME, module:attribute, or a file or folder.")
    ],
    target: Annotated[str, typer.Option("--to", help=f"{', '.join(TARGETS)}.")],
    output: Output = None,
    language: In = Language.EN,
) -> None:
    """Write an ontology as another tool's semantic model, and say what has no place there."""
    try:
        exported = export_ontology(load_ontology(ontology), target, language)
    except ExportFailed as error:
        raise LoadError(str(error)) from error
    if output is None:
        typer.echo(exported.text, nl=False)
    else:
        write_file(exported.text, output)
    for note in sorted(exported.notes, key=lambda each: _GRAVEST.index(each.status)):
        err.print(note_line(note), markup=False, soft_wrap=True)


def counted(ontology: OntologyDescriptor, language: Language) -> str:
    """The numbers of entities, relations, constraints and metrics, in words."""
    return message(
        "cli.imported",
        language,
        entities=len(ontology.entities),
        relations=len(ontology.relations),
        constraints=len(ontology.constraints),
        metrics=len(ontology.metrics),
    )


def note_line(note: FidelityNote) -> str:
    """The fate of one part of the model, as a line."""
    return f"  {note.status:<12} {note.path}: {note.text}"


def write_file(text: str, output: Path) -> None:
    """Write the text. Raises ``SourceError``."""
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(SourceProblem.UNREADABLE, source=output, reason=reason) from error
