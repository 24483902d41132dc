"""Requirements on their page: uploaded, drawn, and reviewed by the team that asks in place."""

import io
import re
import time
import zipfile

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from tests.console.chromium import sign_in, window
from tests.console.pages import SAME, signed_in, token_of
from tests.console.payloads import payloads
from tests.server.standing import Standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.console.form import Upload
from veridical.console.requirement_view import ENDINGS, uploaded
from veridical.limited_process.limits import Limit
from veridical.requirements.files.requirement import UnreadableFileError
from veridical.server.identity import Role

MARKDOWN = b"""- The export shall finish within 2 seconds.
- The export shall finish within 20 seconds.
- The system shall respond quickly to all user requests.
"""


def test_a_file_is_read_by_the_ending_of_its_name_alone() -> None:
    found = uploaded(Upload("../../etc/needs.md", MARKDOWN))
    assert [each.source for each in found] == ["needs.md"] * 3
    assert found[0].text == "The export shall finish within 2 seconds."


@pytest.mark.parametrize("name", ["needs.exe", "needs", "", "needs.md.zip", "..", "needs.yml"])
def test_another_ending_is_refused(name: str) -> None:
    with pytest.raises(UnreadableFileError) as refused:
        uploaded(Upload(name, MARKDOWN))
    assert refused.value.kind == "ending"


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"PK\x03\x04broken", b"<" * 5_000])
def test_whatever_is_in_a_file_no_other_error_comes_of_it(ending: str, content: bytes) -> None:
    try:
        found = uploaded(Upload(f"needs{ending}", content))
    except UnreadableFileError as error:
        assert error.source == f"needs{ending}"  # noqa: PT017
    else:
        assert all(each.text.strip() for each in found)


@pytest.mark.parametrize("ending", [".xlsx", ".reqifz"])
def test_what_unpacks_to_very_much_is_refused(ending: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sheet.xml", b"0" * 60_000_000)
    with pytest.raises(UnreadableFileError) as refused:
        uploaded(Upload(f"bomb{ending}", packed.getvalue()))
    assert refused.value.limit is not None
    assert refused.value.limit.limit is Limit.UNPACKED


@pytest.mark.postgres
class TestOverHttp:
    def test_an_uploaded_file_is_reviewed_and_its_conflict_drawn(self, console: Standing) -> None:
        with signed_in(console, Role.ANALYST) as client:
            text = _sent(client, ("needs.md", MARKDOWN), by="rules").text
        assert 'class="relations"' in text
        assert 'href="#r1"' in text
        assert text.count("needs.md:") == 3

    def test_a_file_needs_the_token_of_its_session(self, console: Standing) -> None:
        with signed_in(console, Role.ANALYST) as client:
            files = {"file": ("needs.md", MARKDOWN)}
            for token in ("", "0" * 64):
                refused = client.post(
                    "/console/requirements", data={"csrf": token}, files=files, headers=SAME
                )
                assert refused.status_code == 403

    def test_an_unreadable_and_a_large_file_are_told(self, console: Standing) -> None:
        most = console.services.settings.body_bytes
        with signed_in(console, Role.ANALYST) as client:
            assert "needs.exe" in _sent(client, ("needs.exe", b"MZ"), by="rules").text
            assert _sent(client, ("needs.txt", b"x" * most), by="rules").status_code == 413

    def test_more_than_a_page_is_told(self, console: Standing) -> None:
        lines = "\n".join(f"The pump shall stop within {number} s." for number in range(105))
        with signed_in(console, Role.ANALYST) as client:
            text = _sent(client, ("needs.txt", lines.encode()), by="rules").text
        assert "the other 5" in text

    def test_questions_are_answered_on_the_page_and_the_review_goes_on(
        self, console: Standing, trustee: Feature
    ) -> None:
        with signed_in(console, Role.ANALYST) as client:
            there = _sent(client, ("needs.md", MARKDOWN), by="team").headers["location"]
            with working(console.services.runs.settings, trustee):
                asked = _asked_on(client, there)
                assert asked is not None
                shown = {"evidenceHash": asked}  # is not sent anew: somebody may be typing
                assert client.get(f"{there}/question", params=shown).status_code == 204
                assert asked in client.get(f"{there}/question", params={"evidenceHash": "0"}).text
                wrong = {"csrf": token_of(client), "evidenceHash": "0" * 64, "text": "2 s"}
                assert client.post(f"{there}/question", data=wrong, headers=SAME).status_code == 409
                right = {**wrong, "evidenceHash": asked}
                done = client.post(f"{there}/question", data=right, headers=SAME)
                assert done.status_code == 303
                _skip_what_is_asked(client, there)
            shown = client.get(there).text
            events = client.get(f"{there}/events").text
        assert "2 s" in shown
        assert 'class="relations"' in shown
        assert "3 of 3" in shown
        assert events.endswith("event: done\ndata: \n\n")


@pytest.mark.postgres
def test_a_review_is_followed_and_answered_in_place(
    browser: Browser, console: Standing, trustee: Feature
) -> None:
    context = window(browser, locale="zh")
    context.add_init_script("window.pwned = () => { window.harmed = true; }")
    page = context.new_page()
    sign_in(page, console, Role.ANALYST, where="requirements")
    hostile = payloads()[0].replace("\n", " ")
    page.fill("#text", f"The system shall be fast {hostile}.")
    page.click("button[value=team]")
    page.wait_for_url("**/console/requirements/*")
    expect(page.locator("#state")).to_have_text("排队中")
    with working(console.services.runs.settings, trustee):
        expect(page.locator("#progress")).to_contain_text("1 / 1")
        for _ in range(20):
            expect(page.locator("#said, article.card").first).to_be_visible()
            if page.locator("article.card").count():
                break
            asked = page.locator("[name=evidenceHash]").get_attribute("value")
            page.fill("#said", "within 2 s")
            page.click("#question button.primary")
            expect(page.locator(f"[value='{asked}']")).to_have_count(0)
    expect(page.locator("article.card")).to_have_count(1)
    assert page.evaluate("window.harmed") is None
    context.close()


def _sent(client: httpx2.Client, file: tuple[str, bytes], by: str) -> httpx2.Response:
    return client.post(
        "/console/requirements",
        data={"csrf": token_of(client), "text": "", "by": by},
        files={"file": file},
        headers=SAME,
    )


def _asked_on(client: httpx2.Client, there: str) -> str | None:
    """What the page asks, as soon as it asks something; nothing where it shows what came of it.

    As on the page itself, a question is looked for again: while the run goes from one question to
    the next, there is none for a moment.
    """
    until = time.monotonic() + 60
    while time.monotonic() < until:
        page = client.get(there).text
        found = re.search(r'name="evidenceHash" value="([0-9a-f]{64})"', page)
        if found is not None:
            return found[1]
        if 'class="relations"' in page:
            return None
        time.sleep(0.05)
    raise AssertionError("the run did not get there")


def _skip_what_is_asked(client: httpx2.Client, there: str) -> None:
    while (asked := _asked_on(client, there)) is not None:
        left = {"csrf": token_of(client), "evidenceHash": asked, "decision": "deny"}
        client.post(f"{there}/question", data=left, headers=SAME)
