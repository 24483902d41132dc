"""Canonical questions as a tool: the model names one and its slots, the ontology has the call."""

from collections.abc import Callable, Iterator
from typing import Any

from veridical.check.arguments import as_object
from veridical.contracts.language import Language, in_language
from veridical.contracts.result import RanAs, ToolResult, refused
from veridical.contracts.tool import Arguments
from veridical.contracts.violation import Code, malformed
from veridical.messages import message
from veridical.ontology.filling import filled
from veridical.ontology.model import CanonicalQueryPattern
from veridical.route.pattern_call import fill_call
from veridical.tools.known_answer import known_answer
from veridical.tools.known_mistake import QUESTION, Mistake, mistakes, siblings, unknown_question
from veridical.tools.known_slot import called_values, example_of, read_value, settled, slot_schema
from veridical.tools.repertoire import Repertoire
from veridical.tools.schemas import KNOWN_QUESTION

ASK = "ask"

CallTool = Callable[[str, dict[str, Any]], ToolResult]
Passes = Callable[[str, dict[str, Any]], bool]
"""Whether the check would let a call through."""


def ask_known_question(
    arguments: Arguments, known: Repertoire, call: CallTool, passes: Passes, language: Language
) -> ToolResult:
    """The result of the call behind a known question, or what is wrong with how it was asked."""
    given = as_object(arguments)
    given = given if given is None else as_object(given.get(ASK, given))
    if given is None:
        return refused(malformed(None, message("tools.not_an_object", language)))
    told = {name: value for name, value in given.items() if value not in (None, "")}
    intent = told.pop(QUESTION, "")
    pattern = known.patterns.get(intent) if isinstance(intent, str) else None
    if pattern is None:
        return _refused(unknown_question(intent, known, language))
    told = settled(pattern, told, known.slots)
    wrong = mistakes(pattern, told, known, language)
    if wrong is not None:
        return _refused(wrong)
    values = _values(pattern, told, known)
    tool, ready = _call_of(pattern, values, known)
    result = call(tool, ready)
    if (result.error_details or {}).get("code") == Code.WRONG_TABLE_FOR_PURPOSE:
        others = siblings(pattern, told, known)
        fitting = (
            each for each in others if passes(*_call_of(each, _values(each, told, known), known))
        )
        return _corrected(result, next(fitting, None), told)
    return result.model_copy(
        update={
            "ran_as": RanAs(tool=tool, arguments=ready),
            "answer": known_answer(pattern, values, result, known.index, language),
        }
    )


def _values(
    pattern: CanonicalQueryPattern, told: dict[str, Any], known: Repertoire
) -> dict[str, Any]:
    return {slot.name: read_value(slot, told[slot.name], known.names) for slot in pattern.slots}


def _call_of(
    pattern: CanonicalQueryPattern, values: dict[str, Any], known: Repertoire
) -> tuple[str, dict[str, Any]]:
    ready = fill_call(pattern, values, known.conditions)
    return ready.pop("tool"), ready


def _corrected(
    result: ToolResult, other: CanonicalQueryPattern | None, told: dict[str, Any]
) -> ToolResult:
    """A refusal with another question that takes the same and is let through."""
    if other is None:
        return result
    return _offering(result, {QUESTION: other.intent, **told})


def known_question_schema(known: Repertoire, language: Language) -> dict[str, Any]:
    """The tool as a function schema: a choice of questions, each with exactly its slots.

    Providers refuse a choice at the top of a schema, so it is the tool's one argument.
    """
    choices = [_choice(pattern, language) for pattern in known.patterns.values()]
    return {
        "type": "function",
        "function": {
            "name": KNOWN_QUESTION,
            "description": "\n".join(
                (message(f"tools.{KNOWN_QUESTION}", language), *_closed_lists(known, language))
            ),
            "parameters": {
                "type": "object",
                "properties": {ASK: {"anyOf": choices}},
                "required": [ASK],
                "additionalProperties": False,
            },
        },
    }


def _choice(pattern: CanonicalQueryPattern, language: Language) -> dict[str, Any]:
    slots = {slot.name: slot_schema(slot) for slot in pattern.slots}
    named = {"const": pattern.intent, "description": _asked(pattern, language)}
    return {
        "type": "object",
        "properties": {QUESTION: named, **slots},
        "required": [QUESTION, *slots],
    }


def _closed_lists(known: Repertoire, language: Language) -> Iterator[str]:
    """What people call the values of slots that choose."""
    for name, slots in known.slots.items():
        called = called_values(slots, known.names, language)
        if called:
            yield f"{name}: {called}"


def worked_examples(
    known: Repertoire, language: Language
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Questions with the tool and arguments that answer them, each with other slots."""
    seen: set[frozenset[str]] = set()
    for pattern in known.patterns.values():
        asked = _asked(pattern, language)
        values = {slot.name: example_of(slot) for slot in pattern.slots}
        if not asked or "" in values.values() or frozenset(values) in seen:
            continue
        seen.add(frozenset(values))
        spoken = {
            name: in_language(known.names.get(str(value), str(value)), language)
            for name, value in values.items()
        }
        yield filled(asked, spoken), KNOWN_QUESTION, {ASK: {QUESTION: pattern.intent, **values}}


def _asked(pattern: CanonicalQueryPattern, language: Language) -> str:
    return next(iter(pattern.questions.get(language, ())), "")


def _refused(mistake: Mistake) -> ToolResult:
    result = refused(mistake.refusal)
    return result if mistake.instead is None else _offering(result, mistake.instead)


def _offering(result: ToolResult, ask: dict[str, Any]) -> ToolResult:
    corrected = {"tool": KNOWN_QUESTION, ASK: ask}
    details = {**(result.error_details or {}), "correctedCall": corrected}
    return result.model_copy(update={"error_details": details})
