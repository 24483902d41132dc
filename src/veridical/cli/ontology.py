"""``veridical ontology``: show, lint and import ontologies, and detect schema drift."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import REFUSED, err, out, reported_errors
from veridical.cli.import_report import counted, note_line
from veridical.cli.ontology_file import diff_command, schema_command
from veridical.cli.source_options import SCHEMA_SOURCES
from veridical.cli.sources import disabled, schema_for
from veridical.contracts.language import Language
from veridical.engines.schema_source import dialect_of
from veridical.messages import message
from veridical.ontology.context import schema_context
from veridical.ontology.enforceability import enforceability
from veridical.ontology.errors import LoadError, SourceError, SourceProblem
from veridical.ontology.importers import ImportFailed, import_ontology
from veridical.ontology.lint import Drift, lint
from veridical.ontology.load import load_ontology
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import FORMATS, ontology_text
from veridical.ontology.prompt import DEFAULT_BUDGET

app = typer.Typer(no_args_is_help=True, help="Lint, print, compare, import an ontology.")
app.command("schema")(schema_command)
app.command("diff")(diff_command)

Ref = Annotated[str, typer.Argument(help="pack:NAME, module:attribute, or a file or folder.")]
SchemaRef = Annotated[str | None, typer.Option(help=SCHEMA_SOURCES)]
In = Annotated[Language, typer.Option(help="The language of the texts.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("lint")
def lint_command(
    ontology: Ref,
    schema: SchemaRef = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """Compare an ontology with a live schema. Exit code 1 when they have drifted apart."""
    with reported_errors(language):
        physical = schema_for(schema, ontology)
        if physical is None:
            raise LoadError("lint compares with a schema: give --schema")
        known = load_ontology(ontology)
        if not any(entity.table for entity in known.entities):
            raise LoadError(f"{ontology} names no table: there is nothing to compare")
        found = lint(known, physical, dialect_of(schema or ""))
        if as_json:
            out.print_json(data=[each.model_dump(mode="json", by_alias=True) for each in found])
        else:
            _print_drift(found, language)
        if any(not each.kind.is_note for each in found):
            raise typer.Exit(REFUSED)


@app.command("prompt")
def prompt_command(
    ontology: Ref,
    schema: SchemaRef = None,
    language: In = Language.EN,
    question: Annotated[str, typer.Option(help="Slice a large ontology to this question.")] = "",
    budget: Annotated[int, typer.Option(help="The most tokens.", min=0)] = DEFAULT_BUDGET,
) -> None:
    """Print the prompt that describes the data to a model."""
    with reported_errors(language):
        context = schema_context(
            load_ontology(ontology),
            schema_for(schema, ontology),
            language,
            disabled=disabled(),
            question=question,
            budget_tokens=budget,
        )
        typer.echo(context.text)
        text = message(
            "cli.prompt_cost",
            language,
            kind=context.kind,
            tokens=context.tokens,
            hash=context.hash or "–",
            left_out=len(context.left_out),
        )
        err.print(text, style="dim", highlight=False)


@app.command("report")
def report_command(
    ontology: Ref, schema: SchemaRef = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """List what the ontology leaves unprotected."""
    with reported_errors(language):
        report = enforceability(load_ontology(ontology), schema_for(schema, ontology))
        if as_json:
            out.print_json(report.model_dump_json(by_alias=True))
        else:
            typer.echo(report.text(language))


@app.command("import")
def import_command(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders of another tool.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the ontology to this file.")
    ] = None,
    format_name: Annotated[
        str, typer.Option("--format", help="auto, or a format's name.")
    ] = "auto",
    language: In = Language.EN,
) -> None:
    """Read another tool's semantic model, and say what was lost and what is not protected."""
    with reported_errors(language):
        if output is not None and output.suffix.lower() not in FORMATS:
            raise SourceError(SourceProblem.NO_ENDING, source=output)
        try:
            imported = import_ontology(paths, format_name)
        except ImportFailed as error:
            raise LoadError(str(error)) from error
        ontology = imported.ontology
        if output is None:
            typer.echo(ontology_text(ontology, ".json"), nl=False)
        else:
            _write(ontology, output)
        err.print(counted(ontology, language), highlight=False)
        for note in imported.notes:
            err.print(note_line(note), highlight=False, markup=False)
        err.print(message("cli.not_protected", language))
        err.print(enforceability(ontology).text(language), highlight=False, markup=False)


@app.command("hash")
def hash_command(ontology: Ref) -> None:
    """Print the hash under which prompt, rules and enums are compiled."""
    with reported_errors(Language.EN):
        typer.echo(load_ontology(ontology).hash)


def _write(ontology: OntologyDescriptor, output: Path) -> None:
    try:
        output.write_text(ontology_text(ontology, output.suffix.lower()), "utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(SourceProblem.UNREADABLE, source=output, reason=reason) from error


def _print_drift(found: tuple[Drift, ...], language: Language) -> None:
    for each in found:
        style = "yellow" if each.kind.is_note else "red"
        out.print(each.kind.value, style=style, end=" ")
        out.print(each.text(language), highlight=False, markup=False)
    notes = sum(each.kind.is_note for each in found)
    if found:
        typer.echo(message("lint.summary", language, errors=len(found) - notes, notes=notes))
    else:
        typer.echo(message("lint.no_drift", language))
