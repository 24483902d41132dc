"""The source document on invented data, data files: a file is asked about on the command line, over
HTTP, over MCP and in the console; its kind is declared, and both tools for it must have succeeded.
"""

import asyncio
import base64
import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from typer.testing import CliRunner

from tests.console.pages import SAME, signed_in, token_of
from tests.seeds.provider import scripted_provider
from tests.server.conftest import own_database, server, trustee
from tests.server.mcp.talking import talking, text_of
from tests.server.serving import served
from tests.server.standing import Standing
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.cli.main import app
from veridical.console.mount import add_console
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.app import create_app
from veridical.testing.script import Script, ScriptedReply

__all__ = ["own_database", "server", "trustee"]

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

NAME = "orders.csv"
ORDERS = "name,city,total\nPeter Huber,Bern,120.50\nSara Frei,Basel,99\nTom Baker,Bern,30\n"
QUESTION = "Which city has the largest total?"
BY_CITY = "SELECT city, SUM(total) AS total FROM orders GROUP BY city"


def look(name: str = NAME) -> ScriptedReply:
    return [("inspectFile", {"fileName": name})]


def analyze(name: str = NAME, sql: str = BY_CITY) -> ScriptedReply:
    return [("analyzeDataframe", {"fileName": name, "sql": sql})]


TOP = {"t": {"say": "top", "measure": "total"}}
RIGHT: ScriptedReply = [("finalAnswer", {"facts": TOP, "answer": "{t.row} leads with {t.value}."})]
AGREED = '{"flagged": []}'
SAID = "Bern leads with 150.5."
FILE = {"name": NAME, "content": ORDERS}


@contextmanager
def answering(server: Standing, *lines: ScriptedReply) -> Generator[Standing]:
    """The server, with the console and with a model that follows this script."""
    runtime = replace(
        server.services.runtime,
        model=Script(lines).model,
        settings=AgentSettings(model="scripted", answer_form=AnswerForm.FACTS),
    )
    services = replace(server.services, current=CurrentRuntime(runtime))
    own = create_app(services)
    add_console(own)
    with served(own) as address:
        yield replace(server, services=services, address=address)


def asked(server: Standing, *lines: ScriptedReply, **body: Any) -> Any:
    """The response to a question about a file over HTTP."""
    with answering(server, *lines) as running, running.client() as client:
        return client.post("/v1/files/ask", json={"files": [FILE], "question": QUESTION, **body})


def finding_codes(answer: dict[str, Any]) -> set[str]:
    return {each["code"] for each in answer["proof"]["findings"]}


def test_decision_2_a_file_is_asked_about_over_http(server: Standing) -> None:
    answer = asked(server, look(), analyze(), RIGHT, AGREED).json()
    assert answer["kind"] == "agent", answer
    assert answer["text"] == SAID
    assert [each["tool"] for each in answer["sources"]] == ["analyzeDataframe"]
    assert answer["proof"]["verdict"] == "pass"


def test_decision_2_a_workbook_is_uploaded_in_base64(server: Standing) -> None:
    book, written = Workbook(), BytesIO()
    assert book.active is not None
    for row in csv_rows():
        book.active.append(row)
    book.save(written)
    file = {
        "name": "orders.xlsx",
        "content": base64.b64encode(written.getvalue()).decode(),
        "encoding": "base64",
    }
    answer = asked(
        server, look(file["name"]), analyze(file["name"]), RIGHT, AGREED, files=[file]
    ).json()
    assert answer["text"] == SAID, answer


def csv_rows() -> list[list[Any]]:
    head, *rows = (line.split(",") for line in ORDERS.splitlines())
    return [head, *([name, city, float(total)] for name, city, total in rows)]


def test_decision_2_both_tools_for_files_must_have_succeeded(server: Standing) -> None:
    answer = asked(server, analyze(), RIGHT, RIGHT, RIGHT, RIGHT).json()
    assert answer["kind"] == "unknown"
    assert "REQUIRED_TOOL_MISSING" in finding_codes(answer)
    assert "150.5" not in json.dumps(answer["text"])


def test_decision_1_invented_names_are_not_shown(server: Standing) -> None:
    invented = "{t.row} leads with {t.value}. The best customers are Anna Muster and Karl Kunz."
    final: ScriptedReply = [("finalAnswer", {"facts": TOP, "answer": invented})]
    flagged = '{"flagged": [{"sentence": 2, "why": "names that no statement has"}]}'
    answer = asked(server, look(), analyze(), final, flagged).json()
    assert "150.5" in answer["text"]
    assert "Muster" not in answer["text"]
    assert "Kunz" not in answer["text"]


