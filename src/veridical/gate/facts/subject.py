"""A record made ready: its attributes, its opening hours and its texts."""

from dataclasses import dataclass

from veridical.gate.facts.attribute import read_attributes
from veridical.gate.facts.hours import Week, read_weeks
from veridical.gate.facts.mention import PhraseIndex, phrase_index
from veridical.gate.facts.passage import Passages, read_passages


@dataclass(frozen=True, slots=True)
class Subject:
    """What an answer speaks about."""

    index: PhraseIndex
    week: Week | None
    passages: Passages


def read_subject(record: object) -> Subject:
    """Everything that statements are held against."""
    return Subject(
        phrase_index(read_attributes(record)),
        next(read_weeks(record), None),
        read_passages(record),
    )
