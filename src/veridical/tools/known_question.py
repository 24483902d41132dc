"""Canonical questions as a choice: the model names one and its slots, the ontology has the call."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language, in_language
from veridical.contracts.result import RanAs, ToolResult, refused
from veridical.contracts.violation import Code, Refusal, Violation
from veridical.messages import say
from veridical.ontology.filling import filled
from veridical.ontology.model import CanonicalQueryPattern, OntologyDescriptor, Slot
from veridical.ontology.nearest import nearest
from veridical.route.pattern_call import fill_call
from veridical.route.pattern_index import PatternIndex, slot_values
from veridical.tools.arguments import Arguments, as_object, malformed
from veridical.tools.known_slot import Names, example_of, expected, read_value, slot_schema
from veridical.tools.tables import TABLE_TOOLS

KNOWN_QUESTION = "knownQuestion"
_QUESTION = "question"
_LONGEST_HINT = 80
_ALIKE = 0.5
"""The share of words that the names of two variants of one question have in common."""

CallTool = Callable[[str, dict[str, Any]], ToolResult]


@dataclass(frozen=True, slots=True)
class KnownQuestions:
    """The canonical questions that one caller may ask by name."""

    patterns: Mapping[str, CanonicalQueryPattern]
    conditions: Mapping[str, str]
    """By sub-class: the condition that a slot is filled with."""
    names: Names
    """By sub-class: what people call it."""

    @property
    def slots(self) -> Mapping[str, tuple[Slot, ...]]:
        """All slots by name: questions may share a name and take other values under it."""
        found: dict[str, list[Slot]] = {}
        for pattern in self.patterns.values():
            for slot in pattern.slots:
                found.setdefault(slot.name, []).append(slot)
        return {name: tuple(slots) for name, slots in found.items()}


def known_questions(ontology: OntologyDescriptor, index: PatternIndex) -> KnownQuestions | None:
    """The questions of an ontology that can be filled in and run on tables; none without any."""
    patterns = {
        pattern.intent: pattern.model_copy(
            update={
                "slots": tuple(
                    slot.model_copy(update={"values": slot_values(slot, ontology)})
                    for slot in pattern.slots
                )
            }
        )
        for pattern in ontology.canonical_patterns
        if pattern.pattern.get("tool") in TABLE_TOOLS
        and all(slot.kind is not None for slot in pattern.slots)
    }
    return KnownQuestions(patterns, index.conditions, index.names) if patterns else None


def ask_known_question(
    arguments: Arguments, known: KnownQuestions, call: CallTool, language: Language
) -> ToolResult:
    """The result of the call behind a known question, or what is wrong with how it was asked."""
    given = as_object(arguments)
    if given is None:
        return refused(malformed(None, say("tools.not_an_object", language)))
    told = {name: value for name, value in given.items() if value not in (None, "")}
    pattern = known.patterns.get(str(told.pop(_QUESTION, "")))
    if pattern is None:
        return refused(_unknown(given.get(_QUESTION), known, language))
    wrong = tuple(_violations(pattern, told, known, language))
    if wrong:
        return refused(Refusal(violations=wrong))
    values = {slot.name: read_value(slot, told[slot.name], known.names) for slot in pattern.slots}
    ready = fill_call(pattern, values, known.conditions)
    tool = ready.pop("tool")
    return call(tool, ready).model_copy(update={"ran_as": RanAs(tool=tool, arguments=ready)})


def known_question_schema(known: KnownQuestions, language: Language) -> dict[str, Any]:
    """The tool as a function schema: every question with its slots, one argument for each slot."""
    lines = (_line(pattern, language) for pattern in known.patterns.values())
    intents = {
        "type": "string",
        "enum": list(known.patterns),
        "description": say("tools.arg_question", language),
    }
    slots = {name: slot_schema(slots, known.names, language) for name, slots in known.slots.items()}
    return {
        "type": "function",
        "function": {
            "name": KNOWN_QUESTION,
            "description": "\n".join((say(f"tools.{KNOWN_QUESTION}", language), *lines)),
            "parameters": {
                "type": "object",
                "properties": {_QUESTION: intents, **slots},
                "required": [_QUESTION],
                "additionalProperties": False,
            },
        },
    }


def worked_examples(
    known: KnownQuestions, language: Language
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Questions with the tool and arguments that answer them, each with other slots."""
    seen: set[frozenset[str]] = set()
    for pattern in known.patterns.values():
        asked = next(iter(pattern.questions.get(language, ())), "")
        values = {slot.name: example_of(slot) for slot in pattern.slots}
        if not asked or "" in values.values() or frozenset(values) in seen:
            continue
        seen.add(frozenset(values))
        spoken = {
            name: in_language(known.names.get(str(value), str(value)), language)
            for name, value in values.items()
        }
        yield filled(asked, spoken), KNOWN_QUESTION, {_QUESTION: pattern.intent, **values}


def _line(pattern: CanonicalQueryPattern, language: Language) -> str:
    asked = next(iter(pattern.questions.get(language, ())), "")
    slots = ", ".join(slot.name for slot in pattern.slots)
    return f"{pattern.intent}({slots})" + (f": {asked}" if asked else "")


def _unknown(given: Any, known: KnownQuestions, language: Language) -> Refusal:
    if given in (None, ""):
        return malformed(_QUESTION, say("tools.missing", language, name=_QUESTION))
    hint = say("tools.unknown_question", language, name=str(given)[:40])
    return _refusal(_QUESTION, hint, nearest(str(given), known.patterns, 50))


def _violations(
    pattern: CanonicalQueryPattern,
    told: Mapping[str, Any],
    known: KnownQuestions,
    language: Language,
) -> Iterator[Violation]:
    slots = {slot.name: slot for slot in pattern.slots}
    for name in told.keys() - slots.keys():
        hint = say("tools.no_such_slot", language, name=name[:24], intent=pattern.intent)
        yield _refusal(name[:40], hint, _sibling(pattern, {*told}, known)).primary
    for name, slot in slots.items():
        example = example_of(slot)
        if name not in told:
            hint = say("tools.missing_slot", language, name=name, example=example)
            yield _refusal(name, hint, None).primary
        elif read_value(slot, told[name], known.names) is None:
            takes = expected(slot, known.names, language)
            hint = say("tools.no_such_value", language, name=name, expected=takes)
            near = nearest(str(told[name]), slot.values) if slot.values else None
            yield _refusal(name, hint, near).primary


def _sibling(pattern: CanonicalQueryPattern, told: set[str], known: KnownQuestions) -> str | None:
    """The variant of this question that has a place for all that was told."""
    words = set(pattern.intent.split("_"))

    def likeness(other: CanonicalQueryPattern) -> float:
        theirs = set(other.intent.split("_"))
        return len(words & theirs) / len(words | theirs)

    fitting = [
        other
        for other in known.patterns.values()
        if told <= {slot.name for slot in other.slots} and likeness(other) >= _ALIKE
    ]
    return max(fitting, key=likeness).intent if fitting else None


def _refusal(field: str, hint: str, suggestion: str | None) -> Refusal:
    violation = Violation(
        code=Code.SYNTAX_ERROR, field=field, suggestion=suggestion, hint=hint[:_LONGEST_HINT]
    )
    return Refusal(violations=(violation,))
