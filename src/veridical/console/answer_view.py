"""An answer as it is shown: its lead, its prose with every claim marked, and its results."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from veridical.console.caught import Caught, caught_in
from veridical.console.claim_view import ClaimView, claim_view
from veridical.console.drawing import Chart, charts_of
from veridical.console.lead import Lead, lead_of
from veridical.console.prose import Passage, passages_of
from veridical.console.result_table import ShownCell, shown_rows
from veridical.console.shown_sql import shown_sql
from veridical.console.trust import Trust, trust_in
from veridical.contracts.answer import Answer, AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness
from veridical.contracts.trace import Event, RunStarted
from veridical.gate.proof_view import shown_claims, verdict_words

_MOST_ROWS = 50
_UNANSWERED = frozenset({AnswerKind.UNKNOWN, AnswerKind.FAILED})


@dataclass(frozen=True, slots=True)
class SourceView:
    """One result behind the answer."""

    number: int
    title: str
    call: str
    columns: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    row_count: int
    sql: str
    dialect: str
    """The dialect of ``sql``; empty where it is not known."""
    call_id: str
    badges: tuple[Emptiness, ...]
    kept_at: datetime | None
    """When its rows were read, where that was for an earlier question."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer, ready for a template."""

    answer: Answer
    lead: Lead | None
    charts: tuple[Chart, ...]
    passages: tuple[Passage, ...]
    sources: tuple[SourceView, ...]
    badges: tuple[Emptiness, ...]
    trust: Trust
    caught: tuple[Caught, ...]
    """Mistakes of the model that did not get through."""
    claims: dict[str, ClaimView]
    """The claim of each fact."""
    verdict: str
    """The gate's verdict as text; empty where there is none."""
    plain: str
    """The answer with its sources, to be copied elsewhere."""

    @property
    def is_answered(self) -> bool:
        """True if the text is about the data."""
        return self.answer.kind not in _UNANSWERED


def answer_view(answer: Answer, events: Iterable[Event] = ()) -> AnswerView:
    """The answer with its proof, for a reader of its own language; the events of its run say what
    was caught, and which SQL its queries are in."""
    events = tuple(events)
    dialect = next((each.dialect for each in events if isinstance(each, RunStarted)), "")
    sources = tuple(
        _source(number, each, answer.language, dialect)
        for number, each in enumerate(answer.sources, 1)
    )
    shown = shown_claims(answer.proof, answer.language) if answer.proof else ()
    views = {each.number: claim_view(each, answer) for each in shown}
    by_fact = _by_fact(answer, views)
    lead = lead_of(answer.facts) if answer.facts and by_fact else None
    passages = passages_of(answer, lead, shown, views)
    return AnswerView(
        answer=answer,
        lead=lead,
        charts=charts_of(lead.panels, answer.language) if lead else (),
        passages=passages,
        sources=sources,
        badges=tuple(dict.fromkeys(badge for each in sources for badge in each.badges)),
        trust=trust_in(lead, passages),
        caught=caught_in(events, answer),
        claims=by_fact,
        verdict=verdict_words(answer.proof, answer.language) if answer.proof else "",
        plain=_plain(answer, sources),
    )


def _by_fact(answer: Answer, views: dict[int, ClaimView]) -> dict[str, ClaimView]:
    """The claim of each fact: those of an answer in facts are its slots, in their order."""
    if answer.facts is None:
        return {}
    slots = [
        slot.fact
        for each in answer.facts.sentences
        for slot in each.slots
        if each.text[slot.start : slot.end]
    ]
    if len(slots) != len(views):
        return {}
    return dict(reversed(list(zip(slots, views.values(), strict=True))))


def _source(number: int, source: Source, language: Language, dialect: str) -> SourceView:
    receipt = source.receipt
    badges = [receipt.emptiness] if receipt.emptiness else []
    if receipt.truncated and Emptiness.TRUNCATED not in badges:
        badges.append(Emptiness.TRUNCATED)
    return SourceView(
        number=number,
        title=source.tool,
        call=json.dumps(source.arguments, ensure_ascii=False, indent=2),
        columns=source.columns,
        rows=shown_rows(source.rows[:_MOST_ROWS], language),
        row_count=receipt.row_count,
        sql=shown_sql(receipt, dialect),
        dialect=dialect,
        call_id=receipt.call_id,
        badges=tuple(badges),
        kept_at=receipt.kept_at,
    )


def _plain(answer: Answer, sources: Iterable[SourceView]) -> str:
    """The answer with its sources, as text to be copied."""
    lines = [answer.text, ""]
    for source in sources:
        lines += [f"[{source.number}] {source.title} · {source.call_id}", source.sql]
    return "\n".join((*lines, answer.trace_id))
