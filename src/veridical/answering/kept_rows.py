"""Says of an answer from kept rows when these were read."""

from dataclasses import replace
from datetime import UTC, datetime

from veridical.answering.judgement import Assured
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.reading.period_words import shown_day


def with_age(assured: Assured, language: Language) -> Assured:
    """The answer, with a note where any of its rows were read for an earlier question."""
    receipts = (source.receipt for source in assured.outcome.sources)
    kept = [each.kept_at for each in receipts if each.kept_at is not None]
    if not kept:
        return assured
    note = message("answer.kept", language, at=_minute(min(kept), language))
    facts = assured.facts
    if facts is None:
        text = f"{assured.outcome.text}\n\n{note}"
    else:
        facts = facts.model_copy(update={"notes": (*facts.notes, note)})
        text = facts.text
    return replace(assured, outcome=replace(assured.outcome, text=text), facts=facts)


def _minute(moment: datetime, language: Language) -> str:
    there = moment.astimezone(UTC)
    return f"{shown_day(there.year, there.month, there.day, language)}, {there:%H:%M}"
