"""What is handed over to the same page in another language: once, sealed, and only by our pages."""

import pytest

from tests.console.pages import SAME, signed_in
from tests.server.standing import Standing
from veridical.console.seal import HANDOVER_COOKIE

pytestmark = pytest.mark.postgres

GERMAN = {"language": "de", "next": "/console/admin"}


def test_it_is_sealed_and_read_once(console: Standing) -> None:
    with signed_in(console) as client:
        changed = client.post("/console/language", data={**GERMAN, "key": "vk_once"}, headers=SAME)
        assert changed.headers["location"] == "/console/admin"
        sealed = client.cookies[HANDOVER_COOKIE]
        assert "vk_once" not in sealed
        assert "vk_once" in client.get("/console/admin").text
        assert HANDOVER_COOKIE not in client.cookies
        assert "vk_once" not in client.get("/console/admin").text


def test_what_somebody_else_wrote_is_not_read(console: Standing) -> None:
    with signed_in(console) as client:
        client.cookies.set(HANDOVER_COOKIE, "bm9uc2Vuc2U=", path="/console")
        page = client.get("/console/admin")
        assert page.status_code == 200
        assert 'class="secret"' not in page.text
        session = client.cookies["veridical_session"]
        client.cookies.set(HANDOVER_COOKIE, session, path="/console")
        assert 'class="secret"' not in client.get("/console/admin").text


def test_another_site_hands_nothing_over(console: Standing) -> None:
    with signed_in(console) as client:
        given = {**GERMAN, "question": "planted"}
        refused = client.post(
            "/console/language", data=given, headers={"sec-fetch-site": "cross-site"}
        )
        assert refused.status_code == 403
        assert HANDOVER_COOKIE not in client.cookies


def test_what_is_longer_than_a_cookie_changes_the_language_all_the_same(console: Standing) -> None:
    with signed_in(console) as client:
        given = {**GERMAN, "question": "long " * 800}
        assert client.post("/console/language", data=given, headers=SAME).status_code == 303
        assert HANDOVER_COOKIE not in client.cookies
        assert 'lang="de"' in client.get("/console/ask").text
