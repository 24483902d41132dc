"""Operations that the words of an answer name, over the figures that it states nearby."""

from collections.abc import Collection, Iterator, Sequence

from veridical.contracts.language import Language
from veridical.contracts.proof import Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading, Role
from veridical.gate.derive.combine import Combined, coincidence, combined, first_at
from veridical.gate.derive.known import PERCENT, Known, is_figure, known_figures
from veridical.gate.derive.legal import objection
from veridical.gate.derive.operation import Operation, named_operations
from veridical.gate.derive.rate import derive_from_rate
from veridical.gate.derive.rest import is_of_other_parts
from veridical.gate.derive.turned import is_told, says_of
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.layout import Layout, Segment, SegmentKind

_NOISE = 1e-9
_NAMED_LIMIT = 0.10
_UNNAMED_LIMIT = 0.02
_NEAREST = 12
_PASSES = 3
_EVERY = frozenset(Operation) - {Operation.PRODUCT, Operation.COUNT}
_LONGEST_LIST = 200


def derive_said(
    bounds: Sequence[Bound],
    layout: Layout,
    evidence: Evidence,
    question: str,
    language: Language,
) -> dict[int, Bound]:
    """The open claims that follow from stated figures; a result may serve the next claim."""
    said = _Said(list(bounds), layout, evidence, question, language)
    for _ in range(_PASSES):
        if not said.go_through():
            break
    return said.changed


