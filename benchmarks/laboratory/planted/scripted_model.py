"""The scripted model of a planted defect: it errs as planted, and follows the rule's hint.

It mends its call when the planted rule speaks, by the code of that rule; it is as lost with any
other error as a model is that gets no advice.
"""

import re
from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from benchmarks.laboratory.planted.planted_defect import PlantedCall, PlantedDefect
from benchmarks.laboratory.simulated.conversation import answers_in, results_in
from veridical.contracts.chunk import CHUNKS
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode

_SLOT = re.compile(r"\{(\w+)\}")
_STUCK = {
    Language.DE: "Das kann ich leider nicht sagen.",
    Language.EN: "I can't say.",
    Language.ZH: "我无法回答这个问题。",
}


def planted_model(plant: PlantedDefect) -> FunctionModel:
    """The model that makes the planted mistake."""

    async def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return _next(plant, messages)

    return FunctionModel(speak, model_name="scripted")


def _next(plant: PlantedDefect, messages: Sequence[ModelMessage]) -> ModelResponse:
    results = results_in(messages)
    if answers_in(messages) > len(plant.case.thread):
        return _text(plant.again or plant.answer, plant, results)
    advised = next((at for at, each in enumerate(results) if _is_reported(plant, each)), None)
    if _is_lost(plant, results):
        return _text(_STUCK[plant.case.language], plant, results)
    script = plant.calls if advised is None else plant.repair
    made = len(results) if advised is None else len(results) - advised - 1
    if made < len(script):
        return _call(script[made], len(results))
    heeded = plant.heeded if advised is not None else ""
    return _text(heeded or plant.answer, plant, results)


def _is_lost(plant: PlantedDefect, results: Sequence[dict[str, Any]]) -> bool:
    """An error that is not the planted rule's; who errs in words answers all the same."""
    if isinstance(plant.rule, GateCode) or not results:
        return False
    return not results[-1]["success"] and not _is_reported(plant, results[-1])


def _is_reported(plant: PlantedDefect, result: dict[str, Any]) -> bool:
    """True if the planted rule of the check reports this call."""
    details = result.get("errorDetails") or {}
    reports = (details, *details.get("others", ()), *result.get("warnings", ()))
    return any(each.get("code") == plant.rule for each in reports)


def _call(call: PlantedCall, number: int) -> ModelResponse:
    return ModelResponse([ToolCallPart(call.tool, call.arguments, f"call-{number}")])


def _text(template: str, plant: PlantedDefect, results: Sequence[dict[str, Any]]) -> ModelResponse:
    found = next((result["data"] for result in reversed(results) if result["success"]), {})
    rows, columns = found.get("rows", []), found.get("columns", [])
    if results and not rows and plant.empty and template == plant.answer:
        template = plant.empty
    values: dict[str, Any] = {"rows": len(rows)}
    for place, name in enumerate(columns):
        cells = [row[place] for row in rows]
        values |= {name: cells[0] if cells else "", f"all_{name}": ", ".join(map(str, cells))}
    passages = (each for result in results for each in _passages(result))
    values |= {f"chunk_{place}": each["id"] for place, each in enumerate(passages, 1)}
    return ModelResponse([TextPart(_filled(template, values))])


def _passages(result: dict[str, Any]) -> list[dict[str, Any]]:
    return result["data"].get(CHUNKS, []) if result["success"] else []


def _filled(template: str, values: dict[str, Any]) -> str:
    return _SLOT.sub(lambda slot: str(values.get(slot[1], "")), template)
