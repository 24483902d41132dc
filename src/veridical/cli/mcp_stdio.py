"""Implementation of ``veridical mcp``: opens the data, and serves one program until it
disconnects."""

import asyncio
import logging
import os
import signal
from uuid import uuid4

from mcp.server.stdio import stdio_server

from veridical.answering.flow import answer
from veridical.answering.session import Emit
from veridical.cli.runtime import local_caller, opened_runtime, runtime_settings
from veridical.cli.terminal import log_to_terminal
from veridical.console.answer_panel import AnswerPanels
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.trace import AgentTrace
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.reload_signal import watched_files
from veridical.host.runtime import reopen_runtime
from veridical.host.settings import RuntimeSettings
from veridical.server.mcp.answer_panel import PANEL_EXTENSION
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.direct_calls import DirectCalls
from veridical.server.mcp.server import mcp_server
from veridical.trace.address import open_traces, traces_address
from veridical.trace.recorder import Recorder, TraceStore

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


async def serve_stdio(
    current: CurrentRuntime, feature: str, caller: Caller, traces: TraceStore
) -> None:
    """Answers until the input ends."""

    async def ask(question: Question, listen: Emit) -> Answer:
        recorder = Recorder(str(uuid4()), (traces,), (listen,))
        session = current.session(question.feature, caller, recorder.emit)
        given = await answer(question, session, trace_id=recorder.trace_id)
        recorder.flush()
        return given

    def keep(trace: AgentTrace) -> None:
        recorder = Recorder(trace.trace_id, (traces,))
        for event in trace.events:
            recorder.emit(event)

    direct = DirectCalls(keep=keep)
    client = McpClient({feature: caller}, caller.language, ask, direct, panels=AnswerPanels())
    server = mcp_server(lambda: current.now, lambda context: client, caller.language)
    server.extensions = PANEL_EXTENSION
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
