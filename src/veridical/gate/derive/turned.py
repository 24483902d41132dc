"""Whether a derived figure is told the right way round: its sign, and the earlier value as base."""

import re

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim, Days
from veridical.gate.derive.combine import Combined
from veridical.gate.derive.known import Known
from veridical.gate.derive.operation import Operation
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.unit import is_currency
from veridical.late_pattern import late_pattern

_ADDED = frozenset({Operation.SUM, Operation.MEAN, Operation.SHARE})
_SHARES = frozenset({Operation.SHARE, Operation.RATIO})
_SAME_UNIT = frozenset({Operation.SUM, Operation.MEAN, Operation.DIFFERENCE})
_LEAD, _TAIL = 70, 24
_CLAUSE = late_pattern(r"[,;:，；：。!?()（）]|\.\s")
_SENTENCE = late_pattern(r"[!?。\n]|\.\s")
_UP = late_pattern(
    r"gestiegen|stieg|zunahme|zuwachs|\bplus\b|anstieg|erhöh|wuchs|gewachsen|\bup\b|\brose\b|\bgrew\b"
    r"|growth|increase|\bjump|\bsurge|增|升|涨",
    re.IGNORECASE,
)
_DOWN = late_pattern(
    r"gesunken|sank|rückgang|abnahme|\bminus\b|vermind|verring|gefallen|\bfiel\b|\bdown\b|\bfell\b"
    r"|decline|decrease|\bdrop|plunge|slump|einbruch|减|降|跌|下滑",
    re.IGNORECASE,
)
_LEFT = late_pattern(
    r"(?:\b(?:(?:ver)?bl(?:ie|ei)b\w*|übrig|leav(?:es|ing)|left|remain(?:s|ed|ing)?)(?:\s(?!or\b)[a-zäöü]+){0,2}\s"
    r"|(?:剩余|剩下|余下)[为约还]?\s?)$",
    re.IGNORECASE,
)
_BY = late_pattern(
    r"(?:(?<!make )(?<!makes )(?<!made )(?<!making )(?<!take )(?<!takes )(?<!took )\bup\b"
    r"|\b(?:down|um|plus|minus"
    r"|(?:rose|fell|grew|shrank|climbed|jumped|dropped|slid|(?:in|de)creased|declined|surged|plunged)"
    r"(?:\sby)?"
    r"|(?:growth|rise|fall|(?:in|de)crease|decline|drop|jump|gain)\sof"
    r"|(?:\w*anstieg|rückgang|zunahme|abnahme|zuwachs|wachstum|\w*einbu(?:ß|ss)e)\s(?:um|von))\b"
    r"|(?:增长|增加|上升|上涨|提高|增幅|涨幅|下降|减少|下跌|下滑|降低|降幅|跌幅|回落)[了为达约近]{0,2})"
    r"(?:\s(?:about|around|roughly|nearly|almost|some|over|rund|etwa|ca\.|circa|fast|knapp|gut))?"
    r"(?:\s?[^\s\d]{0,4}\s?\d[\d'’.,]*\s?[^\s\d,，(（]{0,4}[\s,，(（]+"
    r"(?:or|bzw\.|beziehungsweise|oder|also|i\.e\.|that is|das sind|即|或|也就是)?)?"
    r"[\s+*]*$",
    re.IGNORECASE,
)
"""Also where the step is told as an amount before: a decrease of 1,000 or 5%."""
_OF = late_pattern(r"\s(?:des|der|vom|von|of)\b", re.IGNORECASE)
_HAN_OF = late_pattern(r"占[^，。；\n]{0,16}$")
_TURNING = frozenset({Operation.CHANGE, Operation.DIFFERENCE})


def sign_of(claim: Claim, text: str) -> int:
    """1 or -1 where the figure shows its sign, else 0."""
    value = claim.readings[0].value if claim.readings else 0.0
    if value < 0:
        return -1
    return 1 if "+" in claim.text or text[claim.start - 1 : claim.start] == "+" else 0


def says_left(claim: Claim, text: str) -> bool:
    """True where the words right before a percentage say that so much is left."""
    lead = text[max(0, claim.start - _LEAD) : claim.start]
    return claim.kind is ClaimKind.PERCENT and _LEFT.search(lead) is not None


