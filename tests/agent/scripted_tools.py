"""Scripted tools with real results, and runs of the loop on it."""

from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.models import Model

from veridical.agent.loop import run_loop
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.contracts.result import Receipt, ToolResult, refused
from veridical.contracts.step import Progress, Step, directly
from veridical.contracts.trace import BudgetSpent, ModelCalled, ToolCalled
from veridical.contracts.violation import Code, Refusal, Violation

SCHEMAS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Does {name}.",
            "parameters": {"type": "object", "properties": {"year": {"type": "integer"}}},
        },
    }
    for name in ("lookUp", "calculate")
]


def receipt(rows: int) -> Receipt:
    return Receipt(
        call_id="c",
        query_hash="q",
        ontology_hash="o",
        sql="SELECT 1",
        row_count=rows,
        truncated=False,
        elapsed_ms=1.5,
    )


@dataclass
class ScriptedTools:
    """Looks balances up by year; refuses what is no year."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list[Any])

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        self.calls.append((name, arguments))
        match arguments:
            case {"year": int(year)}:
                rows = [[year, "1020", "4711.50"]]
                data = {"columns": ["year", "account", "balance"], "rows": rows}
                return ToolResult(success=True, data=data, receipt=receipt(1))
            case {"inWords": int(year)}:
                data = {"columns": ["balance"], "rows": [["4711.50"]]}
                words = f"Saldo {year}: 4711.50"
                return ToolResult(success=True, data=data, receipt=receipt(1), answer=words)
            case {"broken": _}:
                raise RuntimeError("a bug")
            case {"down": _}:
                details = {"code": "UNAVAILABLE", "hint": "away", "actor": "host"}
                return ToolResult(success=False, error="UNAVAILABLE", error_details=details)
            case _:
                field_name = next(iter(arguments), "nothing")
                hint = f"There is no field {field_name}."
                violation = Violation(code=Code.FIELD_NOT_FOUND, field=field_name, hint=hint)
                return refused(Refusal(violations=(violation,)))


@dataclass
class Watched:
    """A run with all that it emitted."""

    outcome: LoopOutcome
    events: list[ModelCalled | ToolCalled | BudgetSpent]
    progress: list[Progress]
    scripted: ScriptedTools

    @property
    def tools(self) -> list[ToolCalled]:
        return [event for event in self.events if isinstance(event, ToolCalled)]

    @property
    def models(self) -> list[ModelCalled]:
        return [event for event in self.events if isinstance(event, ModelCalled)]


async def watch(
    model: Model,
    request: LoopRequest | None = None,
    step: Step = directly,
    tools: ScriptedTools | None = None,
) -> Watched:
    tools = tools or ScriptedTools()
    emitted: list[ModelCalled | ToolCalled | BudgetSpent | Progress] = []
    request = request or LoopRequest("What is the balance?", "Be exact.")
    outcome = await run_loop(request, model, tools.call, SCHEMAS, step, emitted.append)
    return Watched(
        outcome,
        [event for event in emitted if not isinstance(event, Progress)],
        [event for event in emitted if isinstance(event, Progress)],
        tools,
    )
