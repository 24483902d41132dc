"""Questions from traffic: confirmed by people, certified by an owner, answered as known ones."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from tests.console.chromium import sign_in, window
from tests.console.pages import SAME, signed_in, token_of
from tests.sample import PACK
from tests.server.scripted import scripted
from tests.server.standing import ACME, GLOBEX, Standing, prepare, standing
from veridical.agent.answer_form import AnswerForm
from veridical.answering.feature import open_feature
from veridical.console.mount import add_console
from veridical.runs.question_verifier import QuestionVerifier
from veridical.sample.books import Sample, load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.store.audit import entries
from veridical.store.feedback import give_feedback, list_feedback
from veridical.store.known_questions import (
    QuestionState,
    decided_questions,
    keep_verification,
)
from veridical.testing.script import Script

pytestmark = pytest.mark.postgres

PATH = "/console/quality/questions"
SQL = (
    'SELECT COUNT(*) AS "moved" FROM "TrusteeDataAccountBalance"'
    ' WHERE "periodYear" = {} AND "periodMonth" = 0'
)
QUESTION = "How many accounts had movements in {}?"


@pytest.fixture(scope="module")
def books(postgres_server: LocalPostgres) -> Sample:
    """Books whose schema may change."""
    return load_sample(PACK, postgres_server, "books_of_known_questions")


@pytest.fixture(scope="module")
def running(postgres_server: LocalPostgres, books: Sample) -> Iterator[Standing]:
    """A server of its own: others ask the same questions."""
    url = postgres_server.create_database("known_questions")
    feature = open_feature(PACK, books.database())
    with standing(url, feature, prepare(url), furnish=add_console) as made:
        yield made
    feature.engine.database.close()


@pytest.fixture
def server(running: Standing) -> Standing:
    """The same, where nobody has said anything yet."""
    services = running.services
    with psycopg.connect(services.runs.settings.database_url, autocommit=True) as connection:
        connection.execute("TRUNCATE veridical.known_questions, veridical.feedback")
    for tenant in (ACME, GLOBEX):
        assert services.runtime.certified is not None
        services.runtime.certified.look(tenant)
    return running


def _lines(*years: int) -> list[Any]:
    """What a model says to each question: a query, then its figure."""
    fact = {"say": "value", "from": "r1", "measures": ["moved"]}
    said = json.dumps({"facts": {"f1": fact}, "answer": "It was {f1.value}."})
    called = [("executeSqlSafe", {"sql": SQL.format(year)}) for year in years]
    return [line for call in called for line in ([call], said, "no review")]


def _asked(server: Standing, question: str, tenant: str = ACME) -> dict[str, Any]:
    with server.client(tenant) as client:
        body = {"feature": "trustee", "question": question, "language": "en"}
        response = client.post("/v1/ask", json=body)
        assert response.status_code == 200, response.text
        return response.json()


def _confirmed(server: Standing, year: int, person: str, tenant: str = ACME) -> None:
    """A model's answer, which somebody calls right."""
    with scripted(server, Script(_lines(year)), add_console, AnswerForm.FACTS) as there:
        answer = _asked(there, QUESTION.format(year), tenant)
        assert answer["kind"] == "agent"
        with there.client(tenant) as client:  # written in the background
            while client.get(f"/v1/traces/{answer['traceId']}").status_code != 200:
                pass
    with server.services.store.tenant(tenant) as connection:
        give_feedback(connection, tenant, person, answer["traceId"], "", is_right=True)


def _key(server: Standing, tenant: str = ACME) -> str:
    with signed_in(server, Role.ADMIN, tenant) as client:
        text = client.get(PATH).text
    return text.split('id="q-')[1].split('"')[0]


def _decided(
    server: Standing, key: str, do: str, role: Role = Role.ADMIN, tenant: str = ACME, **form: str
) -> tuple[int, str]:
    with signed_in(server, role, tenant) as client:
        sent = {"do": do, "csrf": token_of(client), **form}
        response = client.post(f"{PATH}/trustee/{key}", data=sent, headers=SAME)
        return response.status_code, response.headers.get("location", "")


