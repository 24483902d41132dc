"""What our loop costs beside the same run on a bare Pydantic AI agent.

Both sides play the same script on a model that answers at once: three tool calls, one in each
round, then the answer. Both have the same tools, which give the same rows. They take turns, and
the medians are compared.
"""

import asyncio
import gc
import statistics
from time import perf_counter_ns
from typing import Any

from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from benchmarks.command import command, show
from veridical.agent.loop import run_loop
from veridical.agent.request import LoopRequest
from veridical.contracts.answer import AnswerKind
from veridical.contracts.result import Receipt, ToolResult

_INSTRUCTIONS = "Answer from the tools' results only. " * 40
_QUESTION = "How did the balance develop?"
_ROUNDS = 4
_ROWS = 20
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"year": {"type": "integer"}, "account": {"type": "string"}},
    "required": ["year"],
    "additionalProperties": False,
}
_NAMES = ("queryTable", "aggregateTable", "calculate")
_SCHEMAS = [
    {
        "type": "function",
        "function": {"name": name, "description": f"Does {name}.", "parameters": _SCHEMA},
    }
    for name in _NAMES
]


def look_up(name: str, arguments: dict[str, Any]) -> ToolResult:
    """Twenty rows with a receipt."""
    rows = [[arguments["year"], f"{1000 + row}", f"{row * 17}.50", "CHF"] for row in range(_ROWS)]
    return ToolResult(
        success=True,
        data={"columns": ["year", "account", "balance", "currency"], "rows": rows},
        receipt=Receipt(
            call_id="c",
            query_hash="q",
            ontology_hash="o",
            sql="SELECT 1",
            row_count=_ROWS,
            truncated=False,
            elapsed_ms=0.0,
        ),
    )


async def _play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    answered = sum(isinstance(message, ModelResponse) for message in messages)
    if answered == _ROUNDS - 1:
        return ModelResponse([TextPart("It rose.")])
    arguments = {"year": 2023 + answered, "account": "1020"}
    return ModelResponse([ToolCallPart(_NAMES[answered], arguments, f"call-{answered}")])


def _bare_tool(name: str) -> Tool[object]:
    def call(**arguments: Any) -> ToolResult:
        return look_up(name, arguments)

    return Tool.from_schema(call, name, f"Does {name}.", _SCHEMA)


async def figures(turns: int) -> dict[str, Any]:
    """Median milliseconds of both sides, and their ratio."""
    model = FunctionModel(_play, model_name="instant")
    tools = [_bare_tool(name) for name in _NAMES]
    agent: Agent[object, str] = Agent(model, instructions=_INSTRUCTIONS, tools=tools)
    request = LoopRequest(_QUESTION, _INSTRUCTIONS)

    async def ours() -> None:
        events: list[object] = []
        outcome = await run_loop(request, model, look_up, _SCHEMAS, emit=events.append)
        assert len(events) > 2 * _ROUNDS
        assert outcome.kind is AnswerKind.AGENT
        assert (outcome.usage.rounds, outcome.usage.tool_calls) == (_ROUNDS, _ROUNDS - 1)
        assert len(outcome.sources) == _ROUNDS - 1

    async def bare() -> None:
        result = await agent.run(_QUESTION)
        assert result.output == "It rose."
        assert result.usage.requests == _ROUNDS

    sides = {ours: list[int](), bare: list[int]()}
    for turn in range(turns + 5):
        for side, taken in sides.items():
            gc.collect()
            start = perf_counter_ns()
            await side()
            if turn >= 5:
                taken.append(perf_counter_ns() - start)
    mine, theirs = (statistics.median(taken) / 1e6 for taken in sides.values())
    return {
        "overhead_ratio": round(mine / theirs, 3),
        "loop_ms": round(mine, 3),
        "bare_agent_ms": round(theirs, 3),
        "rounds": _ROUNDS,
        "tool_calls": _ROUNDS - 1,
        "turns": turns,
    }


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__)
    parser.add_argument("--turns", type=int, default=100, help="runs of each side")
    options = parser.parse_args()
    found = asyncio.run(figures(options.turns))
    show(found, options)


if __name__ == "__main__":
    main()
