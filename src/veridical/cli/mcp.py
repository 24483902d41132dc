"""``veridical mcp``: checked tools and the verified agent for a program on this machine."""

from typing import Annotated

import typer

from veridical.cli.error_reporting import reported_errors
from veridical.cli.source_options import DATABASES, FEATURES, ONTOLOGY_FILES, local_extra
from veridical.contracts.extras import require
from veridical.contracts.language import Language


def mcp(
    feature: Annotated[str, typer.Option(help=FEATURES)] = "",
    database: Annotated[str, typer.Option(help=DATABASES)] = "",
    ontology: Annotated[str, typer.Option(help=ONTOLOGY_FILES)] = "",
    role: Annotated[
        str, typer.Option(help="The read-only role to ask as, on PostgreSQL.")
    ] = "veridical_reader",
    scope: Annotated[
        list[str] | None, typer.Option(help="Your tenant, as COLUMN=VALUE; repeat for each.")
    ] = None,
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = Language.EN,
) -> None:
    """Serve the Model Context Protocol on standard input and output until the input ends."""
    with reported_errors(language):
        require("server", *local_extra(database))
        from veridical.cli.mcp_stdio import run_mcp

        run_mcp(feature, database, role, scope or [], language, ontology)