def says_of(claim: Claim, text: str) -> bool:
    """True where the words around a percentage say what it is a part of."""
    lead = text[max(0, claim.start - _LEAD) : claim.start]
    return bool(_OF.match(text, claim.end) or _HAN_OF.search(lead))


def _is_share(made: Combined, claim: Claim) -> bool:
    return claim.kind is ClaimKind.PERCENT and made.operation in _SHARES


def _says_by(claim: Claim, text: str) -> bool:
    """True where something rose or fell by just this percentage."""
    return _BY.search(text[max(0, claim.start - _LEAD) : claim.start]) is not None


def direction_of(claim: Claim, text: str) -> int:
    """1 or -1 where words say that something rose or fell by this figure, else 0."""
    lead = _CLAUSE.split(text[max(0, claim.start - _LEAD) : claim.start])[-1]
    tail = _CLAUSE.split(text[claim.end : claim.end + _TAIL])[0]
    noun = " ".join(tail.split()[:1])  # a 50% jump
    for words in (noun, lead, tail):
        up, down = _UP.search(words), _DOWN.search(words)
        if bool(up) != bool(down):
            return 1 if up else -1
    return 0


def is_told(made: Combined, claim: Claim, evidence: Evidence, text: str) -> bool:
    """False for a sign or a currency that can't be, and for a change from the later value."""
    if _is_in_another_currency(made, claim):
        return False
    if says_left(claim, text):
        return _is_left(made, claim, text)
    sign = sign_of(claim, text)
    if (sign or _says_by(claim, text)) and _is_share(made, claim):
        return False  # what has a sign, or is told as a step up or down, is a change
    if made.operation in _ADDED or len(made.operands) > 2:
        return not sign or (made.value < 0) == (sign < 0)
    if made.operation not in _TURNING:
        return made.operation is not Operation.REST
    pair = list(made.operands)
    first, second = pair[0], pair[-1]
    if made.operation is Operation.DIFFERENCE:
        first, second = second, first  # the combination is the first without the second
    order = in_time(first, second, evidence)
    if order < 0 and made.operation is Operation.CHANGE:
        return False
    if order:
        sign = sign or direction_of(claim, text)
        return not sign or (made.value * order < 0) == (sign < 0)
    if not sign:
        return True
    return max(first.start, second.start) < claim.start and _is_difference(made, sign, evidence)


def _is_left(made: Combined, claim: Claim, text: str) -> bool:
    """False for a change, and for the share of a part that the same sentence takes away before."""
    if made.operation not in _SHARES:
        return made.operation is Operation.REST
    part = made.operands[0].start
    return part < 0 or _SENTENCE.search(text, part, claim.start) is not None


def _is_in_another_currency(made: Combined, claim: Claim) -> bool:
    if made.operation not in _SAME_UNIT:
        return False
    units = {each.unit for each in made.operands if is_currency(each.unit)}
    own = claim.readings[0].unit
    return is_currency(own) and bool(units) and own not in units


def _is_difference(made: Combined, sign: int, evidence: Evidence) -> bool:
    """False for a wrong sign between figures of different columns: revenue less cost."""
    pair = list(made.operands)
    one, other = pair[0].place, pair[-1].place
    if one is None or other is None or evidence.is_loose(one.sheet):
        return True
    if (one.sheet, one.column) == (other.sheet, other.column):
        return True
    return (made.value < 0) == (sign < 0)


def in_time(first: Known, second: Known, evidence: Evidence) -> int:
    """1 where the second value is later than the first, -1 where earlier, 0 where nobody knows."""
    early, late = _days(first, evidence), _days(second, evidence)
    if early is None or late is None or early.start == late.start:
        return 0
    return 1 if late.start > early.start else -1


def _days(known: Known, evidence: Evidence) -> Days | None:
    place = known.place
    if place is None or evidence.is_loose(place.sheet):
        return None
    for column in range(len(evidence.sheets[place.sheet].columns)):
        if column != place.column:
            found = evidence.days_of(place.sheet, place.row, column)
            if found is not None:
                return found
    return None
