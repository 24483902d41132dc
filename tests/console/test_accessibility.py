"""axe-core on every page, light and dark, wide and on a phone: no serious finding."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.console.chromium import sign_in
from tests.console.pages import started_review
from tests.console.stored import reported, reviewed_case
from tests.server.rights import Belongings, belongings
from tests.server.standing import Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

AXE = Path(__file__).parents[2] / "assets/node_modules/axe-core/axe.min.js"
SERIOUS = frozenset({"serious", "critical"})
PAGES = (
    "signin",
    "ask",
    "ask?t={trace}",
    "runs",
    "runs/{trace}",
    "runs/{run}",
    "runs/compare?a={trace}&b={trace}",
    "inbox",
    "inbox/{item}",
    "evidence",
    "requirements",
    "requirements/{review}",
    "quality",
    "quality/evals",
    "quality/evals?report=old",
    "quality/reviews?every=true",
    "ontology",
    "ontology/upkeep?constraint=0",
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


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_serious_finding(
    browser: Browser, console: Standing, own: Belongings, scheme: str, width: int
) -> None:
    review = started_review(console)
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is put into the page
    )
    page = context.new_page()
    sign_in(page, console, Role.ADMIN)
    found: dict[str, list[str]] = {}
    for each in PAGES:
        where = each.format(trace=own.trace, item=own.item, run=own.run, review=review)
        page.goto(f"{console.address}/console/{where}")
        page.add_script_tag(path=AXE)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in result["violations"]
            if one["impact"] in SERIOUS
        ]
        if serious:
            found[each] = serious
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{each} is wider than the window by {overflow}"
    page.goto(f"{console.address}/console/requirements")
    page.fill("#text", "The belt shall stop within 2 s.\nThe belt shall stop within 20 s.")
    page.click("button[value=rules]")
    page.locator("svg.relations").wait_for()
    page.add_script_tag(path=AXE)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    found["a review"] = [each["id"] for each in result["violations"] if each["impact"] in SERIOUS]
    context.close()
    assert {name: each for name, each in found.items() if each} == {}
