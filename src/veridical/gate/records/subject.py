"""What an answer may speak about: a record, an element of a list of records, a row with flags."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.records.attribute import read_attributes
from veridical.gate.records.hours import Week, read_weeks
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.mention import PhraseIndex, phrase_index
from veridical.gate.records.passage import Passages, read_passages
from veridical.gate.records.word_lists import word_list

_NAMING = word_list("naming_keys")
_ROWS_LOOKED_AT = 5
_MOST_SUBJECTS = 200
_LONGEST_NAME = 8
_SHORTEST_NAME = 3


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing with its attributes, its opening hours and its texts."""

    names: tuple[str, ...]
    """What an answer calls it, in lower case."""
    index: PhraseIndex
    week: Week | None
    passages: Passages


def subjects(exhibits: Sequence[Exhibit], lexicon: RecordLexicon) -> list[Subject]:
    """Everything that statements can be held against; tables count only where they have flags."""
    nodes = [node for exhibit in exhibits for node in _nodes(exhibit)]
    return [_subject(node, lexicon) for node in nodes[:_MOST_SUBJECTS]]


def _nodes(exhibit: Exhibit) -> Iterator[Mapping[str, Any]]:
    record: object = exhibit.record
    if isinstance(record, Mapping):
        yield cast("Mapping[str, Any]", record)
    elif isinstance(record, list):
        for element in cast("list[object]", record):
            if isinstance(element, Mapping):
                yield cast("Mapping[str, Any]", element)
    flags = [
        column
        for column in range(len(exhibit.columns))
        if any(isinstance(row[column], bool) for row in exhibit.rows[:_ROWS_LOOKED_AT])
    ]
    if flags:
        yield from (_row(exhibit, row, flags) for row in exhibit.rows[:_MOST_SUBJECTS])


def _row(exhibit: Exhibit, row: tuple[Any, ...], flags: list[int]) -> Mapping[str, Any]:
    """A row as a record: what names it, and its flags."""
    named = next((cell for cell in row if isinstance(cell, str) and cell), "")
    return {"name": named} | {exhibit.columns[at]: row[at] for at in flags}


def _subject(node: Mapping[str, Any], lexicon: RecordLexicon) -> Subject:
    return Subject(
        tuple(_names(node)),
        phrase_index(read_attributes(node, lexicon)),
        next(read_weeks(node), None),
        read_passages(node),
    )


def _names(node: Mapping[str, Any]) -> Iterator[str]:
    for key, value in node.items():
        naming = any(part in key.casefold() for part in _NAMING) or key.casefold() == "id"
        if naming and isinstance(value, str) and _is_name(value):
            yield value.casefold()


def _is_name(value: str) -> bool:
    return len(value) >= _SHORTEST_NAME and len(value.split()) <= _LONGEST_NAME
