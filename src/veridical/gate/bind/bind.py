"""Each claim beside the evidence: what it rests on, or what speaks against it.

The order is that of trust: the question, a cell, a count of rows, a receipt of the calculator,
then what can be derived from all these. What finds nothing stays ungrounded, with the cell that
comes closest.
"""

from collections.abc import Mapping, Sequence

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.asked import bind_applied, bind_asked, bind_quoted, proving_calculations
from veridical.gate.bind.bracketed import find_bracketed
from veridical.gate.bind.cells import Found, Hit, clashes, find_cells, says_loss
from veridical.gate.bind.clocks import bind_clock, is_clock
from veridical.gate.bind.counts import counted_value
from veridical.gate.bind.currencies import known_currency, odd_currencies
from veridical.gate.bind.days import bind_days
from veridical.gate.bind.limits import bind_limit
from veridical.gate.bind.misnamed import find_misnamed
from veridical.gate.bind.names import bind_name
from veridical.gate.bind.passage import said_in_passage
from veridical.gate.bind.prose import bind_in_prose
from veridical.gate.bind.reported import meant
from veridical.gate.bind.strength import coincidence, count_coincidence, share_of_all
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading, Role
from veridical.gate.derive.derive import derive
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.index import Figures
from veridical.gate.evidence.index_days import names_calendar
from veridical.gate.evidence.index_text import key_of
from veridical.gate.evidence.sheet import Place
from veridical.gate.naming.labels import FIGURES, Judgement, Reader
from veridical.gate.naming.passages import LISTED
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.series.parallel import bind_parallel
from veridical.gate.series.series import bind_series
from veridical.late_pattern import late_pattern

_EXEMPT = frozenset({Role.ORDINAL, Role.MARKER, Role.HEADING, Role.OPERAND})
_TIMES = frozenset({ClaimKind.DATE, ClaimKind.PERIOD})
_COMPUTED = frozenset({Ground.DERIVATION, Ground.CALCULATION})
_NOISE = 1e-9
_SPELT = late_pattern(r"\d:\d|\d-?[A-Za-z]")
"""More than digits, so that the very spelling tells a time of day, a ratio or a size: 4K, 16:10."""
_BY_CHANCE = 0.05
"""A figure that more than one in twenty would match may equal a cell without being meant for it."""


def bind_claims(
    claims: Sequence[Claim],
    text: str,
    evidence: Evidence,
    question: str = "",
    language: Language | None = None,
    lexicon: RecordLexicon | None = None,
) -> tuple[Bound, ...]:
    """How each claim stands to the evidence, in the order of the claims."""
    reader = Reader(text, claims, evidence, lexicon)
    doubted: dict[int, Bound] = {}
    bounds: list[Bound] = []
    for at, claim in enumerate(claims):
        bound, doubt = _bind(claim, reader, question)
        keep_time()
        bounds.append(bound)
        if doubt is not None:
            doubted[at] = doubt
    _settle(bounds, doubted, reader, question, language)
    return tuple(bounds)


def _bind(claim: Claim, reader: Reader, question: str) -> tuple[Bound, Bound | None]:
    """The claim as it stands, and what speaks against it unless it can be derived."""
    if claim.role in _EXEMPT:
        return _misheaded(claim, reader.evidence) or Bound(claim, Standing.EXEMPT), None
    if claim.role is Role.QUOTED:
        return bind_quoted(claim, reader), None
    naming = reader.naming.get(claim.start)
    if naming is not None and naming.codes and claim.kind is not ClaimKind.LIST:
        place = reader.evidence.place(naming.codes[0])
        value = claim.readings[0].value if claim.readings else None
        return Bound(claim, Standing.GROUNDED, Ground.CELL, place, value), None
    if is_clock(claim):
        return bind_clock(claim, reader.evidence), None
    if claim.kind in FIGURES:
        applied = bind_applied(claim, reader)
        return (applied, None) if applied else _bind_figure(claim, reader, question)
    if claim.kind in _TIMES:
        return _bind_day(claim, reader), None
    if claim.kind is ClaimKind.FACT:
        return Bound(claim, Standing.EXEMPT), None
    return bind_name(claim, reader, question), None


