"""What was caught on the way to an answer: refused calls, attempts sent back, replaced words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, Verdict
from veridical.contracts.trace import Event, Gated, ToolCalled
from veridical.messages import message

_MOST = 12
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Caught:
    """One mistake of the model that did not get through."""

    text: str
    reason: str = ""
    code: str = ""


def caught_in(events: Iterable[Event], answer: Answer) -> tuple[Caught, ...]:
    """Each mistake once, in the order in which they happened."""
    found = (*_on_the_way(events, answer.language), *_replaced(answer))
    return tuple(dict.fromkeys(found))[:_MOST]


def _on_the_way(events: Iterable[Event], language: Language) -> Iterator[Caught]:
    for event in events:
        if isinstance(event, ToolCalled) and event.validation_failure_code:
            yield _refused(event, language)
        elif isinstance(event, Gated) and event.verdict is Verdict.BLOCK:
            yield from (_sent_back(each, language) for each in event.findings)


def _refused(event: ToolCalled, language: Language) -> Caught:
    what = _shortened(_tried(event.tool, event.arguments))
    hint = str((event.error_details or {}).get("hint") or "")
    text = message("answer.refused", language, what=what)
    return Caught(text, hint, event.validation_failure_code or "")


def _tried(tool: str, arguments: dict[str, Any]) -> str:
    """What a call asks for, in a few words of its own."""
    sql = arguments.get("sql") or arguments.get("query")
    if isinstance(sql, str) and sql:
        return " ".join(sql.split())
    aggregate, field = arguments.get("aggregate"), arguments.get("field")
    table = arguments.get("tableName") or ""
    if aggregate:
        named = arguments.get("groupBy")
        grouped: list[Any] = cast("list[Any]", named) if isinstance(named, list) else []
        parts = (f"{aggregate}({field or '*'})", *map(str, grouped), table)
        return " · ".join(filter(None, parts))
    return f"{tool} {table}".strip()


def _sent_back(finding: Finding, language: Language) -> Caught:
    if finding.claim:
        text = message("answer.wrote", language, claim=_shortened(finding.claim))
    else:
        text = message("answer.sent_back", language)
    return Caught(text, finding.hint, finding.code.value)


def _replaced(answer: Answer) -> Iterator[Caught]:
    for each in answer.facts.sentences if answer.facts else ():
        if each.replaces.strip():
            sentence = _shortened(each.replaces.strip())
            why = "; ".join(dict.fromkeys(mark.why for mark in each.marks if mark.why))
            yield Caught(message("answer.replaced", answer.language, sentence=sentence), why)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
