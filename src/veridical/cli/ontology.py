"""``veridical ontology``: show, lint and compare ontologies, and detect schema drift."""

import json
from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import REFUSED, err, out, print_models
from veridical.cli.options import AsJson, In, SchemaRef
from veridical.cli.semantic_models import export_command, import_command, write_file
from veridical.cli.sources import disabled, schema_for
from veridical.contracts.language import Language
from veridical.engines.schema_source import dialect_of
from veridical.messages import message
from veridical.ontology.context import schema_context
from veridical.ontology.diff import ontology_diff
from veridical.ontology.enforceability import enforceability
from veridical.ontology.errors import LoadError
from veridical.ontology.json_schema import ontology_schema
from veridical.ontology.lint import Drift, lint
from veridical.ontology.load import load_ontology
from veridical.ontology.prompt import DEFAULT_BUDGET

app = typer.Typer(no_args_is_help=True, help="Lint, print, compare an ontology.")

app.command("import")(import_command)
app.command("export")(export_command)
Ref = Annotated[str, typer.Argument(help="pack:NAME, module:attribute, or a file or folder.")]


@app.command("lint")
def lint_command(
    ontology: Ref, schema: SchemaRef = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Compare an ontology with a live schema. Exit code 1 when they have drifted apart."""
    physical = schema_for(schema, ontology)
    if physical is None:
        raise LoadError("lint compares with a schema: give --schema")
    known = load_ontology(ontology)
    if not any(entity.table for entity in known.entities):
        raise LoadError(f"{ontology} names no table: there is nothing to compare")
    found = lint(known, physical, dialect_of(schema or ""))
    if as_json:
        print_models(found)
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
    err.print(text, style="dim")


@app.command("report")
def report_command(
    ontology: Ref, schema: SchemaRef = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """List what the ontology leaves unprotected."""
    report = enforceability(load_ontology(ontology), schema_for(schema, ontology))
    if as_json:
        out.print_json(report.model_dump_json(by_alias=True))
    else:
        typer.echo(report.text(language))


@app.command("hash")
def hash_command(ontology: Ref) -> None:
    """Print the hash under which prompt, rules and enums are compiled."""
    typer.echo(load_ontology(ontology).hash)


@app.command("schema")
def schema_command(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to this file.")
    ] = None,
) -> None:
    """Print the JSON Schema of an ontology file, from which editors complete it."""
    text = json.dumps(ontology_schema(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        typer.echo(text, nl=False)
        return
    write_file(text, output)


@app.command("diff")
def diff_command(
    before: Ref, after: Ref, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Compare two ontologies by their meaning. Exit code 1 when a rule is gone or changed."""
    found = ontology_diff(load_ontology(before), load_ontology(after))
    if as_json:
        print_models(found)
    else:
        for each in found:
            out.print(each.kind.value, style="red" if each.kind.loosens else "green", end=" ")
            out.print(each.text(language), soft_wrap=True)
        if not found:
            typer.echo(message("diff.none", language))
    if any(each.kind.loosens for each in found):
        raise typer.Exit(REFUSED)


def _print_drift(found: tuple[Drift, ...], language: Language) -> None:
    for each in found:
        style = "yellow" if each.kind.is_note else "red"
        out.print(each.kind.value, style=style, end=" ")
        out.print(each.text(language))
    notes = sum(each.kind.is_note for each in found)
    if found:
        typer.echo(message("lint.summary", language, errors=len(found) - notes, notes=notes))
    else:
        typer.echo(message("lint.no_drift", language))
