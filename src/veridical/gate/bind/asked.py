"""Figures that the answer took from the question and no result has: which may stand all the same.

The question proves nothing. Such a figure stands where the call itself applied it (over 10'000, the
5 largest), where the cells keep it as a limit, or where figures that do stand are computed with it.
"""

from collections.abc import Iterator, Mapping, Sequence

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.cells import clashes
from veridical.gate.bind.days import lies_apart
from veridical.gate.bind.limits import keeps
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading, Role
from veridical.gate.claims.stance import is_led_by_being
from veridical.gate.derive.derive import derive
from veridical.gate.derive.known import borne_out, is_figure
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.exhibit import Calculation
from veridical.gate.evidence.sheet import Place
from veridical.gate.naming.labels import Reader
from veridical.gate.notions import Notion, follows, leads
from veridical.reading.before import OVER

_PERCENT = "%"
_SHOWN = (Ground.CELL, Ground.DERIVATION, Ground.CALCULATION)
_UNCOUNTED = (ClaimKind.COUNT, ClaimKind.NUMBER, ClaimKind.AMOUNT)
_NOISE = 1e-9
_SMALLEST_INPUT = 100
_HUNDRED = 100.0
_MOST_CELLS = 2_000


def bind_asked(
    bounds: Sequence[Bound], reader: Reader, question: str, language: Language
) -> dict[int, Bound]:
    """The claims that stand after all, by their place, and what follows from them."""
    missing = [at for at, bound in enumerate(bounds) if is_unproven(bound)]
    if not missing:
        return {}
    found = {at: _from_question(bounds[at]) for at in missing if _is_kept(at, bounds, reader)}
    return _with_operands(found, missing, bounds, reader, question, language)


def bind_applied(claim: Claim, reader: Reader) -> Bound | None:
    """A figure of the question that the call narrowed its rows down by: it says nothing of them."""
    if not claim.asked or not claim.readings or not _is_applied(claim, reader):
        return None
    return Bound(claim._replace(role=Role.QUOTED), Standing.GROUNDED, Ground.QUESTION)


def bind_quoted(claim: Claim, reader: Reader) -> Bound:
    """What the question said; a time is none that all times of the evidence lie apart from."""
    if (
        claim.asked
        and claim.days
        and not leads(Notion.AS_OF, reader.text, claim.start)
        and lies_apart(claim, reader.evidence)
    ):
        return Bound(claim._replace(role=Role.STATED), Standing.UNGROUNDED)
    return Bound(claim, Standing.GROUNDED, Ground.QUESTION)


def is_unproven(bound: Bound) -> bool:
    """True for a figure that so far only the question has."""
    return bound.claim.asked and bound.standing is Standing.UNGROUNDED and is_figure(bound)


def proving_calculations(evidence: Evidence) -> Iterator[Calculation]:
    """The calculations that start from results only. One that starts from a figure of the question
    can't prove such a figure."""
    values: list[float] = []
    for _, each in evidence.calculations:
        if all(_is_read(given, values, evidence) for given in each.inputs) and each.inputs:
            values.append(each.value)
            yield each


def _is_read(given: float, values: Sequence[float], evidence: Evidence) -> bool:
    if given == int(given) and abs(given) <= _SMALLEST_INPUT:
        return True
    reach = abs(given) * _NOISE
    near = (given - reach, given + reach)
    return (
        evidence.figures.any_between(*near)
        or evidence.figures.any_between(-near[1], -near[0])
        or any(abs(abs(value) - abs(given)) <= reach for value in values)
    )


def _from_question(bound: Bound) -> Bound:
    return Bound(
        bound.claim, Standing.GROUNDED, Ground.QUESTION, value=bound.claim.readings[0].value
    )


def _is_applied(claim: Claim, reader: Reader) -> bool:
    """True for a limit that the call compared with, and for a number of rows that it chose."""
    text, exhibits = reader.text, reader.evidence.exhibits
    if _compares(text, claim) and any(
        claim.bound in ("", mark) and _is_same(limit, reading)
        for each in exhibits
        for mark, limit in each.compared
        for reading in claim.readings
    ):
        return True
    if claim.kind not in _UNCOUNTED or not _chooses(text, claim):
        return False
    many = claim.readings[0].value
    return not any(
        each.row_limit is not None and len(each.rows) == each.row_limit < many for each in exhibits
    )