def _misheaded(claim: Claim, evidence: Evidence) -> Bound | None:
    """A heading's period where every call asked for another time."""
    if claim.role is not Role.HEADING or claim.kind not in _TIMES or not claim.days:
        return None
    if evidence.has_loose or not all(each.time_range for each in evidence.exhibits if each.rows):
        return None
    bound = bind_days(claim._replace(role=Role.STATED), evidence)
    return bound if bound.standing is Standing.UNGROUNDED else None


def _bind_day(claim: Claim, reader: Reader) -> Bound:
    """A date or a period; the day of another row than the one named beside it is none."""
    evidence = reader.evidence
    bound = bind_days(claim, evidence)
    if bound.place is not None and len(claim.days) == 1:
        against = reader.other_day(claim, evidence.days.exactly(claim.days[0]))
        if against is not None:
            return Bound(claim, Standing.CONTRADICTED, place=against)
    return bound


def _bind_figure(claim: Claim, reader: Reader, question: str) -> tuple[Bound, Bound | None]:
    evidence = reader.evidence
    found = _cells(claim, reader, evidence.figures)
    if not found.hits and not found.against and evidence.has_loose:
        found = _cells(claim, reader, evidence.written)
    if found.hits and evidence.has_reports:
        found.hits = meant(claim, found.hits, reader.layout, evidence, question)
    judgement = reader.judge(claim, found.hits) if found.hits else None
    if judgement is not None and judgement.hit is None and _in_reports(found.hits, evidence):
        judgement = Judgement(found.hits[0])
    if judgement is not None and judgement.hit is not None:
        return _on_cell(claim, judgement.hit, reader), None
    mistold = judgement is not None and judgement.sure and claim.kind is not ClaimKind.COUNT
    other = None if mistold else _counted(claim, reader)
    other = other or _held(claim, evidence) or _computed(claim, evidence)
    other = other or bind_in_prose(claim, evidence) or bind_limit(claim, reader)
    if other is not None:
        return known_currency(other, evidence, question), None
    against = judgement or _mismatch(claim, found.against, reader)
    if against is None and _is_result_reversed(claim, reader):
        return Bound(claim, Standing.CONTRADICTED), None
    if against is not None:
        bound = Bound(claim, Standing.CONTRADICTED, place=against.against)
        if against.sure and not reader.may_be_derived(claim):
            return bound, None
        return Bound(claim, Standing.UNGROUNDED, place=against.against), bound
    return Bound(claim, Standing.UNGROUNDED), None


def _in_reports(hits: Sequence[Hit], evidence: Evidence) -> bool:
    """True where only pages and cells of text have the figure: their labels are guesses."""
    return all(evidence.sheets[hit.place.sheet].report for hit in hits)


def _mismatch(claim: Claim, hits: Sequence[Hit], reader: Reader) -> Judgement | None:
    """The named cell that has the same digits with another unit or another sign."""
    evidence = reader.evidence
    for hit in hits:
        if evidence.sheets[hit.place.sheet].report or evidence.is_code_column(hit.place):
            continue
        constraints = reader.constraints(claim, hit.place.sheet)
        if all(reader.allows(each, hit.place) for each in constraints):
            telling = share_of_all(hit.reading, reader.evidence) < _BY_CHANCE
            return Judgement(None, hit.place, sure=telling)
    return None


def _held(claim: Claim, evidence: Evidence) -> Bound | None:
    """A figure that the call itself filtered for: the number of an account."""
    for exhibit in evidence.exhibits:
        for name, value in exhibit.held.items():
            if claim.kind is ClaimKind.COUNT and names_calendar(name):
                continue  # as many things as the year has in its number
            if str(value) in claim.text and any(_is_same(value, each) for each in claim.readings):
                return Bound(claim, Standing.GROUNDED, Ground.QUESTION, reason=str(value))
    return None


