"""Documents, evals: a wrong block is reported by the trace id alone, over HTTP and by command."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.balance_asked import CALL, INVENTED, QUESTION
from tests.server.conftest import own_database, server, trustee
from tests.server.serving import served
from tests.server.standing import ACME, GLOBEX, Standing
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.cli.main import app
from veridical.contracts.trace import AgentTrace
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.app import create_app
from veridical.server.identity import Role
from veridical.testing.script import Line, Script
from veridical.trace.jsonl import JsonLines

__all__ = ["own_database", "server", "trustee"]

pytestmark = pytest.mark.postgres

REPORTS = "/v1/gate/false-blocks"


@pytest.fixture
def asked(server: Standing) -> dict[str, Any]:
    """The trace of an answer that was written instead of one with an invented figure."""
    settings = AgentSettings(model="scripted", answer_form=AnswerForm.FACTS)
    typed: Line = [("finalAnswer", {"facts": {}, "answer": INVENTED})]
    model = Script([[CALL], typed, typed]).model
    runtime = replace(server.services.runtime, model=model, settings=settings)
    services = replace(server.services, current=CurrentRuntime(runtime))
    with served(create_app(services)) as address:
        inventing = replace(server, services=services, address=address)
        with inventing.client() as client:
            body = {"feature": "trustee", "question": QUESTION}
            answer = client.post("/v1/ask", json=body).json()
            return client.get(f"/v1/traces/{answer['traceId']}").json()


def test_over_http(server: Standing, asked: dict[str, Any]) -> None:
    named = {"traceId": asked["traceId"], "note": "it was right"}
    with server.client() as client:
        first, again = client.post(REPORTS, json=named), client.post(REPORTS, json=named)
        neither = client.post(REPORTS, json={"note": "it was right"})
        unknown = client.post(REPORTS, json={"traceId": "nowhere"})
    with server.client(GLOBEX) as stranger:
        foreign = stranger.post(REPORTS, json=named)
    with server.client(ACME, Role.ADMIN) as client:
        kept = client.get(REPORTS).json()["reports"]
    assert (first.status_code, again.status_code) == (201, 200)
    assert "UNGROUNDED_CLAIM" in first.json()["codes"]
    assert first.json()["traceId"] == asked["traceId"]
    assert first.json() in kept
    assert (neither.status_code, unknown.status_code, foreign.status_code) == (422, 404, 404)


def test_by_command(asked: dict[str, Any], tmp_path: Path) -> None:
    run, log, store = CliRunner(), str(tmp_path / "gate.jsonl"), str(tmp_path / "traces")
    counters = asked.pop("counters")
    JsonLines(Path(store)).save(AgentTrace.model_validate(asked))
    command = ["gate", "report-false-block", asked["traceId"], "--store", store, "--log", log]
    assert counters["toolCalls"] == 1
    assert run.invoke(app, command).exit_code == 0
    counted = run.invoke(app, ["gate", "report", "--log", log]).stdout.splitlines()
    assert all(line.split()[-1] == "1" for line in counted[1:])
    assert len(counted) > 1
    assert run.invoke(app, [*command[:2], "nowhere", *command[3:]]).exit_code == 2
