"""``veridical serve``: questions, runs and the inbox over HTTP."""

from typing import Annotated

import typer

from veridical.cli.error_reporting import UsageError, reported_errors
from veridical.cli.own_database import In
from veridical.cli.source_options import ONTOLOGY_FILES
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.messages import message


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
    ontology: Annotated[str, typer.Option(help=ONTOLOGY_FILES)] = "",
    sample: Annotated[
        bool,
        typer.Option("--sample", help="Try it out: sample books, a database, a key and a worker."),
    ] = False,
    language: In = Language.EN,
) -> None:
    """Answer over HTTP, as veridical.toml says, until asked to stop: SIGTERM or Ctrl+C."""
    with reported_errors(language):
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
