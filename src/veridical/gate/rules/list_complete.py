"""A list holds what was returned: its items are keys, its announced length is its length."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from veridical.contracts.proof import ClaimKind, GateCode, Ground, Standing
from veridical.contracts.violation import Mode
from veridical.gate.bind.names import find_name
from veridical.gate.bound import Bound
from veridical.gate.claim import Role
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.index_text import key_of
from veridical.gate.notions import Notion, said
from veridical.gate.rules.enumeration import enumerations, is_total
from veridical.gate.rules.gate_facts import FIGURES, GateFacts, is_currency
from veridical.gate.rules.problem import Problem
from veridical.late_pattern import late_pattern

_AMOUNT = r"(?:(?:CHF|EUR|USD|[$€£])\s?\d[\d'’.,]*|\d[\d'’.,]*\s?(?:CHF|EUR|USD|瑞郎|欧元|美元|元))"
_DATE = r"(?:\d{1,2}\.? \w{3,9} \d{4}|\d{1,2}\.\d{1,2}\.\d{4}|\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)"
_LEADS_ON = late_pattern(
    rf"(?:[^\d:：;；.!?。\n]|{_AMOUNT}|{_DATE}){{0,60}}"
    r"(?:[:：]|\b(?:nämlich|und zwar|namely)\b|即|分别(?:是|为))[\s*_>]*"
)
_LEADING = (":", "：", "nämlich", "und zwar", "namely", "即", "分别")
_BETWEEN = late_pattern(r"[\s,、，;；*_\-•·–]*(?:\b(?:und|sowie|and)\b|和|及|以及|与)?[\s*_]*")
_ENDS = late_pattern(r"[\s*_]*(?:[.!?。！？\n]|$)")
_FEWEST_KEYS = 2
_LIST, _SAID = ClaimKind.LIST, (Role.STATED, Role.QUOTED)
_NOUN = late_pattern(r"[^\W\d_]")
"""What is counted stands between the count and its list: "Option 1:" counts nothing."""
_BARE_BREAK = late_pattern(
    r"[*_]*\s?[,，–—](?!\s?(?:nämlich|und zwar|wie folgt|namely|as follows|这|如下|即|分别))"
)
_OF_A_SERIES = late_pattern(
    r"(?:\d\s?(?:bis|to|through|[-–—~/]|至|到)\s?"
    r"|(?:kont(?:o|en)|accounts?|klassen?|class(?:es)?|gruppen?|groups?|nummern?|numbers?|n[ro]s?\."
    r"|codes?|科目|账户|编号)\s?(?:\d+(?:,\s?|、|\s(?:und|and)\s|和))*)$",
    re.IGNORECASE,
)
_SERIES_GOES_ON = late_pattern(r"\s?(?:bis|to|through|[-–—~/]|至|到)\s?\d")
"""Accounts 60 to 63 are named by their numbers, not counted."""
_SERIES_REACH = 40
_REACH = 14
_SLACK = 4
"""How far a list's marker may stand from the words that lead on to it."""
_LONGEST = 200
_NAMED = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER})
_ALL_LEAD = late_pattern(
    r"(?:[^:：.!?。\n]|(?<=\d)\.(?=\d)){2,120}[:：][\s*_>]*(?:(?:1\.|[-•])\s+)?"
)
_NOT_ALL = (Notion.EXAMPLES, Notion.RESTRICTED, Notion.PARTIAL)


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for items that nothing returned, a wrong count before a list, rows left out."""
    lists = [bound for bound in facts.bounds if bound.claim.kind is _LIST]
    for bound in lists:
        yield from _not_returned(facts, bound)
        yield from _left_out(facts, bound)
    announced = list(_announced(facts))
    yield from announced or _cut_short(facts)
    yield from () if announced else _less_than_totalled(facts)


def _not_returned(facts: GateFacts, listed: Bound) -> Iterator[Problem]:
    """Items beside returned keys that no result has. Where few items are keys of one column, who
    knows what is listed: steps, reasons, labels of values."""
    if listed.standing not in (Standing.UNGROUNDED, Standing.CONTRADICTED) or not facts.filled:
        return
    items = listed.claim.items
    missing = [item for item in items if item in listed.reason and not is_total(item)]
    if 2 * _keys_of_one_column(items, facts) >= max(len(items), _FEWEST_KEYS) and missing:
        values = (("item", ", ".join(missing)),)
        yield Problem(GateCode.LIST_MISMATCH, "item", listed, values=values)


def _keys_of_one_column(items: Sequence[str], facts: GateFacts) -> int:
    """How many items are whole cells of the column that holds most of them."""
    columns: Counter[tuple[int, int]] = Counter()
    for item in items:
        place = find_name(item, facts.evidence, inflected=False)
        if place is not None and key_of(str(facts.evidence.cell(place))) == key_of(item):
            columns[place.sheet, place.column] += 1
    return max(columns.values(), default=0)


def _announced(facts: GateFacts) -> Iterator[Problem]:
    """A count that leads on to a list and is not its length."""
    if not any(sign in facts.text for sign in _LEADING):
        return
    for bound in facts.bounds:
        claim = bound.claim
        if claim.kind not in FIGURES or claim.role not in _SAID:
            continue
        lead = _LEADS_ON.match(facts.text, claim.end)
        if lead is None or said(Notion.EXAMPLES, lead[0]) or not _says_what(facts, bound, lead[0]):
            continue
        if _is_value(bound, facts) or _is_numbered(bound, facts.text):
            continue
        items = _length(facts, lead.end())
        wrong = items and _miscounts(bound, items)
        if not items:
            items = _keys_after(facts, lead.end())
            wrong = items > 1 and _miscounts(bound, items) and claim.readings[0].value > items
        if wrong:
            yield _miscounted(bound, items)


def _says_what(facts: GateFacts, bound: Bound, lead: str) -> bool:
    """True where a noun follows the count, or where the words before it say that it is of all."""
    start = bound.claim.start
    noun = _NOUN.search(lead) and not _BARE_BREAK.match(lead)
    return bool(noun or said(Notion.ALL, facts.text[max(0, start - _REACH) : start]))


def _is_value(bound: Bound, facts: GateFacts) -> bool:
    """True for what a result measures, or its total: 48 bookings, of which three months follow."""
    if bound.standing is not Standing.GROUNDED:
        return False
    if bound.ground is Ground.DERIVATION:
        return " + " in bound.derivation
    place = bound.place
    return (
        bound.ground is Ground.CELL
        and place is not None
        and (place.sheet, place.column) in facts.evidence.measure_columns
    )


def _is_numbered(bound: Bound, text: str) -> bool:
    """True for one of several numbers that name something."""
    start, end = bound.claim.start, bound.claim.end
    before = text[max(0, start - _SERIES_REACH) : start]
    return bool(_OF_A_SERIES.search(before) or _SERIES_GOES_ON.match(text, end))


def _length(facts: GateFacts, start: int) -> int:
    """How many items the list or table has that begins here; 0 where there is none."""
    for listed in enumerations(facts):
        if abs(listed.start - start) <= _SLACK:
            return listed.length
    return _names_in_a_row(facts, start)


def _cut_short(facts: GateFacts) -> Iterator[Problem]:
    """A true count of all rows beside the only list, which is shorter: an item was dropped."""
    if len(facts.filled) != 1:
        return
    rows = len(facts.filled[0].rows)
    counts = [bound for bound in facts.bounds if bound.claim.counted and _counts(bound, rows)]
    if not counts:
        return
    found = [each for each in enumerations(facts) if each.length >= _FEWEST_KEYS]
    if len(found) != 1 or found[0].length >= rows:
        return
    listed = found[0]
    for bound in counts:
        start, end = bound.claim.start, bound.claim.end
        if end <= listed.start or start >= listed.end:
            between = facts.text[min(end, listed.end) : max(start, listed.start)]
            context = f"{between} {facts.question}"
            if not any(said(notion, context) for notion in _NOT_ALL):
                yield _miscounted(bound, listed.length)
                return


def _less_than_totalled(facts: GateFacts) -> Iterator[Problem]:
    """A list of all that leaves out rows which the stated total has: their own keys are missing."""
    if len(facts.filled) != 1 or len(facts.filled[0].rows) <= _FEWEST_KEYS:
        return
    rows = facts.filled[0].rows
    if not any(each.derivation.count(" + ") == len(rows) - 1 for each in facts.bounds):
        return
    lead = next(
        (each for each in _ALL_LEAD.finditer(facts.text) if said(Notion.ALL, each[0])), None
    )
    if lead is None or any(said(each, f"{lead[0]} {facts.question}") for each in _NOT_ALL):
        return
    if not any(
        bound.claim.kind in _NAMED and abs(bound.claim.start - lead.end()) <= _SLACK
        for bound in facts.bounds
    ):
        return
    for column in range(len(facts.filled[0].columns)):
        keys = {row[column] for row in rows if isinstance(row[column], str)}
        named = sum(key in facts.text for key in keys) if len(keys) == len(rows) else 0
        if _FEWEST_KEYS <= named < len(rows):
            yield Problem(
                GateCode.LIST_MISMATCH,
                "left_out",
                claim=lead[0].strip(),
                start=lead.start(),
                values=(("items", named), ("rows", len(rows))),
            )
            return


def _counts(bound: Bound, rows: int) -> bool:
    claim = bound.claim
    is_count = claim.kind is ClaimKind.COUNT and rows > _FEWEST_KEYS
    return is_count and any(reading.value == rows for reading in claim.readings)


def _miscounted(bound: Bound, items: int) -> Problem:
    values = (("count", bound.claim.text), ("items", items))
    return Problem(GateCode.LIST_MISMATCH, "count", bound, values=values)


def _keys_after(facts: GateFacts, start: int) -> int:
    """How many rows the rest of the line names by their key, in the column of most of its names."""
    end = facts.text.find("\n", start)
    line = facts.text[start : end if end >= 0 else len(facts.text)]
    columns = Counter(
        (bound.place.sheet, bound.place.column)
        for bound in facts.bounds
        if bound.claim.kind is ClaimKind.NAME
        and bound.standing is Standing.GROUNDED
        and bound.place is not None
        and start <= bound.claim.start < start + len(line)
    )
    if not columns:
        return 0
    sheet, column = max(columns, key=lambda each: columns[each])
    return sum(str(row[column]) in line for row in facts.evidence.sheets[sheet].rows)


def _names_in_a_row(facts: GateFacts, start: int) -> int:
    """Names from here to the end of the sentence with nothing but separators between them."""
    count, at = 0, start
    for bound in facts.bounds:
        claim = bound.claim
        if claim.kind is ClaimKind.NAME and claim.start >= at:
            if not _BETWEEN.fullmatch(facts.text, at, claim.start):
                break
            count, at = count + 1, claim.end
    return count if _ENDS.match(facts.text, at) else 0


def _miscounts(bound: Bound, items: int) -> bool:
    """True for a whole number of things, none of whose readings is the list's length."""
    readings = bound.claim.readings
    return (
        not bound.claim.approximate
        and not bound.claim.bound
        and bool(readings)
        and all(
            reading.unit != "%"
            and not is_currency(reading.unit)
            and 0 < reading.value <= _LONGEST
            and reading.value == int(reading.value)
            and int(reading.value) != items
            for reading in readings
        )
    )