def _is_same(value: object, reading: Reading) -> bool:
    if reading.unit or isinstance(value, bool):
        return False
    if isinstance(value, str):
        return value.isdecimal() and float(value) == reading.value
    return isinstance(value, int | float) and value == reading.value


def _cells(claim: Claim, reader: Reader, figures: Figures) -> Found:
    return find_cells(
        claim, reader.evidence, figures, lambda: says_loss(reader.passages.sentence_text(claim))
    )


def _on_cell(claim: Claim, hit: Hit, reader: Reader) -> Bound:
    share = coincidence(claim, hit, reader)
    return Bound(
        claim, Standing.GROUNDED, Ground.CELL, hit.place, hit.reading.value, coincidence=share
    )


def _counted(claim: Claim, reader: Reader) -> Bound | None:
    counted = counted_value(claim, reader)
    if counted is None:
        return None
    share = count_coincidence(claim, reader.evidence)
    return Bound(claim, Standing.GROUNDED, Ground.ROW_COUNT, value=counted, coincidence=share)


def _computed(claim: Claim, evidence: Evidence) -> Bound | None:
    """A result of the calculator, as it is or rounded."""
    done = (each for _, each in evidence.calculations)
    for calculation in proving_calculations(evidence) if claim.asked else done:
        for reading in claim.readings:
            if _is_result(reading, calculation.value):
                shown = f"{calculation.expression} = {calculation.value:.12g}"
                return Bound(
                    claim,
                    Standing.GROUNDED,
                    Ground.CALCULATION,
                    value=reading.value,
                    derivation=shown,
                )
    return None


def _is_result_reversed(claim: Claim, reader: Reader) -> bool:
    """True for a result of the calculator with a minus that it has not."""
    return any(
        reading.value < 0 < calculation.value and _is_result(reading, -calculation.value)
        for _, calculation in reader.evidence.calculations
        for reading in claim.readings
    )


def _is_result(reading: Reading, value: float) -> bool:
    reach = reading.half_step + abs(reading.value) * _NOISE
    factors = (1.0, 100.0) if reading.unit == "%" else (1.0,)
    return any(
        abs(told * factor - reading.value) <= reach
        for factor in factors
        # who subtracts the other way round tells the difference without its sign
        for told in ((value, -value) if value < 0 else (value,))
    )


def _nearest(claim: Claim, reader: Reader) -> Place | None:
    """The cell that the text names, else the one whose figure comes closest."""
    evidence = reader.evidence
    named = reader.named_cell(claim)
    if named is not None or not claim.readings:
        return named
    code = evidence.figures.nearest(claim.readings[0].value)
    return None if code is None else evidence.place(code)


def _settle(
    bounds: list[Bound],
    doubted: dict[int, Bound],
    reader: Reader,
    question: str,
    language: Language | None,
) -> None:
    """Let what is still open be derived; what speaks against a claim holds if it can't be."""
    evidence = reader.evidence
    derived = derive(
        bounds, reader.text, evidence, question, language or Language.EN, reader.layout
    )
    _take(derived, bounds, reader, question)
    asked = bind_asked(bounds, reader, question, language or Language.EN)
    _take(asked, bounds, reader, question)
    for at in asked:
        doubted.pop(at, None)
    _tell_in_rows(bounds, doubted, reader)
    for at, bound in enumerate(bounds):
        if bound.standing is Standing.UNGROUNDED:
            said = said_in_passage(bound, evidence)
            bounds[at] = doubted.get(at) or said or _last_resort(bound, reader)
    for at in odd_currencies(bounds, evidence):
        bounds[at] = Bound(bounds[at].claim, Standing.CONTRADICTED, place=bounds[at].place)
    if not evidence.has_loose:
        for at, bound in find_misnamed(bounds, reader.layout, evidence):
            bounds[at] = bound
        for at, bound in find_bracketed(bounds, reader.text, evidence):
            bounds[at] = bound


