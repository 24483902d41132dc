"""``veridical ontology schema`` and ``diff``: ontology files for editors and reviews."""

import json
from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import REFUSED, out, reported_errors
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.diff import ontology_diff
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.ontology.json_schema import ontology_schema
from veridical.ontology.load import load_ontology

Ref = Annotated[str, typer.Argument(help="pack:NAME, module:attribute, or a file or folder.")]


def schema_command(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to this file.")
    ] = None,
) -> None:
    """Print the JSON Schema of an ontology file, from which editors complete it."""
    with reported_errors(Language.EN):
        text = json.dumps(ontology_schema(), indent=2, ensure_ascii=False) + "\n"
        if output is None:
            typer.echo(text, nl=False)
            return
        try:
            output.write_text(text, "utf-8")
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise SourceError(SourceProblem.UNREADABLE, source=output, reason=reason) from error


def diff_command(
    before: Ref,
    after: Ref,
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = Language.EN,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell two ontologies apart by what they mean. Exit code 1 when a rule is gone or changed."""
    with reported_errors(language):
        found = ontology_diff(load_ontology(before), load_ontology(after))
        if as_json:
            out.print_json(data=[each.model_dump(mode="json", by_alias=True) for each in found])
        else:
            for each in found:
                out.print(each.kind.value, style="red" if each.kind.loosens else "green", end=" ")
                out.print(each.text(language), highlight=False, markup=False, soft_wrap=True)
            if not found:
                typer.echo(message("diff.none", language))
        if any(each.kind.loosens for each in found):
            raise typer.Exit(REFUSED)
