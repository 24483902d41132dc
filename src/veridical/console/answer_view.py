"""An answer as it is shown: its text with every claim marked, its results, and its badges."""

import json
from dataclasses import dataclass

from veridical.console.chart import Bars, bars_of
from veridical.console.result_table import ShownCell, shown_rows
from veridical.contracts.answer import Answer, AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, Standing
from veridical.contracts.result import Emptiness, TimeRange
from veridical.gate.proof_view import (
    ShownClaim,
    marked_places,
    shown_cell,
    shown_claims,
    shown_passage,
    verdict_words,
)

_MOODS = {"✓": "good", "?": "open", "✗": "bad", "·": "note"}
_MOST_ROWS = 50
_UNANSWERED = frozenset({AnswerKind.UNKNOWN, AnswerKind.FAILED})


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One claim with its evidence."""

    number: int
    sign: str
    mood: str
    text: str
    standing: Standing
    explanation: str
    lines: tuple[str, ...]
    """Its cells and stretches of documents, one line each."""
    sql: str = ""
    period: str = ""
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer; with claims where any are made there."""

    text: str
    mood: str = ""
    claims: tuple[ClaimView, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceView:
    """One result behind the answer."""

    title: str
    call: str
    columns: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    row_count: int
    sql: str
    call_id: str
    badges: tuple[Emptiness, ...]
    bars: Bars | None


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer, ready for a template."""

    answer: Answer
    pieces: tuple[Piece, ...]
    sources: tuple[SourceView, ...]
    badges: tuple[Emptiness, ...]
    proven: int
    open: int
    """Claims that are not proven, or that the evidence contradicts."""
    verdict: str
    """The gate's verdict as text; empty where there is none."""
    plain: str
    """The answer with its sources, to be copied elsewhere."""

    @property
    def is_answered(self) -> bool:
        """True if the text is about the data."""
        return self.answer.kind not in _UNANSWERED


def answer_view(answer: Answer) -> AnswerView:
    """The answer with its proof, for a reader of its own language."""
    sources = tuple(_source(each, answer.language) for each in answer.sources)
    shown = shown_claims(answer.proof, answer.language) if answer.proof else ()
    claims = {each.number: _claim(each, answer) for each in shown}
    badges = tuple(dict.fromkeys(badge for each in sources for badge in each.badges))
    stands = [each.standing for each in claims.values()]
    return AnswerView(
        answer=answer,
        pieces=_pieces(answer, shown, claims),
        sources=sources,
        badges=badges,
        proven=stands.count(Standing.GROUNDED),
        open=sum(each not in (Standing.GROUNDED, Standing.EXEMPT) for each in stands),
        verdict=verdict_words(answer.proof, answer.language) if answer.proof else "",
        plain=_plain(answer),
    )


def _pieces(
    answer: Answer, shown: tuple[ShownClaim, ...], claims: dict[int, ClaimView]
) -> tuple[Piece, ...]:
    found: list[Piece] = []
    at = 0
    for place in marked_places(_single(shown), answer.text):
        if place.start > at:
            found.append(Piece(answer.text[at : place.start]))
        marked = tuple(claims[each.number] for each in place.claims)
        found.append(Piece(answer.text[place.start : place.end], _MOODS[place.sign], marked))
        at = place.end
    if at < len(answer.text):
        found.append(Piece(answer.text[at:]))
    return tuple(found)


def _single(claims: tuple[ShownClaim, ...]) -> tuple[ShownClaim, ...]:
    """Those to mark in the text: a claim about a whole list would hide those of its lines."""
    return tuple(
        each
        for each in claims
        if each.claim.kind is not ClaimKind.LIST or not any(_within(one, each) for one in claims)
    )


def _within(one: ShownClaim, other: ShownClaim) -> bool:
    inner, outer = one.claim, other.claim
    is_inside = outer.start <= inner.start and inner.end <= outer.end
    return is_inside and inner.end - inner.start < outer.end - outer.start


def _claim(each: ShownClaim, answer: Answer) -> ClaimView:
    source = _source_of(each, answer)
    lines = (
        *(shown_cell(cell, answer.language) for cell in each.cells),
        *map(shown_passage, each.passages),
    )
    return ClaimView(
        number=each.number,
        sign=each.sign,
        mood=_MOODS[each.sign],
        text=each.claim.text,
        standing=each.claim.standing,
        explanation=each.explanation,
        lines=lines,
        sql=source.receipt.sql if source else "",
        period=_period(each, source),
        receipt=source.receipt.call_id if source else "",
    )


def _source_of(each: ShownClaim, answer: Answer) -> Source | None:
    """The result that the claim's cells are of; none where they are of several."""
    named = {cell.result for cell in each.cells}
    binding = each.claim.binding
    if len(named) == 1 and (place := next(iter(named))[1:]).isdecimal():
        number = int(place) - 1
    elif binding is not None and binding.source is not None:
        number = binding.source
    else:
        return None
    return answer.sources[number] if 0 <= number < len(answer.sources) else None


def _period(each: ShownClaim, source: Source | None) -> str:
    binding = each.claim.binding
    if binding is not None and binding.period:
        return binding.period
    ranges = source.receipt.time_range if source else ()
    return ", ".join(map(_range, ranges))


def _range(one: TimeRange) -> str:
    """The column's own name: its table stands in the query below."""
    start, end = one.start or "…", one.end or "…"
    name = one.field.rpartition(".")[2]
    return f"{name} {start}" if start == end else f"{name} {start} – {end}"


def _source(source: Source, language: Language) -> SourceView:
    receipt = source.receipt
    badges = [receipt.emptiness] if receipt.emptiness else []
    if receipt.truncated and Emptiness.TRUNCATED not in badges:
        badges.append(Emptiness.TRUNCATED)
    shown = shown_rows(source.rows[:_MOST_ROWS], language)
    return SourceView(
        title=source.tool,
        call=json.dumps(source.arguments, ensure_ascii=False, indent=2),
        columns=source.columns,
        rows=shown,
        row_count=receipt.row_count,
        sql=receipt.sql,
        call_id=receipt.call_id,
        badges=tuple(badges),
        bars=bars_of(source.columns, source.rows, shown),
    )


def _plain(answer: Answer) -> str:
    """The answer with its sources, as text to be copied."""
    lines = [answer.text, ""]
    for number, source in enumerate(answer.sources, 1):
        lines += [f"[{number}] {source.tool} · {source.receipt.call_id}", source.receipt.sql]
    return "\n".join((*lines, answer.trace_id))
