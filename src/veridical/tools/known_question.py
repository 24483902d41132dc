"""Canonical questions as a tool: the model names one and its slots, the ontology has the call."""

from calendar import monthrange
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from veridical.agent.results import as_source
from veridical.check.arguments import as_object
from veridical.contracts.language import Language, in_language
from veridical.contracts.result import RanAs, ToolResult, refused
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool
from veridical.contracts.violation import Code, malformed
from veridical.evidence.read import typed_tables
from veridical.gate.evidence.source import Meaning, exhibit_of
from veridical.messages import message
from veridical.ontology.filling import filled
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, SlotKind
from veridical.reading.periods import At, Period
from veridical.route.pattern_call import fill_call
from veridical.route.patterns import PatternIndex, PatternMatch
from veridical.route.render import known_question
from veridical.tools.argument_schemas import built_in_texts, one_object
from veridical.tools.context import BuiltIn, DataContext
from veridical.tools.known_mistake import QUESTION, Mistake, mistakes, siblings, unknown_question
from veridical.tools.known_slot import (
    called_values,
    either_slot,
    example_of,
    read_value,
    settled,
    slot_schema,
)
from veridical.tools.repertoire import Repertoire
from veridical.tools.tables import CheckedTableCall, check_table_call, run_table_call

KNOWN_QUESTION = "knownQuestion"
ASK = "ask"

Passes = Callable[[str, dict[str, Any]], bool]
"""True if the check would pass a call."""


@dataclass(frozen=True, slots=True)
class KnownCall:
    """A known question with its slots filled in: the call that answers it."""

    pattern: CanonicalQueryPattern
    inputs: dict[str, Any]
    values: dict[str, Any]
    known: Repertoire

    @property
    def call(self) -> tuple[str, dict[str, Any]]:
        """The tool and its arguments."""
        return _call_of(self.pattern, self.values, self.known)


@dataclass(frozen=True, slots=True)
class CheckedKnownCall:
    """A known question whose call passed the check."""

    known_call: KnownCall
    ready: CheckedTableCall

    @property
    def reads(self) -> tuple[str, ...]:
        """The tool behind the question, and everything it reads."""
        return (self.ready.call.tool, *self.ready.reads)


def read_known_question(
    arguments: Arguments, known: Repertoire, language: Language
) -> KnownCall | ToolResult:
    """The call of a known question, or its errors."""
    given = as_object(arguments)
    given = given if given is None else as_object(given.get(ASK, given))
    if given is None:
        return refused(malformed(None, message("tools.not_an_object", language)))
    inputs = {name: value for name, value in given.items() if value not in (None, "")}
    intent = inputs.pop(QUESTION, "")
    pattern = known.patterns.get(intent) if isinstance(intent, str) else None
    if pattern is None:
        return _refused(unknown_question(intent, known, language))
    inputs = settled(pattern, inputs, known.slots)
    wrong = mistakes(pattern, inputs, known, language)
    if wrong is not None:
        return _refused(wrong)
    return KnownCall(pattern, inputs, _values(pattern, inputs, known), known)


def known_result(
    known_call: KnownCall, result: ToolResult, passes: Passes, language: Language
) -> ToolResult:
    """The result of the call behind a known question, as the result of that question."""
    pattern, inputs, known = known_call.pattern, known_call.inputs, known_call.known
    if (result.error_details or {}).get("code") == Code.WRONG_TABLE_FOR_PURPOSE:
        others = siblings(pattern, inputs, known)
        fitting = (
            each for each in others if passes(*_call_of(each, _values(each, inputs, known), known))
        )
        return _corrected(result, next(fitting, None), inputs)
    tool, ready = known_call.call
    match = _match(pattern, known_call.values, known.index)
    ran = RanAs(tool=tool, arguments=ready, known=known_question(match, language))
    ran_as = result.model_copy(update={"ran_as": ran})
    return ran_as.model_copy(update={"answer": _answer(ran_as, known.meaning, language)})


def _check(arguments: Arguments, context: DataContext) -> CheckedKnownCall | ToolResult:
    known_call = read_known_question(arguments, _known(context), context.language)
    if isinstance(known_call, ToolResult):
        return known_call
    ready = check_table_call(*known_call.call, context)
    if isinstance(ready, ToolResult):
        return known_result(known_call, ready, partial(_passes, context=context), context.language)
    return CheckedKnownCall(known_call, ready)


def _run(checked: CheckedKnownCall, context: DataContext) -> ToolResult:
    result = run_table_call(checked.ready, context)
    passes = partial(_passes, context=context)
    return known_result(checked.known_call, result, passes, context.language)


def _passes(tool: str, arguments: dict[str, Any], context: DataContext) -> bool:
    return isinstance(check_table_call(tool, arguments, context), CheckedTableCall)


def _known(context: DataContext) -> Repertoire:
    if context.known is None:
        raise LookupError("there are no known questions")
    return context.known


def _values(
    pattern: CanonicalQueryPattern, inputs: dict[str, Any], known: Repertoire
) -> dict[str, Any]:
    return {slot.name: read_value(slot, inputs[slot.name], known.names) for slot in pattern.slots}


def _call_of(
    pattern: CanonicalQueryPattern, values: dict[str, Any], known: Repertoire
) -> tuple[str, dict[str, Any]]:
    ready = fill_call(pattern, values, known.conditions)
    return ready.pop("tool"), ready


