"""``veridical init``: a first ontology, settings and questions from the data itself."""

import os
import shlex
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.error_reporting import err, out
from veridical.cli.init_source import init_model, report_schemas, source_engine
from veridical.cli.init_words import with_model_words, with_page
from veridical.cli.options import In
from veridical.cli.terminal import counting, is_terminal, next_line
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.engines.address import with_schemas
from veridical.messages import message
from veridical.onboarding.schemas import choose_schemas
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.ontology.filling import filled
from veridical.ontology.model import OntologyDescriptor
from veridical.statement.errors import EngineError

if TYPE_CHECKING:
    from veridical.engines.database import Database
    from veridical.onboarding.budget import Budget
    from veridical.onboarding.look import Look
    from veridical.onboarding.project import Address, Written


def init(
    source: Annotated[
        str,
        typer.Argument(
            help="A database URL, a SQLite or DuckDB file, a folder of CSV, Parquet or Excel files,"
            " or another tool's semantic model."
        ),
    ],
    data: Annotated[
        str, typer.Option("--database", help="Where the data of another tool's model is.")
    ] = "",
    folder: Annotated[Path, typer.Option(help="Where the project's files go.")] = Path(),
    name: Annotated[str, typer.Option(help="The feature's name; else that of the source.")] = "",
    role: Annotated[str, typer.Option(help="The read-only role to ask as.")] = "",
    schema: Annotated[
        list[str] | None,
        typer.Option(help="A schema to read instead of the usual one; can be repeated."),
    ] = None,
    seconds: Annotated[float, typer.Option(help="The most time.", min=1)] = 45.0,
    rows: Annotated[int, typer.Option(help="Larger tables are sampled.", min=100)] = 25_000,
    megabytes: Annotated[int, typer.Option(help="The most data read.", min=1)] = 20_000,
    again: Annotated[bool, typer.Option(help="Count everything anew.")] = False,
    page: Annotated[
        Path | None,
        typer.Option(
            help="A page of text about the data, whose rules the model proposes.", exists=True
        ),
    ] = None,
    describe: Annotated[
        bool, typer.Option(help="Let the model, if one is set, draft descriptions and synonyms.")
    ] = True,
    language: In = Language.EN,
) -> None:
    """Profile a database and draft its ontology, settings and questions."""
    from veridical.onboarding.budget import Budget
    from veridical.onboarding.project import address_of

    kind = source_engine(source, language)
    budget = Budget(seconds, rows, megabytes * 1_000_000)
    if kind is None:

        def look(database: "Database") -> "Look":
            return _look(database, folder, budget, language, again=again)

        options = (name, role, tuple(schema or ()))
        written = init_model(Path(source), data, folder, options, look, language)
        tell_files(written, address_of(data) if data else None, language)
        return
    address = address_of(source, name, role)
    try:
        with closing(kind.open(source, role or None, schemas=schema or ())) as database:
            schemas = report_schemas(choose_schemas(database, schema or ()), language)
            address = replace(address, schemas=schemas)
            _draft(
                database, folder, address, budget, language,
                again=again, page=page, describe=describe,
            )  # fmt: skip
    except EngineError as error:
        raise kind.unreadable(source) from error
    _offer_console(source, folder, address, role, language)


def _offer_console(
    source: str, folder: Path, address: "Address", role: str, language: Language
) -> None:
    """Print how to open the console; open it at once if the user agrees."""
    from veridical.onboarding.project import ONTOLOGY

    ontology = folder / ONTOLOGY
    database = shlex.quote(with_schemas(address.database, address.schemas))
    if address.variable:
        named = with_schemas(source, address.schemas).removeprefix(source)
        database = f'"${address.variable}{named}"'
    named = {"ontology": shlex.quote(str(ontology)), "database": database}
    out.print(message("onboarding.next_console", language, **named), soft_wrap=True)
    if not is_terminal():
        return
    reply = next_line(message("onboarding.open_console", language)) or ""
    if reply.strip().lower() not in message("onboarding.yes", language).split():
        return
    require("server", "local")
    out.print(message("serve.demo_start", language))
    from veridical.cli.runtime import own_feature
    from veridical.cli.server_process import serve_demo
    from veridical.host.settings import READER

    own = own_feature(address.name, source, role or READER, language, str(ontology))
    own = own.model_copy(update={"schemas": address.schemas})
    serve_demo(0, language, opens_browser=True, own=own)


def _draft(
    database: "Database",
    folder: Path,
    address: "Address",
    budget: "Budget",
    language: Language,
    *,
    again: bool,
    page: Path | None,
    describe: bool,
) -> None:
    from veridical.onboarding.project import drafted, write_project

    schema = database.reflect()
    if not schema.tables:
        raise SourceError(SourceProblem.NO_TABLES, source=address.database)
    look = _look(database, folder, budget, language, again=again)
    look = with_page(look, page, folder, language) if page else look
    ontology = drafted(address.name, look, schema, database.dialect)
    if describe:
        ontology = with_model_words(ontology, folder, language)
    written = write_project(folder, address, ontology, database.dialect, language)
    _tell(look, ontology, written, address, language)


def _look(
    database: "Database", folder: Path, budget: "Budget", language: Language, *, again: bool
) -> "Look":
    from veridical.onboarding.look import look_at

    with counting(message("onboarding.counting", language)) as progress:
        return look_at(database, folder, budget, progress, again=again)


def _tell(
    look: "Look",
    ontology: OntologyDescriptor,
    written: "Written",
    address: "Address",
    language: Language,
) -> None:
    from veridical.onboarding.decisions import open_decisions
    from veridical.onboarding.unread import unread

    warning = sum(each.warns for each in ontology.constraints)
    counts = message(
        "onboarding.found",
        language,
        tables=len(look.tables),
        relations=len(ontology.relations),
        blocking=len(ontology.constraints) - warning,
        warning=warning,
        patterns=len(ontology.canonical_patterns),
    )
    out.print(f"✓ {counts}")
    if look.interrupted:
        err.print(message("onboarding.interrupted", language), style="yellow")
    elif look.uncounted:
        err.print(message("onboarding.uncounted", language, count=look.uncounted), style="yellow")
    for text in unread(look, language):
        err.print(text, style="yellow", soft_wrap=True)
    tell_files(written, address, language)
    if ontology.canonical_patterns:
        pattern = ontology.canonical_patterns[0]
        values = {slot.name: slot.examples[0] for slot in pattern.slots}
        question = filled(pattern.questions[language.value][0], values)
        text = message("onboarding.next_ask", language, feature=address.name, question=question)
        out.print(text, soft_wrap=True)
    text = message("onboarding.next_review", language, count=len(open_decisions(look.proposals)))
    out.print(text)


def tell_files(written: "Written", address: "Address | None", language: Language) -> None:
    """Print the written files, and what the user still has to do."""
    files = ", ".join(written.files)
    out.print(message("onboarding.wrote", language, files=files or "–"))
    for file, draft in written.kept:
        err.print(message("onboarding.kept", language, file=file, draft=draft), style="yellow")
    if address is not None and address.variable and address.variable not in os.environ:
        text = message("onboarding.needs_variable", language, variable=address.variable)
        err.print(text, style="yellow")
