"""The origin of the values in an agent's calls: a value without one is flagged before the call.

What a step recorded counts the same whether it ran just now or is replayed, so a resumed run knows
what the first one knew.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from veridical.agent.tool_call import CallTool
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.step import Action, Json, Step
from veridical.contracts.violation import Code, Mode, Refusal, Violation
from veridical.gate.arguments import Untraced, ValueKind, trace_arguments
from veridical.gate.known_values import KnownValues
from veridical.messages.hints import hint

_LONGEST_VALUE = 30
_DAY = timedelta(days=1)
_FIRST_SECOND, _LAST_SECOND = 315_532_800, 4_102_444_800
"""1980 to 2100: whole numbers in between may be a day in Unix seconds."""


class Provenance:
    """The values known so far in one run, and those of a call that have no origin."""

    def __init__(
        self,
        question: Question,
        instructions: str,
        today: date,
        sources: Iterable[Source] = (),
    ) -> None:
        self._known = KnownValues(today=today)
        self._known.add_words((instructions,))
        for source in sources:
            self._known.add_result(source.rows, source.arguments)
        for turn in question.thread:
            self._known.add_text(f"{turn.question}\n{turn.answer}")
        self._known.add_text(question.text)

    def untraced(self, arguments: dict[str, Json]) -> tuple[Untraced, ...]:
        """The values of a call that neither question, ontology nor result contains."""
        found = trace_arguments(arguments, self._known)
        return tuple(each for each in found if not self._is_known_day(each))

    def watching(self, step: Step) -> Step:
        """The same step, of whose results the values are known from then on."""

        async def watched(name: str, action: Action) -> Json:
            recorded = await step(name, action)
            if isinstance(recorded, dict) and "result" in recorded:
                result = recorded["result"]
                content = result.get("data") if result["success"] else result.get("errorDetails")
                self._known.add_words((result.get("about") or "",))
                given = recorded.get("arguments")
                self._known.add_result(content, given, success=result["success"])
            return recorded

        return watched

    def guarding(self, tools: CallTool, mode: Mode, language: Language) -> CallTool:
        """The same tools; a call with an untraced value carries a warning, or is refused."""
        if mode in (Mode.OFF, Mode.SHADOW):
            return tools

        def guarded(name: str, arguments: dict[str, Json]) -> ToolResult:
            found = tuple(_violations(self.untraced(arguments), mode, language))
            if found and mode is Mode.BLOCK:
                return refused(Refusal(violations=found))
            result = tools(name, arguments)
            return result.model_copy(update={"warnings": (*result.warnings, *found)})

        return guarded

    def _is_known_day(self, found: Untraced) -> bool:
        """True for a day in a database's own writing, or for the day after a named period."""
        day = _day(found)
        return day is not None and (self._known.has_day(day) or self._known.has_day(day - _DAY))


def _day(found: Untraced) -> date | None:
    if found.kind is ValueKind.DATE:
        return date.fromisoformat(found.value[:10]) if found.value[:4].isdecimal() else None
    if not found.value.isdecimal():
        return None
    number = int(found.value)
    if number // _FIRST_SECOND >= 1000:
        number //= 1000
    if _FIRST_SECOND <= number < _LAST_SECOND:
        return datetime.fromtimestamp(number, UTC).date()
    try:
        return datetime.strptime(found.value, "%Y%m%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None


def _violations(found: tuple[Untraced, ...], mode: Mode, language: Language) -> Iterator[Violation]:
    for each in found:
        value = each.value[:_LONGEST_VALUE]
        text = hint("flow.UNTRACED_VALUE", language, value=value)
        yield Violation(code=Code.UNTRACED_VALUE, field=each.path, hint=text, mode=mode)
