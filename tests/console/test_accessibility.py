"""axe-core on every page, light and dark, wide and on a phone: no finding."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Frame, Page, ViewportSize

from tests.console.apps_host import shown_in_host
from tests.console.chromium import chromium, sign_in, window
from tests.console.pages import started_review
from tests.console.stored import kept_conversation, reported, reviewed_case, shared_answer
from tests.console.test_answer_files import asked
from tests.console.test_answer_panel import asked as asked_by_a_host
from tests.console.test_answer_panel import wired
from tests.server.rights import Belongings, belongings
from tests.server.standing import ACME, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

AXE = Path(__file__).parents[2] / "assets/node_modules/axe-core/axe.min.js"
RUN = """axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.map(
    ({id, impact, nodes}) => ({id, impact, html: nodes[0].html.slice(0, 200)})))"""
UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true"
LOOK = "getComputedStyle(document.documentElement).colorScheme"
PHONE: ViewportSize = {"width": 390, "height": 900}
Scheme = Literal["light", "dark"]
QUESTIONS = {
    "de": "Wie hoch war der Saldo von Konto 1020 Ende 2024?",
    "en": "How did the balance of account 1020 develop month by month in 2025?",
    "zh": "2024年末1020账户的余额是多少？",
}
PAGES = (
    "signin",
    "ask",
    "ask?t={trace}",
    "ask/files",
    "c/{conversation}",
    "conversations",
    "shares",
    "s/{shared}",
    "s/{ended}",
    "runs",
    "runs/{trace}",
    "runs/{run}",
    "runs/compare?a={trace}&b={trace}",
    "inbox",
    "inbox/{item}",
    "evidence",
    "evidence/runs",
    "evidence/runs/{collecting}",
    "requirements",
    "requirements/{review}",
    "quality",
    "quality/evals",
    "quality/evals?report=old",
    "quality/reviews?every=true",
    "quality/questions",
    "data",
    "data/connect",
    "ontology",
    "ontology/edit?entity=AccountBalance",
    "ontology/history",
    "ontology/rules?entity=AccountBalance",
    "ontology/rules?entity=AccountBalance&sentence=never_sum&subject=closingBalance&look=true",
    "ontology/upkeep?constraint=0",
    "settings",
    "admin",
    "admin/audit",
    "admin/model",
    "nowhere",
)


@pytest.fixture(scope="module")
def own(console: Standing) -> Belongings:
    found = belongings(console)
    reviewed_case(console, reported(console, found.trace, "once"))
    reported(console, found.trace, "and again")
    return found


Panels = dict[str, tuple[str, dict[str, Any], dict[str, Any]]]


@pytest.fixture(scope="module")
def panels(console: Standing) -> Panels:
    """The panel of an answer in each language, with what a host hands to it."""
    found: Panels = {}
    for language, question in QUESTIONS.items():
        page, arguments, result = asked_by_a_host(console, question, language)
        found[language] = page, arguments, wired(result)
    return found


@pytest.fixture(scope="module")
def browser(panels: Panels) -> Iterator[Browser]:
    """After the panels: their client needs the event loop of this thread."""
    with chromium() as opened:
        yield opened


@contextmanager
def seen(browser: Browser, scheme: Scheme, **given: Any) -> Generator[Page]:
    """A page in these colours; every document that it opens has axe."""
    context = window(browser, color_scheme=scheme, **given)
    context.add_init_script(path=AXE)  # beside the policy of a page, not under it
    yield context.new_page()
    context.close()


def violations(place: Page | Frame) -> list[str]:
    """What axe finds."""
    found = place.evaluate(RUN)
    return [f"{one['id']}: {one['html']}" for one in found]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_finding(
    browser: Browser, console: Standing, own: Belongings, scheme: Scheme, width: int
) -> None:
    review = started_review(console)
    kept = kept_conversation(console, f"{Role.ADMIN} of {ACME}", own.trace)
    shared = shared_answer(console, f"{Role.ADMIN} of {ACME}", own.trace)
    ended = shared_answer(console, f"{Role.ADMIN} of {ACME}", own.trace, days=-1)
    found: dict[str, list[str]] = {}
    with seen(browser, scheme, viewport={"width": width, "height": 900}) as page:
        sign_in(page, console, Role.ADMIN)
        for each in PAGES:
            where = each.format(
                trace=own.trace, item=own.item, run=own.run, review=review,
                collecting=own.collecting, conversation=kept, shared=shared, ended=ended,
            )  # fmt: skip
            page.goto(f"{console.address}/console/{where}", wait_until="domcontentloaded")
            found[each] = violations(page)
            overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert overflow <= 0, f"{each} is wider than the window by {overflow}"
        page.goto(f"{console.address}/console/requirements")
        page.fill("#text", "The belt shall stop within 2 s.\nThe belt shall stop within 20 s.")
        page.click("button[value=rules]")
        page.locator("svg.relations").wait_for()
        found["a review"] = violations(page)
    assert {name: each for name, each in found.items() if each} == {}


@pytest.fixture(scope="module")
def asked_in(console: Standing) -> dict[str, str]:
    """The run of an answer in each language."""
    return {
        language: asked(console, question, language) for language, question in QUESTIONS.items()
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_answer_has_none_in_any_language_on_its_page_and_in_its_signed_file(
    browser: Browser,
    console: Standing,
    asked_in: dict[str, str],
    scheme: Scheme,
    tmp_path: Path,
) -> None:
    found: dict[str, list[str]] = {}
    for language, trace in asked_in.items():
        with seen(browser, scheme, locale=language, viewport=PHONE) as page:
            sign_in(page, console, Role.VIEWER, where=f"runs/{trace}")
            assert page.locator("html").get_attribute("lang") == language
            page.evaluate(UNFOLD)
            found[f"answer {language}"] = violations(page)
            file = page.request.get(f"{console.address}/console/runs/{trace}/signed.html")
            (tmp_path / "answer.html").write_bytes(file.body())
            page.context.set_offline(True)
            page.goto((tmp_path / "answer.html").as_uri())
            page.evaluate(UNFOLD)
            found[f"file {language}"] = violations(page)
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panel_in_another_program_has_none_in_any_language(
    browser: Browser, panels: Panels, scheme: Scheme
) -> None:
    found: dict[str, list[str]] = {}
    for language, given in panels.items():
        with shown_in_host(browser, *given, theme=scheme, width=PHONE["width"]) as view:
            view.shown.locator(".trust").wait_for()
            frame = view.page.frames[-1]
            assert frame.evaluate("document.documentElement.lang") == language
            assert frame.evaluate(LOOK) == scheme
            frame.evaluate(UNFOLD)
            frame.evaluate(AXE.read_text("utf-8"))
            found[language] = violations(frame)
    assert {name: each for name, each in found.items() if each} == {}