def _compares(text: str, claim: Claim) -> bool:
    """True for "over 5", "between 5 and 9", "5 or more"."""
    return (
        bool(claim.bound)
        or leads(Notion.COMPARED, text, claim.start)
        or follows(Notion.OR_MORE, text, claim.end)
    )


def _is_same(limit: float, reading: Reading) -> bool:
    factors = (1.0, 1 / _HUNDRED) if reading.unit == _PERCENT else (1.0,)
    return any(
        abs(abs(limit) - abs(reading.value * factor)) <= abs(limit) * _NOISE for factor in factors
    )


def _enters(given: float, reading: Reading) -> bool:
    """True for a figure that a calculation was given, or a percentage as a factor: 1.081."""
    factors = (given - 1, 1 - given) if reading.unit == _PERCENT else ()
    return _is_same(given, reading) or any(_is_same(each, reading) for each in factors)


def _chooses(text: str, claim: Claim) -> bool:
    """True for "top 5", "the 5 largest", "in the last 6 months"."""
    return leads(Notion.CHOSEN, text, claim.start) or follows(Notion.EXTREME, text, claim.end)


def _is_kept(at: int, bounds: Sequence[Bound], reader: Reader) -> bool:
    """True for a limit that the figures beside it keep, or one further off, or all there are."""
    limit = bounds[at].claim
    if not limit.bound:
        return False
    told = [
        bound
        for bound in bounds
        if is_figure(bound)
        and bound.ground in _SHOWN
        and bound.standing is Standing.GROUNDED
        and _is_comparable(borne_out(bound), limit.readings[0])
    ]
    segment = reader.layout.segment_at(limit.start)
    beside = [
        bound
        for bound in told
        if segment is not None and segment.start <= bound.claim.start < segment.end
    ]
    if beside:
        return all(_keeps(limit, bound) for bound in beside)
    if told:
        return any(_keeps(limit, bound) for bound in told)
    places = list(_measured(reader.evidence))
    return bool(places) and all(keeps(limit, place, reader) for place in places)


def _is_comparable(one: Reading, other: Reading) -> bool:
    """True for two percentages, and for two figures of which neither is one."""
    return (one.unit == _PERCENT) == (other.unit == _PERCENT) and not clashes(one.unit, other.unit)


def _keeps(limit: Claim, bound: Bound) -> bool:
    value, asked = borne_out(bound).value, limit.readings[0].value
    return value >= asked if limit.bound == OVER else value <= asked


def _measured(evidence: Evidence) -> Iterator[Place]:
    for sheet, column in evidence.measure_columns:
        rows = len(evidence.sheets[sheet].rows)
        yield from (Place(sheet, row, column) for row in range(min(rows, _MOST_CELLS)))


def _with_operands(
    found: Mapping[int, Bound],
    missing: Sequence[int],
    bounds: Sequence[Bound],
    reader: Reader,
    question: str,
    language: Language,
) -> dict[int, Bound]:
    """What was found, what is computed with (20 % of the balance), and what follows from both."""
    text, evidence = reader.text, reader.evidence
    supposed = {
        at: _from_question(bounds[at])
        for at in missing
        if at not in found and not is_led_by_being(text, bounds[at].claim.start)
    }
    known = {**supposed, **found}
    granted = [known.get(at, bound) for at, bound in enumerate(bounds)]
    derived = derive(granted, text, evidence, question, language, reader.layout)
    used = {
        operand
        for bound in derived.values()
        if bound.standing is Standing.GROUNDED
        for operand in bound.operands
    }
    given = list(_given(bounds, evidence))
    stands = {
        at: bound
        for at, bound in known.items()
        if at in found or at in used or _is_entered(bound.claim, given)
    }
    left = set(missing) - stands.keys()
    follows_from_them = {
        at: bound
        for at, bound in derived.items()
        if at not in left and left.isdisjoint(bound.operands)
    }
    return stands | follows_from_them


def _given(bounds: Sequence[Bound], evidence: Evidence) -> Iterator[float]:
    """The inputs of the calculations whose results the answer tells."""
    for _, each in evidence.calculations:
        if any(bound.derivation.startswith(each.expression) for bound in bounds):
            yield from each.inputs


def _is_entered(claim: Claim, given: Sequence[float]) -> bool:
    return any(_enters(value, reading) for value in given for reading in claim.readings)