class _Said:
    """One answer's figures and what has come of them."""

    def __init__(
        self,
        bounds: list[Bound],
        layout: Layout,
        evidence: Evidence,
        question: str,
        language: Language,
    ) -> None:
        self._bounds = bounds
        self._layout = layout
        self._evidence = evidence
        self._question = question
        self._asked = named_operations(question)
        self._language = language
        self.changed: dict[int, Bound] = {}

    def go_through(self) -> bool:
        """One pass over the open claims; true when one of them was settled."""
        settled = False
        known = known_figures(self._bounds, self._evidence)
        for at, bound in enumerate(self._bounds):
            if not _is_open(bound):
                continue
            found = self._settled(at, bound.claim, known)
            if found is not None:
                self._bounds[at] = self.changed[at] = found
                settled = True
        return settled

    def _settled(self, at: int, claim: Claim, known: Sequence[Known]) -> Bound | None:
        return (
            self._restated(claim)
            or self._counted(claim)
            or derive_from_rate(claim, self._bounds, self._layout.text, self._evidence)
            or self._computed(at, claim, known)
        )

    def _restated(self, claim: Claim) -> Bound | None:
        """A derived figure again, in percent, in another scale or with fewer digits."""
        for index, bound in enumerate(self._bounds):
            if bound.ground is not Ground.DERIVATION or bound.standing is not Standing.GROUNDED:
                continue
            for reading in claim.readings:
                for source in bound.claim.readings:
                    if _says_again(reading, source):
                        return Bound(
                            claim,
                            Standing.GROUNDED,
                            Ground.DERIVATION,
                            value=reading.value,
                            derivation=bound.derivation or bound.claim.text,
                            operands=(index,),
                        )
        return None

    def _counted(self, claim: Claim) -> Bound | None:
        """How many items the answer goes on to list."""
        reading = claim.readings[0]
        if reading.unit or not reading.value.is_integer() or not 1 < reading.value < _LONGEST_LIST:
            return None
        segment = self._layout.segment_at(claim.start)
        for length in _listed(self._layout, segment):
            if length == reading.value:
                return Bound(
                    claim,
                    Standing.GROUNDED,
                    Ground.DERIVATION,
                    value=reading.value,
                    derivation=f"1 × {length}",
                )
        return None

    def _computed(self, at: int, claim: Claim, known: Sequence[Known]) -> Bound | None:
        here = self._layout.segment_at(claim.start)
        words = self._layout.text[here.start : here.end] if here else self._layout.text
        named = named_operations(words) | self._asked
        for pool, limit, operations in self._pools(claim, here, known, named):
            found = fitting(claim, pool, operations, limit, self._evidence, self._layout.text)
            if found is not None:
                reading, best, share = found
                return concluded(claim, reading, best, share, self._evidence, self._language)
        return None

    def _pools(
        self,
        claim: Claim,
        here: Segment | None,
        known: Sequence[Known],
        named: Collection[Operation],
    ) -> Iterator[tuple[Sequence[Known], float, Collection[Operation]]]:
        """Figures of the same sentence first, then the nearest ones, then all named so far."""
        usable = [each for each in known if _is_operand(each)]
        start, end = (here.start, here.end) if here else (0, len(self._layout.text))
        inside = [each for each in usable if start <= each.start < end]
        nearest = sorted(usable, key=lambda each: abs(each.start - claim.start))[:_NEAREST]
        near = sorted(nearest, key=lambda each: each.start)
        every = _EVERY
        if Operation.CHANGE in named and not says_of(claim, self._layout.text):
            # who speaks of a change gives no share
            named, every = set(named) - {Operation.SHARE}, _EVERY - {Operation.SHARE}
        if named:
            yield inside, _NAMED_LIMIT, named
            yield near, _NAMED_LIMIT, named
            yield usable, _NAMED_LIMIT, named
        yield inside, _UNNAMED_LIMIT, every
        yield near[-_NEAREST // 2 :], _UNNAMED_LIMIT, every


def fitting(
    claim: Claim,
    pool: Sequence[Known],
    operations: Collection[Operation],
    limit: float,
    evidence: Evidence,
    text: str,
) -> tuple[Reading, Combined, float] | None:
    """The combination that a claim states, unless too many other figures had one as well."""
    if len(pool) < 2:
        return None

    def told(each: Combined) -> bool:
        return is_told(each, claim, evidence, text) and not is_of_other_parts(
            each, claim, pool, text
        )

    for reading in claim.readings:
        percent = reading.unit == PERCENT
        made = list(combined(pool, operations, percent=percent))
        reach = reading.half_step + abs(reading.value) * _NOISE
        for scale in {1.0, reading.scale}:
            value, step = reading.value / scale, reach / scale
            best = first_at(made, value, step, told)
            if best is not None:
                share = coincidence((each.value for each in made), value, step)
                if share <= limit:
                    return reading, best, share
    return None


def concluded(
    claim: Claim,
    reading: Reading,
    best: Combined,
    share: float,
    evidence: Evidence,
    language: Language,
) -> Bound:
    """The claim on this combination: grounded, or illegal where the measure forbids it."""
    against = objection(best.operation, best.operands, evidence, language)
    return Bound(
        claim,
        Standing.ILLEGAL if against else Standing.GROUNDED,
        Ground.DERIVATION,
        value=reading.value,
        derivation=best.text,
        operands=tuple(each.claim for each in best.operands if each.claim is not None),
        reason=against,
        coincidence=share,
    )


def _is_open(bound: Bound) -> bool:
    return (
        bound.standing is Standing.UNGROUNDED
        and bound.claim.role is Role.STATED
        and is_figure(bound)
    )


def _is_operand(known: Known) -> bool:
    """Years and single digits are in every answer: computing with them proves nothing."""
    return abs(known.value) > 9 or not known.value.is_integer() or bool(known.unit)


def _says_again(reading: Reading, source: Reading) -> bool:
    """True when the one is the other, rounded further or in percent."""
    if reading.half_step < source.half_step and reading.unit == source.unit:
        return False
    values = [source.value, source.value / source.scale]
    if reading.unit == PERCENT and source.unit != PERCENT:
        values = [source.value * 100]
    elif source.unit == PERCENT and reading.unit != PERCENT:
        values = [source.value / 100]
    return any(
        abs(abs(value) - abs(reading.value / scale))
        <= reading.half_step / scale + abs(value) * _NOISE
        for value in values
        for scale in {1.0, reading.scale}
    )


def _listed(layout: Layout, segment: Segment | None) -> Iterator[int]:
    """How many list items follow the sentence, one after the other."""
    if segment is None:
        return
    items = 0
    lines: set[int] = set()
    for other in layout.segments:
        if other.start <= segment.start:
            continue
        if other.kind not in (SegmentKind.BULLET, SegmentKind.ROW):
            if items:
                break
            continue
        line = layout.text.count("\n", 0, other.start)
        if line not in lines:
            lines.add(line)
            items += 1
    if items > 1:
        yield items
