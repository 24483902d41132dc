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
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.file_watch import watched_files
from veridical.host.runtime import reopen_runtime
from veridical.host.settings import RuntimeSettings
from veridical.server.mcp.stdio import serve_stdio
from veridical.trace.address import open_traces, traces_address

_DRAIN_SECONDS = 600.0
"""Seconds that a call may go on with the ontology that it began with."""


def run_mcp(
    feature: str, database: str, role: str, scope: list[str], language: Language, ontology: str = ""
) -> None:
    """Serve for the local caller."""
    log_to_terminal(logging.WARNING)
    settings = runtime_settings(feature, database, role, language, ontology)
    caller = local_caller(settings.features[0], scope, language)
    asyncio.run(_serve(settings, caller))


async def _serve(settings: RuntimeSettings, caller: Caller) -> None:
    feature = settings.features[0].name
    traces = open_traces(traces_address(os.environ))
    stopped = asyncio.ensure_future(_stop_signal())
    try:
        async with opened_runtime(settings, caller.language) as runtime:
            current = CurrentRuntime(runtime, lambda: reopen_runtime(settings), _DRAIN_SECONDS)
            serving = asyncio.ensure_future(serve_stdio(current, feature, caller, traces))
            try:
                with watched_files(lambda: current.files, current.renew):
                    await asyncio.wait((serving, stopped), return_when=asyncio.FIRST_COMPLETED)
                if serving.done():
                    serving.result()
            finally:
                await current.close()
    finally:
        traces.close()
    if stopped.done():
        # All is closed; only the thread that reads the input is left, and nothing can wake it.
        os._exit(0)
    stopped.cancel()


async def _stop_signal() -> None:
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    await stop.wait()
