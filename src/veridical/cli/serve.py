"""The commands that run until they are stopped: ``serve``, ``demo``, ``worker`` and ``mcp``."""

from typing import Annotated

import typer

from veridical.cli.error_reporting import UsageError, out
from veridical.cli.options import Data, Feature, In, OntologyFile, Reader, TenantScope, local_extra
from veridical.cli.own_database import Database, own_settings
from veridical.contracts.extras import MissingExtraError, require
from veridical.contracts.language import Language
from veridical.messages import message


def demo(
    port: Annotated[int, typer.Option(help="0 for any that is free.", min=0, max=65535)] = 0,
    browser: Annotated[bool, typer.Option(help="Open the console in the browser.")] = True,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="One question on the terminal instead.")
    ] = False,
    language: In = Language.EN,
) -> None:
    """Try it out on sample data, in the browser: no key, no model, no internet needed.

    A PostgreSQL, the books of a trustee office, documents and a console with first steps to try.
    Ctrl+C ends everything. With a model in veridical.toml or VERIDICAL_MODEL, the agent is on.
    """
    require("engine", "local")
    if terminal or not _has_console():
        from veridical.cli.demo_terminal import play_on_terminal

        play_on_terminal(language)
        if not terminal:
            out.print(message("serve.demo_without_console", language))
        return
    out.print(message("serve.demo_start", language))
    from veridical.sample.folder import sample_folder
    from veridical.sample.postgres import postgres_ahead

    with postgres_ahead(sample_folder()) as started:
        from veridical.cli.server_process import serve_demo

        serve_demo(port, language, opens_browser=browser, started=started)


def _has_console() -> bool:
    try:
        require("server", "search")
    except MissingExtraError:
        return False
    return True


def serve(
    host: Annotated[
        str | None, typer.Option(help="Where to listen; else the settings, else 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            help="0 for any that is free; else the settings, else 8000.", min=0, max=65535
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="postgresql://… of Veridical's own tables; else VERIDICAL_RUNS_DATABASE_URL."
            " With --ontology, where the data is."
        ),
    ] = None,
    ontology: OntologyFile = "",
    sample: Annotated[
        bool,
        typer.Option("--sample", help="Try it out: sample books, a database, a key and a worker."),
    ] = False,
    language: In = Language.EN,
) -> None:
    """Answer over HTTP, as veridical.toml says, until asked to stop: SIGTERM or Ctrl+C."""
    if sample and (database is not None or ontology):
        raise UsageError(message("serve.sample_has_its_own", language))
    require("server", *(("local",) if sample else ()))
    from veridical.cli.server_process import run_server

    own = None
    if ontology:
        from veridical.cli.runtime import own_feature
        from veridical.host.settings import READER

        own = own_feature("", database or "", READER, language, ontology)
    run_server(host, port, None if own else database, language, sample=sample, own=own)


def worker(
    database: Database = None,
    concurrency: Annotated[
        int | None, typer.Option(help="The most runs at once.", min=1, max=1000)
    ] = None,
    language: In = Language.EN,
) -> None:
    """Answer runs on the features of veridical.toml.

    SIGTERM stops it: running work is finished or handed back to another worker; a second SIGTERM
    hands it back at once.
    """
    require("runs")
    settings = own_settings(database, language)
    if concurrency is not None:
        settings = settings.model_copy(update={"worker_concurrency": concurrency})
    from veridical.cli.worker_process import run_worker

    run_worker(settings, language)


def mcp(
    feature: Feature = "",
    database: Data = "",
    ontology: OntologyFile = "",
    role: Reader = "veridical_reader",
    scope: TenantScope = None,
    language: In = Language.EN,
) -> None:
    """Serve the Model Context Protocol on standard input and output until the input ends."""
    require("server", *local_extra(database))
    from veridical.cli.mcp_stdio import run_mcp

    run_mcp(feature, database, role, scope or [], language, ontology)
