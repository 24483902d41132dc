"""Names that neither the evidence nor the question has: people, firms, rows of a list."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.gate.claims.names import NO_NAME
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.names import Token, tokens
from veridical.gate.prover.passage import Passage, PassageKind, Span, listed_blocks
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.units import CURRENCIES

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w’'-]*"
_RUN = late_pattern(rf"(?<![\w-]){_CAPITAL}(?:[ ](?:(?:of|de|van|von|der|del|&)[ ])?{_CAPITAL})+")
_HEAD = late_pattern(r"[^\n:：（(|–—→=,，、;；0-9]+")
_HAN_NAME = late_pattern(rf"(?<![{HAN}\w])[{HAN}]{{2,4}}(?![{HAN}\w])")
_LETTER = late_pattern(r"[^\W\d_]")
_LONGEST = 60
_LEAST = 2


def strangers(prover: "Prover") -> list[Claim]:
    """Each name that came from nowhere, once for every place."""
    spans: list[Span] = []
    for found in (*_listed(prover), *_of_han(prover), *_runs(prover)):
        if not any(found[0] < end and start < found[1] for start, end in spans):
            spans.append(found)
    return [Claim(*span, "name", Stand.UNPROVEN, "nobody knows this name") for span in spans]


def _is_known(prover: "Prover", start: int, end: int) -> bool:
    """Whether a name, a time, a column or a word of the language stands there."""
    answer = prover.answer
    mentions = (*answer.names, *answer.measures, *answer.moments, *answer.cues)
    if any(each.start < end and start < each.end for each in mentions):
        return True
    said = _stems(tokens(answer.text[start:end]))
    asked = _stems(tokens(prover.question.text))
    return bool(said & asked) or answer.text[start:end] in prover.question.text


def _stems(found: list[Token]) -> frozenset[str]:
    return frozenset(each.stem for each in found)


def _listed(prover: "Prover") -> Iterator[Span]:
    """The heads of items and rows of which others name rows of the evidence, and of a table none of
    whose rows does."""
    for block in listed_blocks(prover.answer.passages):
        heads = [(each, _head(prover, each)) for each in block]
        known = [each for each in block if _names_row(prover, each)]
        is_table = block[0].kind is PassageKind.ROW
        for passage, head in heads:
            if head is None or passage in known or _is_known(prover, *head):
                continue
            if is_table or (len(known) >= _LEAST and len(known) * 2 >= len(block)):
                yield head


def _names_row(prover: "Prover", passage: Passage) -> bool:
    named = prover.answer.within(prover.answer.names, passage.start, passage.end)
    return any(each.is_key for each in named)


def _head(prover: "Prover", passage: Passage) -> Span | None:
    """What an item or a row is about: its first words, before any figure."""
    text = prover.answer.text
    if passage.kind is PassageKind.ROW:
        cells = (each for each in passage.cells if _LETTER.search(text, *each))
        return next(cells, None)
    found = _HEAD.match(text, passage.start, passage.end)
    if found is None or not found[0].strip() or len(found[0]) > _LONGEST:
        return None
    start = found.start() + len(found[0]) - len(found[0].lstrip())
    return start, found.start() + len(found[0].rstrip())


def _of_han(prover: "Prover") -> Iterator[Span]:
    """Two and more short Chinese names in a row that nobody knows: an item each, or enumerated."""
    found = [
        match.span()
        for match in _HAN_NAME.finditer(prover.answer.text)
        if not _is_known(prover, *match.span())
    ]
    groups: list[list[Span]] = []
    for span in found:
        between = prover.answer.text[groups[-1][-1][1] : span[0]] if groups else ""
        if groups and _ENUMERATED.fullmatch(between):
            groups[-1].append(span)
        else:
            groups.append([span])
    for group in groups:
        if len(group) >= _LEAST:
            yield from group


_ENUMERATED = re.compile(r"[\s、，,;；和与及以|()（）\d.。:：%元¥￥-]*")


def _runs(prover: "Prover") -> Iterator[Span]:
    """Capitalised words in a row."""
    text = prover.answer.text
    for passage in prover.answer.passages:
        if passage.kind is PassageKind.HEADING:
            continue
        for match in _RUN.finditer(text, passage.start, passage.end):
            words = match[0].split(" ")
            if any(word in NO_NAME or word in CURRENCIES for word in words):
                continue
            if all(word.isupper() for word in words) or _is_known(prover, *match.span()):
                continue
            yield match.span()
