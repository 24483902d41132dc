"""What a result comes to where few digits tell it: a round total, the mean of each month, the rest
without a stated row, and the difference of the only two figures, in percent as well.

A figure of few digits might be anything, so each of these must be likely by itself: there is one
total for each currency, and a mean, a rest and a profit are only looked for where words say so.
"""

import re
from collections.abc import Iterator, Sequence

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.derive.combine import Combined, coincidence
from veridical.gate.derive.known import PERCENT, Known, known_figures
from veridical.gate.derive.operation import Operation
from veridical.gate.derive.rest import tells_rest
from veridical.gate.derive.said import concluded
from veridical.gate.derive.totals import Totals, totals_of
from veridical.gate.derive.turned import is_told
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.layout import Layout
from veridical.late_pattern import late_pattern

_NOISE = 1e-9
_HUNDRED = 100.0
_UNTOLD_LIMIT, _TOLD_LIMIT = 0.03, 0.12
_WHOLE = late_pattern(
    r"\b(?:only|alone|counting|comes? to|came to|amount\w*|adds? up|makes?|across|all|worth"
    r"|nur|allein\w*|kommen|kommt|ergibt|ergeben|macht|machen|beläuft|belaufen|liegen|lagen|alles)\b"
    r"|仅|就|加起来|加总|汇总|全部|所有|共",
    re.IGNORECASE,
)
_EACH = late_pattern(
    r"\b(?:(?:a|per|each|every) \w+|monthly|pro|je|jede\w*|monatlich\w*)\b|每|月均|年均",
    re.IGNORECASE,
)
_REST = late_pattern(
    r"\b(?:others?|rest|remaining|remainder|übrig\w*|andere\w*|restlich\w*)\b|其余|其他|剩|余下",
    re.IGNORECASE,
)
_PROFIT = late_pattern(
    r"\bgross (?:profit|margin|result|income)\b"
    r"|\b(?:brutto|roh)(?:gewinn|ergebnis|marge|ertrag)\w*|毛利",
    re.IGNORECASE,
)


def derive_wholes(
    bounds: Sequence[Bound],
    open_claims: Sequence[int],
    layout: Layout,
    evidence: Evidence,
    question: str,
    language: Language,
) -> dict[int, Bound]:
    """The open claims that are such a figure."""
    found: dict[int, Bound] = {}
    if not open_claims:
        return found
    tables = totals_of(evidence)
    known = [each for each in known_figures(bounds, evidence) if each.place is not None]
    spoken: dict[tuple[int, int], bool] = {}
    for at in open_claims:
        keep_time(now=True)
        claim = bounds[at].claim
        segment = layout.segment_at(claim.start)
        start, end = (segment.start, segment.end) if segment else (0, len(layout.text))
        said = layout.text[start:end]
        here = [each for each in known if start <= each.start < end]
        if claim.readings[0].unit == PERCENT:
            made = [*_margin(known)] if tells_rest(claim, layout.text) else []
        else:
            made = [*_made(claim, tables, said, here), *_profit(known, f"{said} {question}")]
        if (start, end) not in spoken:  # a sentence may be long, and have thousands of figures
            words = (_WHOLE, _EACH, _REST, _PROFIT)
            spoken[start, end] = any(each.search(said) for each in words)
        told = claim.readings[0].unit == PERCENT or spoken[start, end]
        limit = _TOLD_LIMIT if told else _UNTOLD_LIMIT
        bound = _settled(claim, made, limit, tables, layout.text, evidence, language)
        if bound is not None:
            found[at] = bound
    return found


def _made(claim: Claim, tables: Totals, said: str, here: Sequence[Known]) -> Iterator[Combined]:
    each_one = _EACH.search(said) is not None
    rest = _REST.search(said) is not None
    for column in tables.columns:
        for made in tables.added(column):
            if made.operation is Operation.SUM or each_one:
                yield made
            if made.operation is Operation.SUM and rest:
                whole = tables.filled(made)
                yield from _rests(claim, whole, here)


def _rests(claim: Claim, whole: Combined, here: Sequence[Known]) -> Iterator[Combined]:
    """The total of the rows that the sentence has not told before."""
    told = {each.place for each in here if each.start < claim.start}
    left = tuple(each for each in whole.operands if each.place not in told)
    if 1 < len(left) < len(whole.operands):
        yield Combined(sum(each.exact for each in left), Operation.SUM, left)


def _profit(known: Sequence[Known], said: str) -> Iterator[Combined]:
    """The one figure of the answer without the other, where it speaks of gross profit."""
    pair = _only_two(known) if _PROFIT.search(said) else None
    if pair is not None:
        first, second = pair
        yield Combined(first.exact - second.exact, Operation.DIFFERENCE, pair)


def _margin(known: Sequence[Known]) -> Iterator[Combined]:
    """What the smaller of the only two figures leaves of the larger, in percent."""
    pair = _only_two(known)
    if pair is None:
        return
    part, whole = sorted(pair, key=lambda each: abs(each.exact))
    left = whole.exact - part.exact
    rest = Known(left, left, f"({whole.text} - {part.text})", unit=whole.unit)
    yield Combined(left / whole.exact * _HUNDRED, Operation.RATIO, (rest, whole))


def _only_two(known: Sequence[Known]) -> tuple[Known, Known] | None:
    """The cells that the answer states, where they are two of one unit."""
    cells = {each.place: each for each in reversed(known) if each.unit != PERCENT}
    if len(cells) != 2:
        return None
    first, second = sorted(cells.values(), key=lambda each: each.start)
    return (first, second) if first.unit == second.unit and first.exact and second.exact else None


def _settled(
    claim: Claim,
    made: Sequence[Combined],
    limit: float,
    tables: Totals,
    text: str,
    evidence: Evidence,
    language: Language,
) -> Bound | None:
    for reading in claim.readings:
        reach = reading.half_step + abs(reading.value) * _NOISE
        for each in made:
            if abs(abs(each.value) - abs(reading.value)) > reach:
                continue
            best = tables.filled(each)
            share = coincidence((other.value for other in made), reading.value, reach)
            if share <= limit and is_told(best, claim, evidence, text):
                return concluded(claim, reading, best, share, evidence, language)
    return None