def test_a_question_is_confirmed_certified_and_known(browser: Browser, server: Standing) -> None:
    context = window(browser, locale="en")
    page = context.new_page()
    with scripted(server, Script(_lines(2024, 2023)), add_console, AnswerForm.FACTS) as there:
        sign_in(page, there)
        for year in (2024, 2023):
            page.fill("#question", QUESTION.format(year))
            page.click("#ask button.primary")
            turn = page.locator("article.turn").last
            turn.locator(".feedback button[value=right]").click()
            expect(page.locator(".feedback [role=status]")).to_contain_text("right")
            page.goto(f"{there.address}/console/ask?new=true")
        page.goto(f"{there.address}{PATH}")
        card = page.locator("#proposed article")
        expect(card).to_contain_text("How many accounts had movements in {year}?")
        expect(card).to_contain_text("Confirmed answers: 2 · people: 1")
        card.locator("input[name=name]").fill("Accounts that moved in {year}")
        card.get_by_role("button", name="Certify").click()
        certified = page.locator("#certified article")
        expect(certified).to_contain_text("Accounts that moved in {year}")
        expect(certified).to_contain_text("admin of acme")
        expect(certified.locator(".badge.good")).to_contain_text("current")
        page.goto(f"{there.address}/console/ask?new=true")
        page.fill("#question", QUESTION.format(2022))
        page.click("#ask button.primary")  # the script has no more lines
        turn = page.locator("article.turn").last
        expect(turn).to_contain_text("Accounts that moved in 2022")
        expect(turn.locator(".trust")).to_contain_text("1 figure from your data")
    context.close()


def test_the_model_is_no_longer_asked_and_other_clients_have_the_question(
    server: Standing,
) -> None:
    _confirmed(server, 2024, "Ada")
    key = _key(server)
    assert _asked(server, QUESTION.format(2023))["kind"] == "unknown"
    assert _decided(server, key, "certify") == (303, f"{PATH}#q-{key}")
    answer = _asked(server, QUESTION.format(2023))
    assert answer["kind"] == "pattern"
    assert [each["form"] for each in answer["facts"]["facts"].values()] == ["value"]
    with server.client() as client:
        listed = _mcp(client, "tools/list", {})["tools"]
        (known,) = [each for each in listed if each["name"] == "knownQuestion"]
        names = known["inputSchema"]["properties"]["ask"]["properties"]["question"]["enum"]
        assert "ACCOUNTS_MOVEMENTS" in names
        called = {"ask": {"question": "ACCOUNTS_MOVEMENTS", "year": 2024}}
        result = _mcp(client, "tools/call", {"name": "knownQuestion", "arguments": called})
        assert result["structuredContent"]["ranAs"]["known"]["intent"] == "ACCOUNTS_MOVEMENTS"
    assert _decided(server, key, "dismiss")[0] == 303
    assert _asked(server, QUESTION.format(2023))["kind"] == "unknown"
    assert _decided(server, key, "reopen")[0] == 303
    assert _key(server) == key
    with server.services.store.tenant(ACME) as connection:
        noted = [each for each in entries(connection) if each.subject == key][:3]
    assert [each.action.partition(".")[2] for each in reversed(noted)] == [
        "certified", "dismissed", "reopened",
    ]  # fmt: skip
    assert {each.actor for each in noted} == {"admin of acme"}


def _mcp(client: Any, method: str, params: dict[str, Any]) -> dict[str, Any]:
    sent = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    accept = {"accept": "application/json, text/event-stream"}
    response = client.post("/mcp", json=sent, headers=accept)
    text = next(line[6:] for line in response.text.splitlines() if line.startswith("data: "))
    return json.loads(text)["result"]


