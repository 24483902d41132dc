import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

from benchmarks.mcp_size import own_sample
from tests.sample import PACK
from veridical.cli.main import app
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.server.mcp.calls import TRACE_ID
from veridical.trace.address import open_traces
from veridical.trace.counters import summary_of

PROGRAM = str(Path(sys.executable).with_name("veridical"))
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
SCOPE = ("--scope", "mandateId=m-001", "--scope", "featureInstanceId=m-001-a")


@pytest.mark.postgres
@pytest.mark.slow
def test_a_program_on_this_machine_asks_over_its_pipes(
    postgres_server: LocalPostgres, tmp_path: Path
) -> None:
    url = load_sample(PACK, postgres_server).url
    command = StdioServerParameters(
        command=PROGRAM,
        args=["mcp", "--database", url, "--language", "de", *SCOPE],
        env={"VERIDICAL_TRACES": str(tmp_path / "traces"), "PATH": ""},
        cwd=tmp_path,
    )

    async def talk() -> tuple[list[str], Any, Any]:
        async with Client(command) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            unbounded = {"tableName": "TrusteeDataAccountBalance", "aggregate": "sum"}
            refused = await client.call_tool("aggregateTable", unbounded)
            question = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
            asked = {"feature": "trustee", "question": question}
            return tools, refused, await client.call_tool("queryFeatureInstance", asked)

    tools, refused, given = asyncio.run(talk())
    assert {"queryFeatureInstance", "queryTable"} <= set(tools)
    assert refused.is_error
    data = given.structured_content["data"]
    assert data["kind"] == "pattern"
    store = open_traces(str(tmp_path / "traces"))
    assert store.load(data["traceId"]) is not None
    direct = store.load(refused.meta[TRACE_ID])
    assert direct is not None
    assert summary_of(direct).tenant == "m-001"
    assert summary_of(direct).outcome == refused.structured_content["errorDetails"]["code"]
    store.close()


@pytest.mark.slow
def test_it_lists_its_tools_before_it_imports_what_answers(tmp_path: Path) -> None:
    database, ontology = own_sample(tmp_path)
    command = [PROGRAM, "mcp", "--database", str(database), "--ontology", str(ontology)]
    said = [HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, LIST]
    done = subprocess.run(
        command,
        input="".join(json.dumps(each) + "\n" for each in said),
        env={"PYTHONPROFILEIMPORTTIME": "1", "VERIDICAL_TRACES": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    listed = json.loads(done.stdout.splitlines()[-1])["result"]["tools"]
    assert "queryFeatureInstance" in {each["name"] for each in listed}
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "veridical.cli.mcp_stdio" in imported
    heavy = {"dbos", "fastapi", "jinja2", "openai", "psycopg", "pydantic_ai", "sqlalchemy"}
    assert imported & heavy == set()


@pytest.mark.postgres
@pytest.mark.slow
def test_it_stops_when_told_to_though_its_input_is_open(
    postgres_server: LocalPostgres, tmp_path: Path
) -> None:
    url = load_sample(PACK, postgres_server).url
    command = [PROGRAM, "mcp", "--database", url, *SCOPE]
    traces = {"VERIDICAL_TRACES": str(tmp_path)}
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, env=traces, cwd=tmp_path) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(HELLO).encode() + b"\n")
        running.stdin.flush()
        assert "result" in json.loads(running.stdout.readline())
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0


def test_a_database_needs_a_tenant() -> None:
    result = CliRunner().invoke(app, ["mcp", "--database", "postgresql://localhost/none"])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
