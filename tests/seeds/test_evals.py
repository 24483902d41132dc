"""The source document on repairs and evals, end to end: one test for each item that was once partly
there or missing, over HTTP and on the command line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

from tests.balance_asked import CALL, QUESTION
from tests.server.conftest import own_database, server, trustee
from tests.server.serving import served
from tests.server.standing import BALANCE, Standing
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.cli.main import app
from veridical.host.current_runtime import CurrentRuntime
from veridical.packs.trustee.load import load_duckdb
from veridical.server.app import create_app
from veridical.testing.script import Script, ScriptedReply

__all__ = ["own_database", "server", "trustee"]

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

RIGHT_BALANCE = 1104822.67
BARE = f"""
- id: balance
  question: "{BALANCE}"
  intent: BALANCE_OF_AN_ACCOUNT
  expectedToolPattern:
    tool: queryTable
    tableName: TrusteeDataAccountBalance
    requiredFilters: [periodYear=2024, periodMonth=0, accountNumber=1020]
  forbiddenTools: [aggregateTable]
  expectedAnswerContains: ["CHF"]
  expectedAnswerNumeric:
    "1020.closingBalance": {{figure}}
"""


def test_the_wrong_table_is_refused_with_the_right_one(server: Standing) -> None:
    sql = 'SELECT "debitAmount" FROM "TrusteeDataJournalLine" WHERE "accountNumber" = \'1020\''
    body = {
        "feature": "trustee",
        "call": {"tool": "executeSqlSafe", "sql": sql},
        "question": "What is the balance of account 1020?",
    }
    with server.client() as client:
        refused = client.post("/v1/check", json=body).json()["errorDetails"]
    assert refused["code"] == "WRONG_TABLE_FOR_PURPOSE"
    assert "TrusteeDataAccountBalance" in refused["suggestion"]


def test_a_trace_over_http_has_its_counters(server: Standing) -> None:
    tool, arguments = CALL
    misspelt = {**arguments, "fields": ["accountNumber", "closinBgalance"]}
    facts = {"b": {"say": "value", "measure": "closingBalance"}}
    final: ScriptedReply = [("finalAnswer", {"facts": facts, "answer": "Es sind {b.value}."})]
    model = Script([[(tool, misspelt)], [CALL], final, '{"flagged": []}', final, final]).model
    settings = AgentSettings(model="scripted", answer_form=AnswerForm.FACTS)
    runtime = replace(server.services.runtime, model=model, settings=settings)
    services = replace(server.services, current=CurrentRuntime(runtime))
    with served(create_app(services)) as address:
        repairing = replace(server, services=services, address=address)
        with repairing.client() as client:
            body = {"feature": "trustee", "question": QUESTION}
            answer = client.post("/v1/ask", json=body).json()
            trace = client.get(f"/v1/traces/{answer['traceId']}").json()
    counted = trace["counters"]
    assert (counted["validationFailures"], counted["repairAttempts"]) == (1, 1)
    assert counted["successAfterRepair"] == 1
    assert counted["toolCalls"] == 2


@pytest.mark.parametrize(("figure", "outcome"), [(RIGHT_BALANCE, "correct"), (1.0, "wrong")])
def test_a_bare_list_of_questions_is_evaluated(
    figure: float, outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    with duckdb.connect("books.duckdb") as connection:
        load_duckdb("small", connection)
    Path("questions.yaml").write_text(BARE.format(figure=figure), "utf-8")
    command = ["eval", "run", "--gold", "questions.yaml", "--modes", "product"]
    ran = CliRunner().invoke(app, [*command, "--database", "books.duckdb", "--out", "run"])
    assert ran.exit_code == 0, ran.output
    assert outcomes(tmp_path / "run") == [outcome]


def outcomes(folder: Path) -> list[Any]:
    lines = (folder / "results.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["score"]["outcome"] for line in lines]
