"""The link of a demo, and the checklist of first steps behind it."""

import re
from collections.abc import Iterator
from functools import partial
from importlib.resources import files

import httpx2
import pytest

from tests.console.pages import SAME
from tests.server.standing import ACME, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.console.one_time_link import OneTimeLink
from veridical.console.requirement_view import review_view
from veridical.console.tour import STOPS
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.files.requirement import Requirement
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

Demo = tuple[Standing, OneTimeLink]


@pytest.fixture(scope="module")
def demo(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[Demo]:
    url = postgres_server.create_database("tour_own")
    keys = prepare(url)
    link = OneTimeLink(keys[ACME, Role.ADMIN], with_tour=True)
    with standing(url, trustee, keys, furnish=partial(add_console, link=link)) as running:
        yield running, link


def _browser(server: Standing) -> httpx2.Client:
    return httpx2.Client(base_url=server.address, timeout=60, headers={"accept-language": "en"})


def test_the_link_signs_in_once(demo: Demo) -> None:
    server, link = demo
    path = link.path()
    with _browser(server) as client:
        entered = client.get(path)
        assert entered.headers["location"] == "/console/ask"
        assert client.get("/console/ask").status_code == 200
    with _browser(server) as client:
        assert client.get(path).headers["location"] == "/console/signin"
        assert client.get("/console/ask").status_code == 303


def test_nobody_enters_under_another_name(demo: Demo) -> None:
    server, link = demo
    path = link.path()
    with _browser(server) as client:
        refused = client.get(path, headers={"host": "evil.example"})
        assert refused.headers["location"] == "/console/signin"
        assert client.get(path).headers["location"] == "/console/ask"


def test_five_stops_and_the_end(demo: Demo) -> None:
    server, link = demo
    with _browser(server) as client:
        client.get(link.path())
        page = client.get("/console/ask").text
        tour = page.partition('class="tour"')[2].partition("</section>")[0]
        assert tour.count("<li") == len(STOPS) == 5
        csrf = re.findall(r'name="csrf" value="(\w+)"', tour)[0]
        for stop in STOPS:
            if not stop.message_keys:
                continue
            said = {
                name: message(f"console.{key}", Language.EN)
                for name, key in stop.message_keys.items()
            }
            fields = {**stop.fields, **said}
            if stop.method == "post":
                done = client.post(stop.path, data={**fields, "csrf": csrf}, headers=SAME)
            else:
                done = client.get(stop.path, params=fields)
            assert done.status_code in {200, 303}, stop.name
        ticked = client.get("/console/inbox").text.partition('class="tour"')[2]
        assert ticked.partition("</section>")[0].count('<li class="done"') == 3
        ended = client.post(
            "/console/tour", data={"csrf": csrf, "next": "/console/runs"}, headers=SAME
        )
        assert ended.headers["location"] == "/console/runs"
        assert 'class="tour"' not in client.get("/console/ask").text


@pytest.mark.parametrize("language", tuple(Language))
def test_the_requirements_of_the_tour_show_what_it_promises(language: Language) -> None:
    """A vague word, a contradiction, and a rewrite that asks."""
    lines = message("console.tour_requirements_text", language).strip().splitlines()
    given = [Requirement(str(place), "", place, line) for place, line in enumerate(lines, 1)]
    view = review_view(given, language)
    vague = {finding.rule for finding in view.requirements[0].evaluation.findings}
    assert vague
    assert [(link.kind, link.first, link.second) for link in view.links] == [("conflict", 2, 3)]
    assert view.requirements[0].rewrite.questions


@pytest.mark.parametrize(
    ("language", "document", "words"),
    [
        (Language.DE, "abschreibungen.md", ("maschinen", "abgeschrieben")),
        (Language.EN, "capitalisation.md", ("capitalis", "purchase")),
        (Language.ZH, "peixun.md", ("培训支出", "不得少于")),
    ],
)
def test_a_document_of_the_same_language_answers_the_search_of_the_tour(
    language: Language, document: str, words: tuple[str, ...]
) -> None:
    asked = message("console.tour_evidence_question", language)
    collection = files("veridical.packs.research").joinpath("collection", language.value)
    found = collection.joinpath(document).read_text("utf-8")
    for text in (asked, found):
        assert all(word in text.casefold() for word in words), text


def test_a_server_without_a_link_lets_nobody_in(console: Standing) -> None:
    with _browser(console) as client:
        assert client.get("/console/enter?code=").headers["location"] == "/console/signin"
