"""An ontology is edited in the browser: its file changes, and questions are answered with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.console.chromium import window
from tests.console.connected_shop import NOTE, connect_shop
from tests.console.serve_command import serving
from veridical.ontology.ontology_file import read_ontology

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@dataclass(frozen=True)
class Shop:
    """A server with connected data."""

    address: str
    link: str
    ontology: Path

    def text(self) -> str:
        return self.ontology.read_text()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("shop")
    ontology = connect_shop(folder)
    with serving(folder) as (link, _):
        yield Shop(link[1], link[0], ontology)


@pytest.fixture(scope="module")
def signed_in(browser: Browser, shop: Shop) -> Iterator[Page]:
    context = window(browser, locale="en-GB", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(shop.link)
    yield page
    context.close()


def _edit(page: Page, shop: Shop) -> None:
    page.goto(f"{shop.address}/console/ontology/edit?feature=sales&entity=sales")


def test_a_label_and_a_unit_are_saved_and_taken_back(signed_in: Page, shop: Shop) -> None:
    page, before = signed_in, read_ontology(shop.ontology)
    page.goto(f"{shop.address}/console/ontology?feature=sales")
    page.get_by_role("link", name="Edit").click()
    page.locator("#field-amount > summary").click()
    form = page.locator("#field-amount form")
    form.locator("[name='label.de']").fill("Umsatz")
    form.locator("[name='label.en']").fill("Revenue")
    form.locator("[name=unit]").fill("CHF")
    form.get_by_role("button", name="Save").click()
    expect(page.locator(".notice.good")).to_contain_text("sales.amount")
    expect(page.locator("#field-amount summary")).to_contain_text("Revenue CHF")
    assert shop.text().startswith(NOTE)
    amount = next(
        each for each in read_ontology(shop.ontology).entities[0].fields if each.name == "amount"
    )
    assert amount.unit == "CHF"
    assert dict(amount.label)["de"] == "Umsatz"  # type: ignore[call-overload]
    page.goto(f"{shop.address}/console/ontology?feature=sales")
    expect(page.locator("tr", has_text="sales.amount")).to_contain_text("CHF")
    page.get_by_role("link", name="History").click()
    expect(page.locator(".edits li").first).to_contain_text("CHF")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".edits li").first).to_contain_text("takes back no. 1")
    after = read_ontology(shop.ontology)
    assert after.entities == before.entities


def test_a_judgement_is_added_and_removed(signed_in: Page, shop: Shop) -> None:
    page = signed_in
    _edit(page, shop)
    page.locator("#judgement-new > summary").click()
    form = page.locator("#judgement-new form")
    for language in ("de", "en", "zh"):
        form.locator(f"[name='label.{language}']").fill("large")
    form.locator("[name=name]").fill("large")
    form.locator("[name=field]").select_option("amount")
    form.locator("[name=limit]").fill("a lot")
    form.get_by_role("button", name="Save").click()
    expect(page.locator(".notice.bad")).to_contain_text("exactly one limit")
    form.locator("[name=limit]").fill("100")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#judgement-large summary")).to_contain_text("amount > 100")
    (found,) = read_ontology(shop.ontology).entities[0].judgements
    assert (found.limit, found.label, found.proposed) == (100, "large", False)
    page.locator("#judgement-large > summary").click()
    page.locator("#judgement-large").get_by_role("button", name="Remove").click()
    expect(page.locator("#judgement-large")).to_have_count(0)


def test_a_change_meanwhile_is_not_written_over(signed_in: Page, shop: Shop) -> None:
    page = signed_in
    _edit(page, shop)
    other = page.context.new_page()
    _edit(other, shop)
    for each, unit in ((page, "CHF"), (other, "EUR")):
        each.locator("#field-amount > summary").click()
        each.locator("#field-amount [name=unit]").fill(unit)
        each.locator("#field-amount").get_by_role("button", name="Save").click()
        each.locator(".notice").first.wait_for()
    expect(other.locator(".notice.bad")).to_contain_text("changed in the meantime")
    expect(other.locator("#field-amount [name=unit]")).to_have_value("EUR")
    assert "unit: CHF" in shop.text()
    other.close()


def test_a_rule_is_added_with_its_effect_on_what_ran(signed_in: Page, shop: Shop) -> None:
    page = signed_in
    page.goto(f"{shop.address}/console/ask?feature=sales&new=true")
    page.fill("#question", "What is the amount of sales by state?")
    page.click("#ask button.primary")
    page.locator("article.turn").first.wait_for()
    _edit(page, shop)
    page.get_by_role("link", name="Add a rule").click()
    page.get_by_label("A figure is neither summed nor averaged.").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Field").select_option("amount")
    page.get_by_role("button", name="See the effect").click()
    expect(page.locator("#effect")).to_contain_text("would be refused: 1")
    expect(page.locator("#effect")).to_contain_text("sales.amount is neither summed nor averaged.")
    page.get_by_role("button", name="Add this rule").click()
    expect(page.locator("#rules")).to_contain_text("sales.amount is neither summed nor averaged.")
    assert "rule: NEVER_AGGREGATE" in shop.text()
    rule = page.locator("#rules li", has_text="neither summed")
    rule.get_by_role("button", name="Only warn").click()
    expect(page.locator("#rules li", has_text="neither summed")).to_contain_text("only warns")
    page.locator("#rules li", has_text="neither summed").get_by_role(
        "button", name="Remove"
    ).click()
    expect(page.locator("#rules")).not_to_contain_text("neither summed")
    assert shop.text().startswith(NOTE)


def test_proposals_are_confirmed_together(signed_in: Page, shop: Shop) -> None:
    page = signed_in
    page.goto(f"{shop.address}/console/data")
    open_ones = page.locator("#data-sales .badge.open").inner_text().rpartition(" ")[2]
    page.goto(f"{shop.address}/console/ontology/upkeep?feature=sales")
    expect(page.locator("#proposals .badges .open")).to_have_text(f"open {open_ones}")
    group = page.locator("#kind-closed_list")
    expect(group.locator("article")).to_have_count(2)
    for box in group.locator("[name=id]").all():
        box.check()
    page.get_by_role("button", name="Confirm selected").click()
    expect(page.locator("#kind-closed_list .badge.good")).to_have_count(2)
    assert shop.text().startswith(NOTE)