def test_another_tenant_sees_nothing_of_it(server: Standing) -> None:
    _confirmed(server, 2024, "Ada")
    key = _key(server)
    with signed_in(server, Role.ADMIN, GLOBEX) as client:
        assert "had movements" not in client.get(PATH).text
    for do in ("certify", "dismiss", "rename", "verify", "reopen"):
        assert _decided(server, key, do, tenant=GLOBEX, name="mine")[0] == 404
    assert _decided(server, key, "certify")[0] == 303
    for do in ("certify", "dismiss", "rename", "verify", "reopen"):
        assert _decided(server, key, do, tenant=GLOBEX, name="mine")[0] == 404
    with signed_in(server, Role.ADMIN, GLOBEX) as client:
        for page in (PATH, "/console/ask", "/console/admin/audit"):
            assert "ovements" not in client.get(page).text
    assert _asked(server, QUESTION.format(2023), GLOBEX)["kind"] == "unknown"
    with server.client(GLOBEX) as client:
        assert "MOVEMENTS" not in json.dumps(_mcp(client, "tools/list", {}))
    with server.services.store.tenant(GLOBEX) as connection:
        assert decided_questions(connection, GLOBEX) == ()
        assert decided_questions(connection, ACME) == ()  # the row policy, too


def test_the_same_question_of_two_tenants_is_two(server: Standing) -> None:
    """The key of a cluster says nothing of who asked: a decision is still one tenant's own."""
    for tenant in (ACME, GLOBEX):
        _confirmed(server, 2024, "Ada", tenant)
    key = _key(server)
    assert key == _key(server, GLOBEX)
    assert _decided(server, key, "certify", name="Ours")[0] == 303
    assert _decided(server, key, "certify", tenant=GLOBEX, name="Theirs")[0] == 303
    answers = [_asked(server, QUESTION.format(2023), each) for each in (ACME, GLOBEX)]
    assert ["Ours" in each["text"] for each in answers] == [True, False]
    assert _decided(server, key, "dismiss", tenant=GLOBEX)[0] == 303
    assert _asked(server, QUESTION.format(2023))["kind"] == "pattern"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_who_is_no_owner_cannot_certify(server: Standing, role: Role) -> None:
    _confirmed(server, 2024, "Ada")
    assert _decided(server, _key(server), "certify", role)[0] == 403
    with signed_in(server, role) as client:
        assert client.get(PATH).status_code == 403
        assert PATH not in client.get("/console/ask").text


def test_what_somebody_calls_wrong_is_not_proposed(server: Standing) -> None:
    _confirmed(server, 2024, "Ada")
    with server.services.store.tenant(ACME) as connection:
        (right,) = list_feedback(connection, undecided=False, limit=5)
        give_feedback(connection, ACME, "Bob", right.trace_id, "no", is_right=False)
    with signed_in(server) as client:
        assert "had movements" not in client.get(PATH).text


def test_a_name_has_only_slots_of_the_question(server: Standing) -> None:
    _confirmed(server, 2024, "Ada")
    key = _key(server)
    assert "problem=name" in _decided(server, key, "certify", name="By {region}")[1]
    assert "problem" not in _decided(server, key, "certify", name="In {year}")[1]
    assert "problem=name" in _decided(server, key, "rename", name="By {region}")[1]
    assert "problem" not in _decided(server, key, "rename", name="Moved in {year}")[1]
    assert "Moved in 2023" in _asked(server, QUESTION.format(2023))["text"]


@contextmanager
def _changed(server: Standing, books: Sample, before: str, after: str) -> Generator[None]:
    """The data with a changed schema, opened anew as after a reload."""
    current = server.services.current
    _execute(books, before)
    feature = open_feature(PACK, books.database())
    current.change(lambda runtime: replace(runtime, features={"trustee": feature}))
    try:
        yield
    finally:
        current.change()
        feature.engine.database.close()
        _execute(books, after)


def _execute(books: Sample, sql: str) -> None:
    with psycopg.connect(books.url, autocommit=True) as connection:
        connection.execute(sql)  # pyright: ignore[reportArgumentType, reportCallIssue]


def _verifier(server: Standing) -> QuestionVerifier:
    services = server.services
    return QuestionVerifier(services.store, lambda name: services.runtime.features.get(name))


def _stands(server: Standing) -> tuple[QuestionState, str]:
    with server.services.store.tenant(ACME) as connection:
        (found,) = decided_questions(connection, ACME)
    return found.state, found.reason


