"""The own set: answers over the Trustee books in three languages and four locales.

Every template is filled with several stories; every second answer is corrupted in one of twelve
ways. What the oracle does not find wrong is not counted as corrupted, and nothing that it finds
wrong is counted as good. The same seed gives the same answers.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from benchmarks.answer_gate.own.oracle import is_true
from benchmarks.answer_gate.own.stories import MAKERS, stories
from benchmarks.answer_gate.own.story import Story, as_dictionaries
from benchmarks.answer_gate.own.templates import Template, Written, questions, templates, write
from benchmarks.answer_gate.own.values import LOCALES, Locale
from benchmarks.answer_gate.own.ways import WAYS, Told
from benchmarks.answer_gate.sample import Half, Sample, half_of

_EACH = 4
"""Answers made from one template in one locale, half of them corrupted."""
_EMPTY = frozenset({"none_postings", "none_items", "forbidden", "unknown"})
"""Can be corrupted in one way only, so that half as many are enough."""
_WANTED = {"illegal_sum": 3}
"""Applies to two types of questions only, so that those take it first."""
_KEPT = 16
"""Stories kept of one type."""
_FEW = 7
"""One in so many; odd, so that good and corrupted answers take turns."""
_TRIES = 12
_BY_CONSTRUCTION = frozenset({"illegal_sum", "hidden_truncation", "emptiness"})
"""The words are wrong for this evidence, whatever the values in them."""


@dataclass(frozen=True, slots=True)
class _Place:
    template: Template
    locale: Locale
    number: int

    @property
    def id(self) -> str:
        return f"{self.template.id}/{self.locale.name}/{self.number}"


def samples(
    _data: object = None, *, seed: int = 1, each: int = _EACH, kept: int = _KEPT
) -> Iterator[Sample]:
    """All answers. They need no data folder."""
    used: Counter[tuple[str, Half]] = Counter()
    for kind in MAKERS:
        known = list(islice(stories(kind, seed), kept))
        turn = count()
        for locale in LOCALES.values():
            for template in templates(locale.language):
                if template.type != kind:
                    continue
                for number in range(each // 2 if kind in _EMPTY else each):
                    place = _Place(template, locale, number)
                    story = known[next(turn) % len(known)]
                    yield _sample(place, story, used, Random(f"{seed}/{place.id}"))


def few(_data: object = None) -> Iterator[Sample]:
    """Every type in every way, from a few stories."""
    yield from islice(samples(each=2, kept=2), 0, None, _FEW)


def _sample(place: _Place, story: Story, used: Counter[tuple[str, Half]], chance: Random) -> Sample:
    template, locale = place.template, place.locale
    true = write(template.text, story, locale)
    if not is_true(true, story, locale):
        raise ValueError(f"{place.id} is not true: {true.text}")
    way, text = "", true.text
    if place.number % 2:
        order = sorted(WAYS, key=lambda name: used[name, template.half] / _WANTED.get(name, 1))
        way, text = next(_corrupted(place, story, true, order, chance))
        used[way, template.half] += 1
    question = questions()[story.type][locale.language]
    rows = [as_dictionaries(exhibit) for exhibit in story.exhibits]
    return Sample(
        id=f"{place.id}:{way or 'true'}",
        group=_group(place),
        answer=text,
        exhibits=story.exhibits,
        rows=rows[0] if len(rows) == 1 else rows,
        good=not way,
        question=write(question, story, locale).text,
        kind=way or story.type,
        language=locale.name,
    )


def _group(place: _Place) -> str:
    """The template's name, salted so that the coin falls on the half that it was written for."""
    names = (f"{place.template.id}~{salt}" for salt in count())
    return next(name for name in names if half_of(name) == place.template.half)


def _corrupted(
    place: _Place, story: Story, true: Written, order: list[str], chance: Random
) -> Iterator[tuple[str, str]]:
    for way in order:
        for _ in range(_TRIES):
            told = WAYS[way](story, true, chance)
            if told is None:
                break
            written = _written(place, told, chance)
            if written.text != true.text and _is_wrong(way, written, told, story, place.locale):
                yield way, written.text
                break
    raise ValueError(f"no way to corrupt {place.id}")


def _written(place: _Place, told: Told, chance: Random) -> Written:
    text = place.template.text
    if told.section:
        text = chance.choice(_texts(place, told.section))
    if told.extra:
        text += "\n\n" + chance.choice(_texts(place, told.extra))
    return write(text, told.story, place.locale, hide=told.hide)


def _texts(place: _Place, section: str) -> list[str]:
    return [
        each.text
        for each in templates(place.locale.language)
        if each.type == section and each.half == place.template.half
    ]


def _is_wrong(way: str, written: Written, told: Told, story: Story, locale: Locale) -> bool:
    if way in _BY_CONSTRUCTION:
        return True
    if len(told.story.rows) != len(story.rows):
        return True
    return not is_true(written, story, locale)