def test_decision_4_after_a_failed_tool_the_text_says_so(server: Standing) -> None:
    made_up = "There are 3 customers: 1. Peter Huber 2. Anna Muster 3. Karl Kunz"
    final: ScriptedReply = [("finalAnswer", {"facts": {}, "answer": made_up})]
    answer = asked(
        server, look(), analyze(sql="SELECT nope FROM orders"), final, final, final, final
    ).json()
    assert answer["kind"] == "unknown"
    assert "AFTER_TOOL_ERROR" in finding_codes(answer)
    assert answer["text"].startswith("The data could not be read")
    assert "Muster" not in answer["text"]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ({"name": "a.doc", "content": "x"}, "this format can't be read"),
        ({"name": "a.csv", "content": " "}, "is empty"),
        ({"name": "a.xlsx", "content": "eA==", "encoding": "base64"}, "no table"),
    ],
)
def test_decision_4_a_file_without_tables_is_refused_with_the_remedy(
    server: Standing, file: dict[str, str], said: str
) -> None:
    with server.client() as client:
        refused = client.post("/v1/files/ask", json={"files": [file], "question": QUESTION})
    assert refused.status_code == 422
    assert said in refused.json()["detail"]


@pytest.mark.parametrize(
    "files",
    [
        [],
        [FILE, FILE],
        [{"name": "../orders.csv", "content": ORDERS}],
        [{"name": NAME, "content": "not base64!", "encoding": "base64"}],
        [{"name": f"{number}.csv", "content": ORDERS} for number in range(6)],
    ],
)
def test_decision_2_uploads_are_bounded(server: Standing, files: list[dict[str, str]]) -> None:
    with server.client() as client:
        refused = client.post("/v1/files/ask", json={"files": files, "question": QUESTION})
    assert refused.status_code == 422


def test_decision_2_over_mcp(server: Standing) -> None:
    async def talk() -> Any:
        async with talking(running) as client:
            listed = {each.name for each in (await client.list_tools()).tools}
            given = {"question": QUESTION, "files": [FILE]}
            bad = {"question": QUESTION, "files": [{"name": "a.doc", "content": "x"}]}
            tool = "askAboutFiles"
            return listed, await client.call_tool(tool, given), await client.call_tool(tool, bad)

    with answering(server, look(), analyze(), RIGHT, AGREED) as running:
        listed, answer, refused = asyncio.run(talk())
    assert "askAboutFiles" in listed
    assert not answer.is_error
    assert SAID in text_of(answer)
    assert refused.is_error
    assert "this format can't be read" in text_of(refused)


def test_decision_2_in_the_console(server: Standing) -> None:
    second = "And which has the smallest?"
    lines = [look(), analyze(), RIGHT, AGREED]
    with answering(server, *lines, *lines) as running, signed_in(running) as client:
        given = {"csrf": token_of(client), "question": QUESTION}
        upload = {"file": (f"C:\\data\\{NAME}", ORDERS.encode(), "text/csv")}
        answered = client.post("/console/ask/files", data=given, files=upload, headers=SAME)
        assert answered.status_code == 303, answered.text
        page = client.get(answered.headers["location"])
        thread = page.url.params.get_list("t")
        again = {**given, "question": second, "t": thread}
        followed = client.post("/console/ask/files", data=again, files=upload, headers=SAME)
        whole = client.get(followed.headers["location"]).text
        wrong = {"file": ("a.doc", b"x", "text/plain")}
        refused = client.post("/console/ask/files", data=given, files=wrong, headers=SAME)
    assert "150.5" in page.text
    assert QUESTION in whole
    assert second in whole
    assert whole.count("150.5") > page.text.count("150.5")
    assert "this format can" in refused.text


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_TRACES", str(tmp_path / "traces"))
    monkeypatch.setenv("VERIDICAL_MODEL", "ollama:scripted")
    monkeypatch.setenv("VERIDICAL_ANSWER_FORM", AnswerForm.FACTS)
    (tmp_path / NAME).write_text(ORDERS, "utf-8")
    return tmp_path


def test_decision_2_on_the_command_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_provider([look(), analyze(), RIGHT, AGREED]) as address:
        monkeypatch.setenv("VERIDICAL_BASE_URL", address)
        ran = CliRunner().invoke(app, ["ask", QUESTION, "--file", NAME, "--json"])
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["text"] == SAID


def test_decision_2_a_feature_is_declared_to_read_files(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = here / "veridical.toml"
    settings.write_text(f'[[features]]\nname = "shop"\nfiles = ["{NAME}"]\n', "utf-8")
    with scripted_provider([look(), analyze(), RIGHT, AGREED]) as address:
        monkeypatch.setenv("VERIDICAL_BASE_URL", address)
        ran = CliRunner().invoke(app, ["ask", QUESTION, "--json"])
    assert json.loads(ran.stdout)["text"] == SAID
    both = f'[[features]]\nname = "shop"\nfiles = ["{NAME}"]\ndatabase = "b.db"\n'
    settings.write_text(both, "utf-8")
    refused = CliRunner().invoke(app, ["ask", QUESTION])
    assert refused.exit_code == 2
    assert "a database and files" in refused.output