def _look(server: Standing) -> None:
    assert server.services.runtime.certified is not None
    server.services.runtime.certified.look(ACME)


def test_a_changed_schema_makes_it_stale_until_it_was_run_again(
    browser: Browser, server: Standing, books: Sample
) -> None:
    _confirmed(server, 2024, "Ada")
    key = _key(server)
    _decided(server, key, "certify")
    assert _asked(server, QUESTION.format(2023))["kind"] == "pattern"
    context = window(browser, locale="en")
    page = context.new_page()
    sign_in(page, server)
    added = 'ALTER TABLE "TrusteeDataAccount" ADD COLUMN "note" text'
    dropped = 'ALTER TABLE "TrusteeDataAccount" DROP COLUMN "note"'
    with _changed(server, books, added, dropped):
        page.goto(f"{server.address}{PATH}")
        expect(page.locator("#certified .badge.open")).to_contain_text("stale")
        assert _asked(server, QUESTION.format(2023))["kind"] == "unknown"
        assert _verifier(server).verify_stale() == 1
        assert _verifier(server).verify_stale() == 0
        _look(server)
        page.reload()
        expect(page.locator("#certified .badge.good")).to_contain_text("current")
        expect(page.locator("#certified")).to_contain_text("verified")
        assert _asked(server, QUESTION.format(2023))["kind"] == "pattern"
    page.reload()
    expect(page.locator("#certified .badge.open")).to_contain_text("stale")
    page.get_by_role("button", name="Verify now").click()  # without a worker
    expect(page.locator("#certified .badge.good")).to_contain_text("current")
    context.close()


def test_what_returns_something_else_is_for_a_person(
    browser: Browser, server: Standing, books: Sample
) -> None:
    _confirmed(server, 2024, "Ada")
    key = _key(server)
    _decided(server, key, "certify")
    gone = 'ALTER TABLE "TrusteeDataAccountBalance" RENAME COLUMN "periodMonth" TO "month"'
    back = 'ALTER TABLE "TrusteeDataAccountBalance" RENAME COLUMN "month" TO "periodMonth"'
    with _changed(server, books, gone, back):
        assert _verifier(server).verify_stale() == 1
        assert _stands(server) == (QuestionState.DOUBTED, "refused")
        assert "problem=refused" in _decided(server, key, "certify")[1]
    _look(server)
    assert _asked(server, QUESTION.format(2023))["kind"] == "unknown"
    context = window(browser, locale="en")
    page = context.new_page()
    sign_in(page, server, where="quality/questions")
    expect(page.locator("#certified .badge.bad")).to_contain_text("needs review")
    expect(page.locator("#certified .notice.bad")).to_contain_text("The query is refused")
    page.get_by_role("button", name="Certify again").click()
    expect(page.locator("#certified .badge.good")).to_contain_text("current")
    assert _asked(server, QUESTION.format(2023))["kind"] == "pattern"
    context.close()


def test_other_columns_and_other_facts_are_told_apart(server: Standing) -> None:
    _confirmed(server, 2024, "Ada")
    key = _key(server)
    url = server.services.runs.settings.database_url
    for part in ("columns", "facts"):
        _decided(server, key, "certify")
        sql = (
            "UPDATE veridical.known_questions SET schema_hash = 'older',"
            f" checks = jsonb_set(checks, '{{0,{part}}}', '[\"other\"]')"
        )
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql)  # pyright: ignore[reportArgumentType, reportCallIssue]
        assert _verifier(server).verify_stale() == 1
        assert _stands(server) == (QuestionState.DOUBTED, part)


def test_a_decision_meanwhile_counts(server: Standing) -> None:
    _confirmed(server, 2024, "Ada")
    key = _key(server)
    _decided(server, key, "certify")
    store = server.services.store
    with store.tenant(ACME) as connection:
        (before,) = decided_questions(connection, ACME)
    _decided(server, key, "dismiss")
    with store.system() as connection:
        assert not keep_verification(connection, ACME, before, ("a", "b"), "")
    assert _stands(server)[0] is QuestionState.DISMISSED