def _corrected(
    result: ToolResult, other: CanonicalQueryPattern | None, inputs: dict[str, Any]
) -> ToolResult:
    """A refusal with another question that takes the same values and passes the check."""
    if other is None:
        return result
    return _offering(result, {QUESTION: other.intent, **inputs})


def _schema(view: SchemaView, context: DataContext) -> JsonSchema:
    """A choice of questions, each with exactly its slots.

    Providers refuse a choice at the top of a schema, so it is the tool's one argument.
    """
    patterns, language = _known(context).patterns.values(), context.language
    if view.flat:
        return one_object({ASK: _one_of_them(patterns, language)}, ASK)
    return one_object({ASK: {"anyOf": [_choice(each, language) for each in patterns]}}, ASK)


def _closed_lists(view: SchemaView, context: DataContext) -> str:
    """The display names of the values of slots with closed lists."""
    del view
    known = _known(context)
    lists = (
        (name, called_values(slots, known.names, context.language))
        for name, slots in known.slots.items()
    )
    return "".join(f"\n{name}: {called}" for name, called in lists if called)


def _choice(pattern: CanonicalQueryPattern, language: Language) -> dict[str, Any]:
    slots = {slot.name: slot_schema(slot) for slot in pattern.slots}
    named = {"const": pattern.intent, "description": _template(pattern, language)}
    return {
        "type": "object",
        "properties": {QUESTION: named, **slots},
        "required": [QUESTION, *slots],
    }


def _one_of_them(patterns: Collection[CanonicalQueryPattern], language: Language) -> dict[str, Any]:
    """All questions in one object, about half as long as the choice: each slot is there once,
    and the wordings say which question has which."""
    wordings = "\n".join(f"{each.intent}: {_template(each, language)}" for each in patterns)
    named = {"enum": [each.intent for each in patterns], "description": wordings}
    slots: dict[str, dict[str, Any]] = {}
    for slot in (slot for each in patterns for slot in each.slots):
        slots[slot.name] = either_slot(slots.get(slot.name), slot_schema(slot))
    return {"type": "object", "properties": {QUESTION: named, **slots}, "required": [QUESTION]}


def worked_examples(
    known: Repertoire, language: Language
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Questions with the tool and arguments that answer them, each with other slots."""
    seen: set[frozenset[str]] = set()
    for pattern in known.patterns.values():
        template = _template(pattern, language)
        values = {slot.name: example_of(slot) for slot in pattern.slots}
        if not template or "" in values.values() or frozenset(values) in seen:
            continue
        seen.add(frozenset(values))
        wordings = {
            name: in_language(known.names.get(str(value), str(value)), language)
            for name, value in values.items()
        }
        yield (
            filled(template, wordings),
            KNOWN_QUESTION,
            {ASK: {QUESTION: pattern.intent, **values}},
        )


def _template(pattern: CanonicalQueryPattern, language: Language) -> str:
    return next(iter(pattern.questions.get(language, ())), "")


def _refused(mistake: Mistake) -> ToolResult:
    result = refused(mistake.refusal)
    return result if mistake.instead is None else _offering(result, mistake.instead)


def _offering(result: ToolResult, ask: dict[str, Any]) -> ToolResult:
    corrected = {"tool": KNOWN_QUESTION, ASK: ask}
    details = {**(result.error_details or {}), "correctedCall": corrected}
    return result.model_copy(update={"error_details": details})


ASK_KNOWN: BuiltIn[CheckedKnownCall] = Tool(
    name=KNOWN_QUESTION,
    texts=built_in_texts(KNOWN_QUESTION),
    schema=_schema,
    check=_check,
    run=_run,
    reads=lambda checked: checked.reads,
    available=lambda context: bool(context.engine and context.known),
    note=_closed_lists,
)


_AT = {
    PeriodKind.YEAR_END: At.END,
    PeriodKind.MONTH_END: At.END,
    PeriodKind.DAY: At.END,
    PeriodKind.SINCE_YEAR: At.SINCE,
}


def _answer(result: ToolResult, meaning: Meaning, language: Language) -> str | None:
    """The host's answer from the rows; None without a result."""
    source = as_source(KNOWN_QUESTION, {}, result)
    if source is None:
        return None
    from veridical.facts.compose import composed  # here: facts take long to import

    return composed(typed_tables(exhibit_of(source, meaning)), "", language).text


def _match(
    pattern: CanonicalQueryPattern, values: dict[str, Any], index: PatternIndex
) -> PatternMatch:
    period = _period(pattern, values)
    return PatternMatch(pattern.intent, {}, values, period, False, pattern, index)


def _period(pattern: CanonicalQueryPattern, values: dict[str, Any]) -> Period | None:
    by_kind = {slot.kind: values[slot.name] for slot in pattern.slots}
    at = _AT.get(pattern.period, At.DURING) if pattern.period else At.DURING
    if SlotKind.DAY in by_kind:
        day = date.fromisoformat(by_kind[SlotKind.DAY])
        return Period("day", day, day, at)
    if SlotKind.YEAR not in by_kind:
        return None
    year = int(by_kind[SlotKind.YEAR])
    if SlotKind.MONTH not in by_kind:
        return Period("year", date(year, 1, 1), date(year, 12, 31), at)
    month = int(by_kind[SlotKind.MONTH])
    last = monthrange(year, month)[1]
    return Period("month", date(year, month, 1), date(year, month, last), at)