def _take(found: Mapping[int, Bound], bounds: list[Bound], reader: Reader, question: str) -> None:
    for at, bound in found.items():
        if bounds[at].standing is Standing.CONTRADICTED and bound.standing is Standing.GROUNDED:
            continue  # no arithmetic makes another cell's value, or another unit, right
        told = known_currency(bound, reader.evidence, question)
        bounds[at] = _in_own_item(at, told, bounds, reader)


def _tell_in_rows(bounds: list[Bound], doubted: dict[int, Bound], reader: Reader) -> None:
    """Let rows in time, and rows beside each other, decide what nothing else does."""
    evidence = reader.evidence
    if evidence.timelines:
        settled = [at for at, bound in enumerate(bounds) if bound.ground in _COMPUTED]
        series = bind_series(
            reader.claims, reader.text, evidence.timelines, reader.lexicon, settled
        )
        for at, bound in series.items():
            held = bounds[at]
            if _gives_way(held, bound, evidence) and not reader.is_named_by_key(
                held.claim, held.place
            ):
                bounds[at] = bound
                doubted.pop(at, None)
    beside = bind_parallel(reader.claims, reader.text, evidence.sheets, reader.lexicon)
    for at, bound in beside.items():
        if bounds[at].ground in (None, Ground.CELL, Ground.ROW_COUNT):
            bounds[at] = bound
            doubted.pop(at, None)


def _in_own_item(at: int, told: Bound, bounds: Sequence[Bound], reader: Reader) -> Bound:
    """A share in a list item or table row must be made from a figure that stands there too."""
    passage = reader.passages.at(told.claim.start)
    if (
        told.standing is not Standing.GROUNDED
        or told.claim.kind is not ClaimKind.PERCENT
        or passage is None
        or passage.segment.kind not in LISTED
    ):
        return told
    first, last = passage.segment.start, passage.segment.end
    beside = {
        number
        for number, bound in enumerate(bounds)
        if number != at
        and first <= bound.claim.start < last
        and bound.ground is Ground.CELL
        and bound.claim.kind in FIGURES
    }
    if not beside or not told.operands or beside & set(told.operands):
        return told
    place = next((bounds[number].place for number in beside), None)
    return Bound(told.claim, Standing.CONTRADICTED, place=place, derivation=told.derivation)


def _gives_way(held: Bound, told: Bound, evidence: Evidence) -> bool:
    """True where rows in time decide: nothing else bears the claim out, or a cell among them."""
    if held.ground is None:
        return held.standing is not Standing.EXEMPT and not _in_other_unit(told, evidence)
    if held.ground is not Ground.CELL or told.place is None:
        return False
    column = (told.place.sheet, told.place.column)
    if held.claim.kind in FIGURES and column not in evidence.measure_columns:
        return False
    return held.place is None or held.place.sheet == told.place.sheet


def _in_other_unit(told: Bound, evidence: Evidence) -> bool:
    """True where the cell that a claim would rest on is kept in another currency."""
    if told.ground is not Ground.CELL or told.place is None or not told.claim.readings:
        return False
    return clashes(told.claim.readings[0].unit, evidence.unit(told.place))


def _last_resort(bound: Bound, reader: Reader) -> Bound:
    """A figure that stands in a text, such as an invoice's number; else the cell close by."""
    claim = bound.claim
    if claim.kind not in FIGURES or not claim.readings:
        return bound
    if not reader.evidence.has_loose:
        found = _cells(claim, reader, reader.evidence.written)
        if found.hits:
            return _on_cell(claim, found.hits[0], reader)
    if _SPELT.search(claim.text):
        code = reader.evidence.texts.holding(key_of(claim.text))
        if code is not None:
            return Bound(claim, Standing.GROUNDED, Ground.CELL, reader.evidence.place(code))
    return bound if bound.place is not None else bound._replace(place=_nearest(claim, reader))
