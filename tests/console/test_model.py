"""The agent is switched on from the console, by who looks after the installation alone."""

import html
import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.agent.local_server import answering, failing, serving
from tests.balance_asked import CALL, QUESTION
from tests.console.chromium import sign_in, window
from tests.console.pages import SAME, signed_in, token_of
from tests.server.standing import GLOBEX, Standing
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

PAGE = "/console/admin/model"
KEY = "sk-of-the-provider-0123456789"
READY = {"content": "ready"}


@pytest.fixture(autouse=True)
def _as_before(console: Standing) -> Iterator[None]:
    yield
    _sent(console, do="settings")


def _sent(console: Standing, language: Language = Language.EN, **fields: str) -> str:
    given = {"provider": "openai-compatible", "name": "small", "do": "on", **fields}
    with signed_in(console) as client:
        given["csrf"] = token_of(client)
        headers = {**SAME, "accept-language": language.value}
        page = client.post(PAGE, data=given, headers=headers, follow_redirects=True)
        return html.unescape(page.text)


def asked_call() -> dict[str, object]:
    name, arguments = CALL
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"id": "c1", "type": "function", "function": function}]}


def _right(console: Standing) -> str:
    asked = {"feature": "trustee", "question": "Saldo von Konto 1020 Ende 2024?"}
    with console.client() as client:
        source = client.post("/v1/ask", json=asked).json()["sources"][0]
    balance = source["rows"][0][source["columns"].index("closingBalance")]
    return f"Konto 1020 stand Ende 2024 bei CHF {balance:,.2f}.".replace(",", "'")


@pytest.mark.parametrize("with_scripts", [True, False])
def test_a_local_endpoint_is_switched_on_asked_and_switched_off(
    browser: Browser, console: Standing, *, with_scripts: bool
) -> None:
    context = window(browser, locale="de", java_script_enabled=with_scripts)
    page = context.new_page()
    with serving(answering(dict(READY), asked_call(), {"content": _right(console)})) as endpoint:
        sign_in(page, console, Role.ADMIN, where="admin")
        page.click("text=Agent einrichten")
        page.select_option("#provider", "openai-compatible")
        page.fill("#name", "small")
        page.fill("#address", endpoint.url)
        page.fill("#model-key", KEY)
        page.click("button[value=on]")
        expect(page.locator(".notice.good")).to_contain_text("der Agent ist eingeschaltet")
        expect(page.locator("#model-key")).to_have_value("")
        assert KEY not in page.content()
        page.goto(f"{console.address}/console/ask")
        page.fill("#question", QUESTION)
        page.click("#ask button.primary")
        expect(page.locator("article.turn .mark.good", has_text="CHF")).to_be_visible()
        assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
        page.goto(f"{console.address}{PAGE}")
        expect(page.locator("section.card")).to_contain_text("openai-compatible:small")
        page.click("button[value=off]")
        expect(page.locator("section.card .badge")).to_have_text("ausgeschaltet")
        assert len(endpoint.bodies) == 3
    context.close()


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, "authentication"), (404, "not_found"), (400, "rejected"), (500, "server")],
)
@pytest.mark.parametrize("language", Language)
def test_a_model_that_does_not_answer_is_not_switched_on(
    console: Standing, status: int, code: str, language: Language
) -> None:
    with serving(failing(status, {"error": {"message": f"wrong: {KEY}"}})) as endpoint:
        text = _sent(console, language, address=endpoint.url, key=KEY)
    assert message(f"model.failed_{code}", language) in text
    assert KEY not in text
    assert console.services.runtime.model is None


def test_where_nobody_listens(console: Standing) -> None:
    with serving(answering()) as endpoint:
        pass
    text = _sent(console, address=endpoint.url, do="try")
    assert message("model.failed_connection", Language.EN) in text


def test_a_trial_switches_nothing_on(console: Standing) -> None:
    with serving(answering(dict(READY))) as endpoint:
        text = _sent(console, address=endpoint.url, do="try")
    assert re.search(r"The model answered in \d+\.\d s", text)
    assert console.services.runtime.model is None
    assert f'value="{endpoint.url}"' in text


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"address": "https://169.254.169.254/latest"}, "not_public"),
        ({"address": "https://10.0.0.1/v1"}, "not_public"),
        ({"address": "https://localhost/v1"}, "not_public"),
        ({"address": "http://example.com/v1"}, "not_https"),
        ({"address": "file:///etc/passwd"}, "no_address"),
        ({"address": ""}, "no_address"),
        ({"name": ""}, "no_name"),
        ({"provider": "openai", "key": ""}, "no_key"),
        ({"provider": "anthropic", "key": ""}, "no_key"),
    ],
)
def test_what_is_refused_before_anything_is_sent(
    console: Standing, given: dict[str, str], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    host = re.sub(r"^\w+://([^/:]*).*", r"\1", given.get("address", ""))
    told = message(f"model.refused_{problem}", Language.EN, host=host)
    assert told in _sent(console, Language.EN, **given)
    assert console.services.runtime.model is None


def test_all_of_it_is_in_the_audit_log_without_the_key(console: Standing) -> None:
    with serving(answering(dict(READY))) as endpoint:
        _sent(console, address=endpoint.url, key=KEY)
    _sent(console, do="off")
    with console.client(role=Role.ADMIN) as client:
        text = client.get("/v1/audit").text
    entries = {
        (each["action"], each["detail"].get("state", each["detail"].get("outcome")))
        for each in json.loads(text)["entries"]
        if each["action"].startswith("model.")
    }
    assert entries >= {
        ("model.tested", "answered"),
        ("model.switched", "on"),
        ("model.switched", "off"),
    }
    assert KEY not in text


def test_a_reload_keeps_the_choice_and_the_settings_come_back(console: Standing) -> None:
    with serving(answering(dict(READY))) as endpoint:
        _sent(console, address=endpoint.url)
    current = console.services.current
    assert current.now.settings.model == "openai-compatible:small"
    assert current.configured.model is None
    _sent(console, do="settings")
    assert current.now is current.configured


def test_nobody_else_sees_or_changes_it(console: Standing) -> None:
    with signed_in(console, Role.ADMIN, GLOBEX) as client:
        csrf = token_of(client)
        assert client.get(PAGE).status_code == 404
        assert PAGE not in client.get("/console/admin").text
        off = client.post(PAGE, data={"do": "off", "csrf": csrf}, headers=SAME)
        assert off.status_code == 404


def test_a_form_of_somebody_else_changes_nothing(console: Standing) -> None:
    with signed_in(console) as client:
        for given in ({"do": "off"}, {"do": "off", "csrf": "0" * 64}):
            assert client.post(PAGE, data=given, headers=SAME).status_code == 403
        crossed = {"do": "off", "csrf": token_of(client)}
        elsewhere = {"sec-fetch-site": "cross-site"}
        assert client.post(PAGE, data=crossed, headers=elsewhere).status_code == 403
