"""The prompt: the stable part first, then the conversation, the question last.

Providers cache a common beginning, so rules, ontology and examples are the same bytes for every
question, and only the end differs.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from pydantic_ai.messages import InstructionPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from veridical.agent.answer_form import AnswerForm
from veridical.agent.request import LoopRequest
from veridical.agent.selection import (
    ANSWER_IN_FACTS,
    ANSWER_TEXT,
    FINAL_ANSWER,
    SHOW_RESULT,
)
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.filling import filled
from veridical.ontology.model import CanonicalQueryPattern

WorkedExample = tuple[str, str, dict[str, Any]]
"""A question, the tool that answers it, and the arguments."""
MOST_EXAMPLES = 4
_ENDING = {AnswerForm.FACTS: "agent.end_with_facts", AnswerForm.ROWS: "agent.end_with_rows"}
_SHORT = 16


def compose_instructions(
    language: Language,
    ontology_prompt: str = "",
    patterns: Iterable[CanonicalQueryPattern] = (),
    tool_names: Sequence[str] = (),
    *,
    tool_choice_required: bool = False,
    known_questions: Iterable[WorkedExample] = (),
    answer_form: AnswerForm = AnswerForm.TEXT,
) -> str:
    """The stable part of the prompt in this language. Where a tool knows the canonical questions,
    examples show that tool, not the calls behind it."""
    ending = "agent.end_with_tool" if tool_choice_required else "agent.end_with_text"
    ending = _ENDING.get(answer_form, ending)
    parts = [message("agent.instructions", language), message(ending, language), ontology_prompt]
    worked = [_worked(*each, language) for each in islice(known_questions, MOST_EXAMPLES)]
    if worked:
        parts.insert(1, message("agent.known_questions", language))
    examples = "\n\n".join(worked or _examples(patterns, language, tool_names))
    if examples:
        parts.append(f"{message('agent.examples', language)}\n{examples}")
    if answer_form is not AnswerForm.ROWS:
        in_facts = answer_form is AnswerForm.FACTS
        argument = (ANSWER_IN_FACTS if in_facts else ANSWER_TEXT) if tool_choice_required else ""
        parts.append(_after_failure(language, argument))
    return "\n\n".join(part.strip() for part in parts if part.strip())


def rules_hash() -> str:
    """The hash of the rules for every model: runs with other rules are other runs."""
    instructions = (
        compose_instructions(language, tool_choice_required=required, answer_form=form)
        for language in Language
        for required, form in (
            (False, AnswerForm.TEXT),
            (True, AnswerForm.TEXT),
            (True, AnswerForm.FACTS),
            (True, AnswerForm.ROWS),
        )
    )
    return hashlib.sha256("\n".join(instructions).encode()).hexdigest()[:_SHORT]


def without_rules(instructions: str, language: Language) -> str:
    """The instructions without the rules, whose forbidden stand-ins name no data."""
    rules = [message("agent.instructions", language).strip()]
    rules += (_after_failure(language, each) for each in ("", ANSWER_TEXT, ANSWER_IN_FACTS))
    for part in rules:
        instructions = instructions.replace(part, "")
    return instructions


def request_parameters(
    request: LoopRequest, schemas: Iterable[dict[str, Any]]
) -> ModelRequestParameters:
    """The tools and the instructions, in the form that goes with every request of a run."""
    tools = [_tool(schema["function"]) for schema in schemas]
    by_tool = request.tool_choice_required
    return ModelRequestParameters(
        function_tools=tools,
        output_tools=_endings(request) if by_tool else [],
        output_mode="tool" if by_tool else "text",
        allow_text_output=not by_tool,
        instruction_parts=[InstructionPart(request.instructions)],
    )


def in_form(
    parameters: ModelRequestParameters, request: LoopRequest, sources: Sequence[Source]
) -> ModelRequestParameters:
    """The same with a final answer that can only name existing rows and columns."""
    if request.answer_schema is None or not parameters.output_tools:
        return parameters
    schema = request.answer_schema(sources)
    endings = [
        replace(tool, parameters_json_schema=schema) if tool.name == FINAL_ANSWER else tool
        for tool in parameters.output_tools
    ]
    return replace(parameters, output_tools=endings)


def moment(at: float) -> datetime:
    """A recorded time as a datetime: messages must not read the clock themselves."""
    return datetime.fromtimestamp(at, UTC)


def _tool(function: dict[str, Any]) -> ToolDefinition:
    return ToolDefinition(
        name=function["name"],
        description=function["description"],
        parameters_json_schema=function["parameters"],
        strict=False,
    )


def _endings(request: LoopRequest) -> list[ToolDefinition]:
    """The tools that end a run; the second if results may come in words, none if its rows do."""
    if request.answer_form is AnswerForm.ROWS:
        return []
    ending = _final_answer(request.language)
    return [ending, _show_result(request.language)] if request.results_in_words else [ending]


def _show_result(language: Language) -> ToolDefinition:
    return ToolDefinition(
        name=SHOW_RESULT,
        description=message("agent.show_result", language),
        parameters_json_schema={"type": "object", "properties": {}, "additionalProperties": False},
        kind="output",
        strict=False,
    )


def _final_answer(language: Language) -> ToolDefinition:
    text = {"type": "string", "description": message("agent.arg_text", language)}
    return ToolDefinition(
        name=FINAL_ANSWER,
        description=message("agent.final_answer", language),
        parameters_json_schema={
            "type": "object",
            "properties": {ANSWER_TEXT: text},
            "required": [ANSWER_TEXT],
            "additionalProperties": False,
        },
        kind="output",
        strict=False,
    )


def _after_failure(language: Language, argument: str) -> str:
    """The text for after a failed call, with an example; as a call of the final answer if there is
    an argument for it."""
    honest = message("agent.honest_failure", language)
    if argument:
        facts: dict[str, Any] = {"facts": {}} if argument == ANSWER_IN_FACTS else {}
        honest = _called(FINAL_ANSWER, {**facts, argument: honest})
    return message("agent.after_failure", language, honest=honest)


def _examples(
    patterns: Iterable[CanonicalQueryPattern], language: Language, tool_names: Sequence[str]
) -> Iterator[str]:
    """Some known questions with their calls, one of each tool before a second of any."""
    usable = [each for each in patterns if each.pattern.get("tool") in tool_names]
    turns: list[tuple[int, int, CanonicalQueryPattern]] = []
    seen: dict[str, int] = {}
    for place, pattern in enumerate(usable):
        tool = pattern.pattern["tool"]
        turns.append((seen.get(tool, 0), place, pattern))
        seen[tool] = seen.get(tool, 0) + 1
    in_turns = (pattern for _, _, pattern in sorted(turns, key=lambda turn: turn[:2]))
    examples = (_example(pattern, language) for pattern in in_turns)
    return islice(filter(None, examples), MOST_EXAMPLES)


def _example(pattern: CanonicalQueryPattern, language: Language) -> str:
    """A question and the exact call for it; empty if the pattern lacks a question or a value."""
    question = next(iter(pattern.questions.get(language, ())), "")
    values = {slot.name: slot.examples[0] for slot in pattern.slots if slot.examples}
    if not question or len(values) < len(pattern.slots):
        return ""
    example = filled(pattern.pattern, values)
    arguments = {name: value for name, value in example.items() if name != "tool"}
    return _worked(filled(question, values), example["tool"], arguments, language)


def _worked(question: str, tool: str, arguments: dict[str, Any], language: Language) -> str:
    return message("agent.example", language, question=question, call=_called(tool, arguments))


def _called(tool: str, arguments: dict[str, Any]) -> str:
    call = {"name": tool, "arguments": arguments}
    return json.dumps(call, ensure_ascii=False, separators=(",", ":"))
