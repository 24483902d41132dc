"""What ``veridical mcp`` does: open the data, and answer one program until it hangs up."""

import asyncio
import os

from veridical.cli.office import local_caller, office_settings, opened_office
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.host.settings import OfficeSettings
from veridical.server.mcp.stdio import serve_stdio
from veridical.trace.address import open_traces, traces_address


def run_mcp(feature: str, database: str, role: str, scope: list[str], language: Language) -> None:
    """Serve for the local caller."""
    settings = office_settings(feature, database, role, language)
    caller = local_caller(settings.features[0], scope, language)
    asyncio.run(_serve(settings, feature, caller))


async def _serve(settings: OfficeSettings, feature: str, caller: Caller) -> None:
    traces = open_traces(traces_address(os.environ))
    try:
        async with opened_office(settings, caller.language) as office:
            await serve_stdio(office, feature, caller, traces)
    finally:
        traces.close()
