"""``veridical check``: the verdict on one call, before anything runs."""

from typing import Annotated

import typer
from rich.table import Table

from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS, dialect_named
from veridical.check.verdict import as_result
from veridical.cli.error_reporting import REFUSED, UsageError, as_cell, out
from veridical.cli.options import AsJson, SchemaRef
from veridical.cli.sources import disabled, read_call, schema_for
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.violation import Refusal, Violation
from veridical.engines.schema_source import dialect_of
from veridical.messages import message
from veridical.ontology.compile import compile_catalog, schema_of
from veridical.ontology.context import active_ontology
from veridical.ontology.load import load_ontology


def check(
    source: Annotated[
        str, typer.Argument(help="A tool call as JSON or a SQL statement: a file, or - for input.")
    ],
    ontology: Annotated[
        str | None, typer.Option(help="pack:NAME, module:attribute, or a file or folder.")
    ] = None,
    schema: SchemaRef = None,
    dialect: Annotated[
        str | None,
        typer.Option(help=f"{', '.join(DIALECTS)}; else that of the schema's file, else postgres."),
    ] = None,
    language: Annotated[Language, typer.Option(help="The language of the hints.")] = Language.EN,
    question: Annotated[str, typer.Option(help="The question that the call answers.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check one call. Exit code 0: it may run; 1: refused; 2: invalid command."""
    if ontology is None and schema is None:
        raise UsageError(message("cli.needs_source", language))
    dialect_name = dialect_named(dialect or dialect_of(schema or "")).name
    call = read_call(source, language)
    whole = load_ontology(ontology) if ontology else None
    physical = schema_for(schema, ontology, dialect_name)
    if physical is None and whole is not None:
        physical = schema_of(whole)
    catalog = compile_catalog(physical, active_ontology(whole, disabled=disabled()))
    verdict = Checker(catalog, dialect_name).check(call, Caller(language=language), question)
    show_verdict(verdict, language, as_json=as_json)
    if isinstance(verdict, Refusal):
        raise typer.Exit(REFUSED)


def show_verdict(
    verdict: CheckedQuery | Refusal, language: Language, *, as_json: bool = False
) -> None:
    """Print a verdict for a person or a program."""
    if as_json:
        out.print_json(as_result(verdict).model_dump_json(by_alias=True, exclude_none=True))
        return
    if isinstance(verdict, CheckedQuery):
        out.print(f"✓ {message('cli.passed', language)}", style="bold green")
    else:
        out.print(f"✗ {message('cli.refused', language)}", style="bold red")
        out.print(_listed(verdict.violations, language, "red"))
    if verdict.warnings:
        out.print(f"{message('cli.warnings', language)}:", style="bold yellow")
        out.print(_listed(verdict.warnings, language, "yellow"))
    if isinstance(verdict, Refusal) and verdict.corrected_call is not None:
        out.print(f"{message('cli.corrected', language)}:", style="bold")
        out.print_json(
            verdict.corrected_call.model_dump_json(by_alias=True, exclude_defaults=False)
        )


def _listed(violations: tuple[Violation, ...], language: Language, style: str) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)  # a code is what people search for: never cut
    for each in violations:
        suggested = each.suggestion and f"{message('cli.suggestion', language)}: {each.suggestion}"
        table.add_row(
            f"[{style}]{each.code}[/{style}]",
            as_cell(each.field),
            as_cell(each.hint),
            as_cell(suggested),
        )
    return table
