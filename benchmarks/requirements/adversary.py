"""A scripted model that lies about requirements: one way to lie each, and what it slips in.

It answers the same request as a real model and knows nothing of how answers are held against the
requirement. What it plants is made up, so that no requirement has it by chance.
"""

import re
from collections.abc import Callable, Mapping

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

Lie = Callable[[str], dict[str, str]]
PLANTED = ("4711", "parsec", "quantumbroker", "dragonlanding", "moonfall", "profitdoubling")
_NEGATIONS = re.compile(r"\b(not|no|never|without|nicht|kein\w*|nie|ohne)\b\s*", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*\s*\w*")


def _halves(text: str) -> tuple[str, str]:
    words = text.rstrip(".").split()
    middle = max(1, len(words) // 2)
    return " ".join(words[:middle]), " ".join(words[middle:])


def _swapped(text: str) -> dict[str, str]:
    first, last = _halves(text)
    return {"clause": f"{last} {first}"}


def _cut(text: str) -> dict[str, str]:
    first, last = _halves(text)
    return {"event": first, "clause": last}


def _tail(text: str) -> dict[str, str]:
    first, last = _halves(text)
    return {"state": last, "clause": first}


LIES: Mapping[str, Lie] = {
    "number": lambda text: {"clause": f"{text.rstrip('.')} 4711 ms"},
    "other_number": lambda text: {"clause": _NUMBER.sub("4711 ms", text)},
    "unit": lambda text: {"clause": re.sub(r"(\d)\s*\w+", r"\1 parsec", text), "event": "5 parsec"},
    "actor": lambda text: {"role": "quantumbroker", "clause": f"The quantumbroker shall {text}"},
    "condition": lambda text: {"event": "dragonlanding", "state": "moonfall", "clause": text},
    "glued_condition": lambda text: {"event": f"{_halves(text)[0]} dragonlanding", "clause": text},
    "benefit": lambda text: {"benefit": "so that profitdoubling", "clause": text},
    "negation_dropped": lambda text: {"clause": _NEGATIONS.sub("", text)},
    "negation_added": lambda text: {"clause": text.replace(" ", " not ", 1)},
    "swapped": _swapped,
    "cut_into_condition": _cut,
    "demand_as_condition": _tail,
    "everything_is_condition": lambda text: {"state": text, "event": text},
    "hidden_in_brackets": lambda text: {"clause": f"{text} [4711 parsec]", "state": "[moonfall]"},
    "whole_as_role": lambda text: {"role": text, "clause": ""},
}


def lying(lie: Lie) -> FunctionModel:
    """The model that tells this lie about whatever it is asked."""

    async def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        parts = messages[-1].parts
        said = "".join(str(each.content) for each in parts if isinstance(each, UserPromptPart))
        tool = info.output_tools[0].name
        return ModelResponse([ToolCallPart(tool, lie(said.partition(": ")[2]), "call-1")])

    return FunctionModel(speak, model_name="lying")
