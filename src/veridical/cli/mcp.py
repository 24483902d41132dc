"""``veridical mcp``: the checked tools and the verified agent for a program on this machine."""

from typing import Annotated

import typer

from veridical.cli.friendly import UsageError, friendly
from veridical.contracts.language import Language
from veridical.messages import say


def mcp(
    feature: Annotated[str, typer.Option(help="The pack that knows the data.")] = "trustee",
    database: Annotated[
        str, typer.Option(help="postgresql://…; without one, the pack's sample books.")
    ] = "",
    role: Annotated[str, typer.Option(help="The read-only role to ask as.")] = "veridical_reader",
    scope: Annotated[
        list[str] | None, typer.Option(help="Your tenant, as COLUMN=VALUE; repeat for each.")
    ] = None,
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = Language.EN,
) -> None:
    """Serve the Model Context Protocol on standard input and output until the input ends."""
    with friendly(language):
        # Imported here because the protocol, models and drivers are extras that take time to load.
        try:
            from veridical.cli.mcp_stdio import run_mcp
        except ImportError as error:
            raise UsageError(say("mcp.needs", language)) from error
        run_mcp(feature, database, role, scope or [], language)
