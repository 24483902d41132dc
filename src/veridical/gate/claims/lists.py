"""Enumerations: bulleted lines, "A, B und C", "A、B和C"."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim
from veridical.gate.claims.names import opening
from veridical.gate.layout import BULLET_LEAD, SegmentKind, read_layout
from veridical.late_pattern import late_pattern
from veridical.reading.listed import listed

_BULLET_LEAD = late_pattern(BULLET_LEAD)
_BULLET_LINE = late_pattern(rf"^{BULLET_LEAD}", re.MULTILINE)
_ITEM_END = late_pattern(
    r"[:：（，]|,\s|\s(?:[–—-]\s|\(|(?=~?[-−]?(?:CHF|EUR|USD|[$€£])?\s?[0-9]))"
)
_MARKUP = '*_`"“”„«» \t.'
_WORD = r"[A-ZÄÖÜ][\w’'&-]*(?:\.[\w]+)*"
_ENTRY = rf"(?>{_WORD}(?:[ ](?:(?:of|de|von|&)[ ])?{_WORD}){{0,3}})"
_INLINE = late_pattern(
    rf"(?!(?:Ja|Nein|Yes|No),){_ENTRY}(?:,[ ]{_ENTRY}){{1,40}}"
    rf",?[ ](?:and|und|sowie|or|oder|&)[ ]{_ENTRY}"
)
_JOINT = late_pattern(r",?[ ](?:and|und|sowie|or|oder|&)[ ](?=[A-ZÄÖÜ][^&]*$)|,[ ]")
_HAN_ITEM = r"(?:[^\s，。；：、（）()！？]|(?<=[\w.&])[ ](?=[A-Z&])){1,30}"
_HAN_INLINE = late_pattern(rf"(?!\d){_HAN_ITEM}(?:、{_HAN_ITEM})+")
_HAN_LEAD = late_pattern(r"^.*(?:包括|分别|为|是|(?<!公司)有(?!限))[是为]?")
_FEWEST = 2
_LONG = 60
_UNENDING = listed(
    "the a an of on in for to is was with der die das den dem im am von für ist war mit"
)
_NAME_ENDS = ":："


def find_lists(text: str) -> Iterator[Claim]:
    """Every enumeration with its items as they name themselves."""
    if "\n" in text and _BULLET_LINE.search(text) is not None:
        yield from _bulleted(text)
    if ", " in text:
        for match in _INLINE.finditer(text):
            start = match.start() + opening(match[0])
            items = tuple(_JOINT.split(text[start : match.end()]))
            yield _listed(text, start, match.end(), items)
    if "、" in text:
        for match in _HAN_INLINE.finditer(text):
            if not text[match.start() - 1 : match.start()].isdigit():  # else it opens with a unit
                yield _in_han(text, match)


def _listed(text: str, start: int, end: int, items: tuple[str, ...]) -> Claim:
    return Claim(ClaimKind.LIST, text[start:end], start, end, items=items)


def _bulleted(text: str) -> Iterator[Claim]:
    """Lists of lines, those that are indented deeper as lists of their own."""
    runs: list[list[tuple[int, int]]] = []
    depths: list[int] = []
    for segment in read_layout(text).segments:
        lead = _BULLET_LEAD.match(text, segment.start)
        if segment.kind is not SegmentKind.BULLET:
            yield from _all(text, runs)
            runs, depths = [], []
            continue
        if lead is None:
            continue  # a further sentence of the same item
        line = text[segment.start : segment.end]
        depth = len(line) - len(line.lstrip())
        while depths and depths[-1] > depth:
            yield from _run(text, runs.pop())
            depths.pop()
        if not depths or depths[-1] < depth:
            depths.append(depth)
            runs.append([])
        runs[-1].append((segment.start, segment.end))
    yield from _all(text, runs)


def _all(text: str, runs: list[list[tuple[int, int]]]) -> Iterator[Claim]:
    for spans in runs:
        yield from _run(text, spans)


def _run(text: str, spans: list[tuple[int, int]]) -> Iterator[Claim]:
    if len(spans) < _FEWEST:
        return
    items = tuple(_item(text[start:end]) for start, end in spans)
    yield _listed(text, spans[0][0], spans[-1][1], items)


def _item(line: str) -> str:
    """What the item is called: the text before a colon, a dash, a bracket or a figure."""
    lead = _BULLET_LEAD.match(line)
    said = line[lead.end() if lead else 0 :].replace("**", "").strip()
    end = _ITEM_END.search(said)
    if end is not None and end[0][0] not in _NAME_ENDS:
        before = said[: end.start()].rpartition(" ")[2]
        if len(said) > _LONG or before.lower() in _UNENDING:
            end = None  # a sentence that has a comma or a figure
    return (said[: end.start()] if end else said).strip(_MARKUP)


def _in_han(text: str, match: re.Match[str]) -> Claim:
    items = match[0].split("、")
    lead = _HAN_LEAD.match(items[0])
    start = match.start() + (lead.end() if lead and lead.end() < len(items[0]) else 0)
    items[0] = text[start : match.start() + len(items[0])]
    last, joined, end = items[-1].partition("和")
    items[-1:] = [last, end] if joined and last and end else [items[-1]]
    return _listed(text, start, match.end(), tuple(items))
