"""Builds the judged set: documents with dates, hosts and near-duplicates, questions, judgements.

Every subject has a current page, a copy of it on another host, a second telling, a page that was
superseded within the year, and one that is out of date; every topic an overview and a page that
only shares its name. What answers and what misleads follows from how a page was made.
"""

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.contracts.language import Language

NOW = datetime(2026, 11, 16, tzinfo=UTC)
ANSWERS, TELLS, TOUCHES, MISLEADS = 3, 2, 1, 0
"""Grades: the whole answer, the same in other words, the subject in passing, nothing or wrong."""
_OFFICIAL = {
    Language.EN: ("rules.agency.gov", "staff.office.gov"),
    Language.DE: ("regeln.bund.de", "personal.admin.ch"),
    Language.ZH: ("guize.gov.cn", "renshi.gov.cn"),
}
_MIRRORS = ("mirror.example.org", "library.example.org")
_COMMERCIAL = ("advice.example.com", "advice.example.com", "portal.example.com")
"""The first has most of it: a host that would fill a list of results."""


@dataclass(frozen=True, slots=True)
class Page:
    """A document of the collection."""

    id: str
    language: Language
    title: str
    text: str
    url: str
    date: datetime
    origin: str
    """Copies share it."""
    outdated: bool
    """Whether what it says no longer holds."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the grade of every page that has one above 0."""

    id: str
    language: Language
    text: str
    grades: dict[str, int]


@dataclass(frozen=True, slots=True)
class Collection:
    """All pages and questions."""

    pages: tuple[Page, ...]
    questions: tuple[Question, ...]


@cache
def collection() -> Collection:
    """The whole set; the same each time."""
    pages: list[Page] = []
    questions: list[Question] = []
    for language in (Language.EN, Language.DE, Language.ZH):
        told = tomllib.loads(
            files(__package__ or "").joinpath(f"{language}.toml").read_text("utf-8")
        )
        for number, topic in enumerate(told["topic"]):
            overview, news = _topic_pages(told, topic, language, number)
            pages += [overview, news]
            for place, aspect in enumerate(topic["aspect"]):
                name = f"{language}-{number}-{place}"
                made = _aspect_pages(told, topic, aspect, language, name, number + place)
                pages += made
                current, copy, second = made[:3]
                grades = {
                    current.id: ANSWERS,
                    copy.id: ANSWERS,
                    second.id: TELLS,
                    overview.id: TOUCHES,
                }
                questions.append(Question(f"q-{name}", language, aspect["ask"], grades))
    return Collection(tuple(pages), tuple(questions))


def _aspect_pages(
    told: dict[str, Any],
    topic: dict[str, Any],
    aspect: dict[str, Any],
    language: Language,
    name: str,
    turn: int,
) -> list[Page]:
    title = f"{topic['name']}: {aspect['name']}"
    official = _OFFICIAL[language][turn % 2]
    intro = told["intro"][turn % 3].format(topic=topic["name"])
    other_intro = told["intro"][(turn + 1) % 3].format(topic=topic["name"])
    closing, other_closing = (told["closing"][(turn + step) % 3] for step in (0, 1))
    now, before = aspect["now"], aspect["before"]
    current = f"{intro} {aspect['say'].format(value=now)} {closing}"

    def page(kind: str, host: str, text: str, days: int, origin: str, heading: str = title) -> Page:
        date = NOW - timedelta(days=days + turn)
        old = kind in ("superseded", "outdated")
        url = f"https://{host}/{kind}/{name}"
        return Page(f"{name}-{kind}", language, heading, text, url, date, origin, old)

    again = f"{other_intro} {aspect['again'].format(value=now)} {other_closing}"
    superseded = f"{other_intro} {aspect['again'].format(value=before)} {closing}"
    outdated = f"{intro} {aspect['say'].format(value=before)} {other_closing}"
    return [
        page("current", official, current, 20, f"{name}-current"),
        page("copy", _MIRRORS[turn % 2], f"{current} {other_closing}", 30, f"{name}-current"),
        page("second", _COMMERCIAL[turn % 3], again, 90, f"{name}-second", aspect["name"]),
        page("superseded", _COMMERCIAL[0], superseded, 280, f"{name}-superseded"),
        page("outdated", official, outdated, 500 + 40 * (turn % 5), f"{name}-outdated"),
    ]


def _topic_pages(
    told: dict[str, Any], topic: dict[str, Any], language: Language, number: int
) -> tuple[Page, Page]:
    aspects = ", ".join(aspect["name"] for aspect in topic["aspect"])
    overview = told["overview"].format(topic=topic["name"], aspects=aspects)
    news = told["news"].format(topic=topic["name"])

    def page(kind: str, host: str, text: str, days: int) -> Page:
        name = f"{language}-{number}-{kind}"
        url, date = f"https://{host}/{name}", NOW - timedelta(days=days)
        return Page(name, language, topic["name"], text, url, date, name, outdated=False)

    return (
        page("overview", _OFFICIAL[language][number % 2], overview, 60),
        page("news", _COMMERCIAL[0], news, 10),
    )
