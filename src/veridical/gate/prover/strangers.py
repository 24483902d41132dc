"""Names that neither the evidence nor the question has: people, firms, rows of a list."""

import re
from collections.abc import Iterator

from veridical.contracts.input_budget import keep_time
from veridical.gate.languages.forms import forms
from veridical.gate.proper_names import NO_NAME
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.names import tokens
from veridical.gate.prover.prover import Prover
from veridical.gate.text.passage import Passage, PassageKind, Span, listed_blocks
from veridical.gate.text.taken import Taken
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.punctuation import LIST_MARKS, marks
from veridical.reading.units import CURRENCIES
from veridical.word_file import word_file

STRANGER = "stranger"
"""The kind of a name that neither the evidence nor the question has."""
_CAPITAL = rf"[^\W\d_a-zß-öø-ÿ{HAN}](?:[^\W{HAN}]|[’'-])*"
_JOINED: str = word_file("veridical.gate")["names"]["joined"]
_RUN = late_pattern(rf"(?<![\w-]){_CAPITAL}(?:[ ](?:(?:{_JOINED})[ ])?{_CAPITAL})+")
_HEAD = late_pattern(rf"[^\n|–—→=0-9{marks(':(,;')}{LIST_MARKS}]+")
_JOINTS = "".join(each for each in forms().name_joint if re.fullmatch(f"[{HAN}]", each))
_BEFORE = rf"(?:^[*•-]?|\n[*•-]?|[|{marks(',;:')}{LIST_MARKS}{_JOINTS}]|\d[.)])[ \t]*"
_BEHIND = rf"(?=[ \t]*(?:$|[\n|{marks(',;:.(')}{LIST_MARKS}{_JOINTS}]|\d{{1,2}}[.)]))"
_HAN_NAME = late_pattern(rf"{_BEFORE}(?P<name>(?:(?![{_JOINTS}])[{HAN}]){{2,4}}){_BEHIND}")
_LETTER = late_pattern(r"[^\W\d_]")
_LONGEST = 60
_LEAST = 2


def strangers(prover: Prover) -> list[Claim]:
    """Each unknown name, once per place."""
    spans: list[Span] = []
    taken = Taken(len(prover.answer.text))
    for found in (*_listed(prover), *_of_han(prover), *_runs(prover)):
        keep_time()
        if not taken.meets(*found):
            taken.add(*found)
            spans.append(found)
    return [Claim(*span, STRANGER, Stand.UNPROVEN) for span in spans]


def _is_known(prover: Prover, start: int, end: int) -> bool:
    """True if most of it is a name, a time, a column or a cue of the language, or stands in the
    question."""
    keep_time()
    answer = prover.answer
    if answer.text[start:end] in prover.question.text:
        return True
    mentions = (*answer.names, *answer.measures, *answer.moments, *answer.cues)
    here = bytearray(end - start)
    for each in mentions:
        if each.start < end and start < each.end:
            first, last = max(each.start, start) - start, min(each.end, end) - start
            here[first:last] = b"\1" * (last - first)
    question_stems = {each.stem for each in tokens(prover.question.text)}
    words = [
        (start + each.start, start + each.end, each.stem in question_stems)
        for each in tokens(answer.text[start:end])
    ] or [(start, end, False)]
    known = [
        last - first
        for first, last, in_question in words
        if in_question or any(here[first - start : last - start])
    ]
    return 2 * sum(known) >= sum(last - first for first, last, _ in words)


def _listed(prover: Prover) -> Iterator[Span]:
    """The heads of items and rows of which others name rows of the evidence, and of a table none of
    whose rows does."""
    for block in listed_blocks(prover.answer.passages):
        known = [_names_row(prover, each) for each in block]
        is_table = block[0].kind is PassageKind.ROW
        for passage, is_known in zip(block, known, strict=True):
            head = _head(prover, passage)
            if head is None or is_known or _is_known(prover, *head):
                continue
            if is_table or (sum(known) >= _LEAST and sum(known) * 2 >= len(block)):
                yield head


def _names_row(prover: Prover, passage: Passage) -> bool:
    named = prover.answer.within(prover.answer.names, passage.start, passage.end)
    return any(each.is_key for each in named)


def _head(prover: Prover, passage: Passage) -> Span | None:
    """The subject of an item or a row: its first words, before any figure."""
    text = prover.answer.text
    if passage.kind is PassageKind.ROW:
        cells = (each for each in passage.cells if _LETTER.search(text, *each))
        return next(cells, None)
    found = _HEAD.match(text, passage.start, passage.end)
    if (
        passage.start != passage.line
        or found is None
        or not found[0].strip()
        or len(found[0]) > _LONGEST
    ):
        return None
    start = found.start() + len(found[0]) - len(found[0].lstrip())
    return start, found.start() + len(found[0].rstrip())


def _of_han(prover: Prover) -> Iterator[Span]:
    """Two or more short unknown Chinese names in a row: an item each, or enumerated."""
    found = [
        match.span("name")
        for match in _HAN_NAME.finditer(prover.answer.text)
        if not _is_known(prover, *match.span("name"))
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


_ENUMERATED = late_pattern(
    rf"[^{HAN}\n]*[{_JOINTS}\n|{LIST_MARKS}][^{HAN}]*|[^{HAN}]*\d[.)][^{HAN}]*|[{marks(',')} ]*"
)


def _runs(prover: Prover) -> Iterator[Span]:
    """Capitalised words in a row."""
    text = prover.answer.text
    for passage in prover.answer.passages:
        found = [
            match.span()
            for match in _RUN.finditer(text, passage.start, passage.end)
            if _is_name(match[0]) and not _is_known(prover, *match.span())
        ]
        if passage.kind is not PassageKind.HEADING or len(found) >= _LEAST:
            yield from found


def _is_name(name: str) -> bool:
    words = name.split(" ")
    common = any(word in NO_NAME or word in CURRENCIES for word in words)
    return not common and not all(word.isupper() for word in words)
