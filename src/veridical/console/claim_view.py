"""One claim of an answer with its evidence: the sentence behind it, its cells, its query."""

from dataclasses import dataclass

from veridical.contracts.answer import Answer, Source
from veridical.contracts.proof import Ground, Standing
from veridical.contracts.result import TimeRange
from veridical.gate.proof_view import ShownClaim, shown_cell, shown_passage

MOODS = {"✓": "good", "?": "open", "✗": "bad", "·": "note"}
_NOT_DATA = frozenset({Ground.QUESTION, Ground.ONTOLOGY})


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
    """Its cells and passages of documents, one line each."""
    left_out: int = 0
    """Further cells."""
    source: int | None = None
    """The result that it rests on, from 1."""
    period: str = ""
    receipt: str = ""


def claim_view(each: ShownClaim, answer: Answer) -> ClaimView:
    """The claim for a reader of the answer's language. Green is what rests on a result."""
    number = _source_of(each, answer)
    source = answer.sources[number] if number is not None else None
    cells = (shown_cell(cell, answer.language) for cell in each.cells)
    return ClaimView(
        number=each.number,
        sign="·" if _is_echo(each) else each.sign,
        mood="note" if _is_echo(each) else MOODS[each.sign],
        text=each.claim.text,
        standing=each.claim.standing,
        explanation=each.explanation,
        lines=(*cells, *map(shown_passage, each.passages)),
        left_out=each.left_out,
        source=None if number is None else number + 1,
        period=_period(each, source),
        receipt=source.receipt.call_id if source else "",
    )


def _is_echo(each: ShownClaim) -> bool:
    """True for what the question says, or the ontology: no result proves it."""
    binding = each.claim.binding
    is_grounded = each.claim.standing is Standing.GROUNDED
    return is_grounded and binding is not None and binding.ground in _NOT_DATA


def _source_of(each: ShownClaim, answer: Answer) -> int | None:
    """The result that the claim's cells are of; none where they are of several."""
    named = {cell.result for cell in each.cells}
    binding = each.claim.binding
    if len(named) == 1 and (place := next(iter(named))[1:]).isdecimal():
        number = int(place) - 1
    elif binding is not None and binding.source is not None:
        number = binding.source
    else:
        return None
    return number if 0 <= number < len(answer.sources) else None


def _period(each: ShownClaim, source: Source | None) -> str:
    binding = each.claim.binding
    if binding is not None and binding.period:
        return binding.period
    ranges = source.receipt.time_range if source else ()
    return ", ".join(map(_range, ranges))


def _range(one: TimeRange) -> str:
    """The column's own name: its table stands in the query."""
    start, end = one.start or "…", one.end or "…"
    name = one.field.rpartition(".")[2]
    return f"{name} {start}" if start == end else f"{name} {start} – {end}"