def _left_out(facts: GateFacts, listed: Bound) -> Iterator[Problem]:
    """A list of all that names only some of the returned keys."""
    if listed.place is None or listed.standing is not Standing.GROUNDED:
        return
    if len(facts.filled) != 1 or not facts.filled[0].rows:
        return
    exhibit = facts.filled[0]
    if listed.place.column >= len(exhibit.columns):
        return
    keys = {str(row[listed.place.column]) for row in exhibit.rows}
    items = len(listed.claim.items)
    lead = facts.text[: listed.claim.start]
    context = f"{lead} {facts.question}"
    if items >= len(keys) or any(said(notion, context) for notion in _NOT_ALL):
        return
    whole = said(Notion.ALL, lead) or (
        _is_announced(facts, listed) and not _may_be_sorted_out(exhibit)
    )
    at_most = Mode.BLOCK if whole else Mode.WARN
    values = (("items", items), ("rows", len(keys)))
    yield Problem(GateCode.LIST_MISMATCH, "left_out", listed, values=values, at_most=at_most)


def _is_announced(facts: GateFacts, listed: Bound) -> bool:
    """True where a count leads on to the list and says that this is how many there are."""
    for bound in facts.bounds:
        claim = bound.claim
        lead = _LEADS_ON.match(facts.text, claim.end) if claim.kind in FIGURES else None
        if lead is not None and abs(listed.claim.start - lead.end()) <= _SLACK:
            return any(reading.value == len(listed.claim.items) for reading in claim.readings)
    return False


def _may_be_sorted_out(exhibit: Exhibit) -> bool:
    """True where some column sorts the rows into a few kinds, of which the list may be one."""
    for at in range(len(exhibit.columns)):
        values = [row[at] for row in exhibit.rows]
        if any(isinstance(value, bool) for value in values):
            return True
        if all(isinstance(value, str) for value in values):
            kinds = len(set(values))
            if 1 < kinds <= len(values) / 2:
                return True
    return False
