"""Implementation of ``veridical mcp``: opens the data, and serves one program until it
disconnects."""

import asyncio
import logging
import os
import signal

from veridical.cli.runtime import local_caller, opened_runtime, runtime_settings
from veridical.cli.terminal_log import log_to_terminal
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.host.settings import RuntimeSettings
from veridical.server.mcp.stdio import serve_stdio
from veridical.trace.address import open_traces, traces_address


def run_mcp(feature: str, database: str, role: str, scope: list[str], language: Language) -> None:
    """Serve for the local caller."""
    log_to_terminal(logging.WARNING)
    settings = runtime_settings(feature, database, role, language)
    caller = local_caller(settings.features[0], scope, language)
    asyncio.run(_serve(settings, feature, caller))


async def _serve(settings: RuntimeSettings, feature: str, caller: Caller) -> None:
    traces = open_traces(traces_address(os.environ))
    stopped = asyncio.ensure_future(_told_to_stop())
    try:
        async with opened_runtime(settings, caller.language) as runtime:
            serving = asyncio.ensure_future(serve_stdio(runtime, feature, caller, traces))
            await asyncio.wait((serving, stopped), return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
    finally:
        traces.close()
    if stopped.done():
        # All is closed; only the thread that reads the input is left, and nothing can wake it.
        os._exit(0)
    stopped.cancel()


async def _told_to_stop() -> None:
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    await stop.wait()
