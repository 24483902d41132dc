"""MCP over standard input and output, for one local client."""

from uuid import uuid4

from mcp.server.stdio import stdio_server

from veridical.answering.flow import answer
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question
from veridical.contracts.trace import AgentTrace
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.direct_calls import DirectCalls
from veridical.server.mcp.server import mcp_server
from veridical.trace.recorder import Recorder
from veridical.trace.store import TraceStore


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

    client = McpClient({feature: caller}, caller.language, ask, DirectCalls(keep=keep))
    server = mcp_server(lambda: current.now, lambda context: client, caller.language)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
