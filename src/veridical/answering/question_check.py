"""Known questions run again: what one returned when it was certified, and what it returns now."""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum

from veridical.agent.refusals import HOST_MUST_ACT
from veridical.agent.results import as_source
from veridical.answering.feature import Feature
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.evidence.read import typed_tables
from veridical.gate.evidence.source import exhibit_of
from veridical.route.patterns import PatternMatch, match_pattern
from veridical.route.render import known_question


class Difference(StrEnum):
    """Why a known question no longer counts as certified."""

    UNRECOGNISED = "unrecognised"
    """its words lead to no question, or to another one"""
    REFUSED = "refused"
    """the check refuses its call, or the engine can't run it"""
    UNAVAILABLE = "unavailable"
    """the data can't be reached now, which says nothing of the question"""
    COLUMNS = "columns"
    FACTS = "facts"


class QuestionCheck(Wire):
    """One example of a known question, and what it returned."""

    question: str
    language: Language
    day: date
    """The day that it was asked on."""
    columns: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """The forms of the facts of the host's answer."""


def observed(
    feature: Feature, caller: Caller, intent: str, check: QuestionCheck
) -> QuestionCheck | Difference:
    """What the example returns now, for this caller."""
    if feature.patterns is None:
        return Difference.UNRECOGNISED
    match = match_pattern(check.question, feature.patterns, check.language, check.day)
    if not isinstance(match, PatternMatch) or match.intent != intent:
        return Difference.UNRECOGNISED
    toolbox = feature.toolbox(caller)
    result = toolbox.call(match.tool, match.arguments, check.question)
    source = as_source(match.tool, match.arguments, result)
    if source is None:
        is_away = (result.error_details or {}).get("actor") == HOST_MUST_ACT
        return Difference.UNAVAILABLE if is_away else Difference.REFUSED
    from veridical.facts.compose import composed  # here: facts take long to import

    known = source.model_copy(update={"known": known_question(match, check.language)})
    tables = typed_tables(exhibit_of(known, feature.meaning))
    stated = composed(tables, "", check.language)
    return check.model_copy(
        update={
            "columns": source.columns,
            "facts": tuple(sorted({each.form for each in stated.facts.values()})),
        }
    )


def difference(
    feature: Feature, caller: Caller, intent: str, checks: Sequence[QuestionCheck]
) -> Difference | None:
    """The first difference to what the examples returned; none if they return the same columns and
    facts. The rows may have changed since: no engine tells the version of its data."""
    for before in checks:
        now = observed(feature, caller, intent, before)
        if isinstance(now, Difference):
            return now
        if now.columns != before.columns:
            return Difference.COLUMNS
        if now.facts != before.facts:
            return Difference.FACTS
    return None
