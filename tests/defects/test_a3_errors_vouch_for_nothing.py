"""Failed calls prove nothing, in whatever shape; results in transcripts do."""

import json
from typing import Any

import pytest

from tests.gate.strictly import strictly
from veridical.contracts.proof import Verdict
from veridical.gate.shapes import read_material

SAID = "The balance was 5,432."
TEXT = "could not connect to server on port 5432"
TRACE = (
    'Traceback (most recent call last):\n  File "db.py", line 5432, in run\n'
    "psycopg.OperationalError: connection failed"
)
ERRORS: tuple[Any, ...] = (
    f"SYSTEM ERROR {TEXT}",
    f"System error: {TEXT}",
    f"Error: {TEXT}",
    f"[2026-01-05 10:00:00] ERROR: {TEXT}",
    f"OperationalError: {TEXT}",
    f"psycopg2.OperationalError: {TEXT}",
    "Connection refused on port 5432",
    "HTTP 500 Internal Server Error (5432)",
    "Failed to run the query after 5432 ms",
    "Fehler: Verbindung zu Port 5432 fehlgeschlagen",
    "Datenbankfehler 5432",
    "系统错误：端口 5432 无法连接",
    "查询失败，端口 5432",
    TRACE,
    {"error": f"{TEXT}"},
    {"error": {"code": 5432, "message": "no connection"}},
    {"errors": [{"message": TEXT}], "data": None},
    {"isError": True, "content": [{"type": "text", "text": TEXT}]},
    {"is_error": True, "content": TEXT},
    {"status": "error", "message": TEXT},
    {"status": "failed", "code": 5432},
    {"status": 500, "message": TEXT},
    {"ok": False, "port": 5432},
    {"success": False, "error": TEXT, "data": {"columns": ["b"], "rows": [[5432]]}},
    {"result": {"error": TEXT}},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": TEXT}},
    {"success": True, "data": f"Error: {TEXT}"},
    json.dumps({"error": TEXT}),
    [f"Error: {TEXT}"],
    [{"tool": "query", "error": TEXT}],
    [{"role": "tool", "tool_call_id": "1", "content": f"Error: {TEXT}"}],
    [{"role": "tool", "tool_call_id": "1", "content": json.dumps({"error": TEXT})}],
    [{"type": "function_call_output", "call_id": "1", "output": f"Error: {TEXT}"}],
    [{"type": "mcp_call", "name": "query", "arguments": "{}", "output": None, "error": TEXT}],
    [
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "1", "content": TEXT, "is_error": True}
            ],
        }
    ],
    [{"type": "tool", "content": TEXT, "status": "error", "tool_call_id": "1"}],
    [{"functionResponse": {"name": "query", "response": {"error": TEXT}}}],
)
ROWS = [{"city": "Bern", "balance": 5432}, {"city": "Basel", "balance": 17}]
AS_JSON = json.dumps(ROWS)
OPENAI: list[dict[str, Any]] = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": "What is the balance?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "query", "arguments": "{}"}}
        ],
    },
    {"role": "tool", "tool_call_id": "1", "content": AS_JSON},
]
RESPONSES: list[dict[str, Any]] = [
    {"role": "user", "content": "What is the balance?"},
    {"type": "function_call", "call_id": "1", "name": "query", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "1", "output": AS_JSON},
]
ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": "What is the balance?"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I will look."},
            {"type": "tool_use", "id": "1", "name": "query", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "1",
                "content": [{"type": "text", "text": AS_JSON}],
            }
        ],
    },
]
MCP: dict[str, Any] = {"content": [{"type": "text", "text": AS_JSON}], "isError": False}
STRUCTURED: dict[str, Any] = {
    "content": [{"type": "text", "text": "two rows"}],
    "structuredContent": {"rows": [["Bern", 5432], ["Basel", 17]], "columns": ["city", "balance"]},
}
TRANSCRIPTS: tuple[Any, ...] = (
    OPENAI,
    RESPONSES,
    ANTHROPIC,
    MCP,
    STRUCTURED,
    {"messages": OPENAI},
    {"jsonrpc": "2.0", "id": 1, "result": MCP},
    [{"functionResponse": {"name": "query", "response": {"result": ROWS}}}],
    json.dumps(OPENAI),
)


@pytest.mark.parametrize("evidence", ERRORS, ids=lambda it: str(it)[:60])
def test_a3_the_numbers_of_a_failure_are_no_ground(evidence: Any) -> None:
    assert strictly(SAID, evidence).verdict is Verdict.BLOCK
    material = read_material(evidence)
    assert not material.exhibits
    assert material.runs
    assert not any(run.success for run in material.runs)


@pytest.mark.parametrize("evidence", ERRORS, ids=lambda it: str(it)[:60])
def test_a3_that_it_failed_may_be_said(evidence: Any) -> None:
    said = "The query failed, so I can't tell you the balance."
    assert not strictly(said, evidence).findings


@pytest.mark.parametrize("evidence", TRANSCRIPTS, ids=lambda it: str(it)[:60])
def test_a3_what_tools_returned_in_a_transcript_is_evidence(evidence: Any) -> None:
    right = strictly("Bern has a balance of 5,432.", evidence)
    assert right.verdict is Verdict.PASS, right.findings
    assert strictly("Bern has a balance of 7,777.", evidence).verdict is Verdict.BLOCK


@pytest.mark.parametrize("speaker", ["assistant", "user", "system"])
def test_a3_what_was_said_in_a_transcript_is_no_evidence(speaker: str) -> None:
    said = [*OPENAI, {"role": speaker, "content": "Bern has a balance of 7,777."}]
    assert strictly("Bern has a balance of 7,777.", said).verdict is Verdict.BLOCK
    alone = [{"role": speaker, "content": "Bern has a balance of 7,777."}]
    assert strictly("Bern has a balance of 7,777.", alone).verdict is Verdict.BLOCK


def test_a3_a_failure_beside_a_result_is_told_apart() -> None:
    failed = {"role": "tool", "tool_call_id": "2", "content": "Error: line 9999"}
    material = read_material([*OPENAI, failed])
    assert [run.success for run in material.runs] == [True, False]
    assert len(material.exhibits) == 1
    assert strictly("Bern has a balance of 9,999.", [*OPENAI, failed]).verdict is Verdict.BLOCK


def test_a3_a_statement_in_a_transcript_proves_none_of_its_literals() -> None:
    call = {"id": "1", "function": {"name": "run", "arguments": '{"query": "SELECT 5432 AS b"}'}}
    told = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": '[{"b": 5432}]'},
    ]
    assert strictly(SAID, told).verdict is Verdict.BLOCK


@pytest.mark.parametrize(
    ("evidence", "answer"),
    [
        (
            [
                {"id": 17, "status": "error", "minutes": 95},
                {"id": 18, "status": "ok", "minutes": 12},
            ],
            "Incident 17 took 95 minutes.",
        ),
        ([{"error": "disk full", "hits": 214}, {"error": "timeout", "hits": 31}], "214 hits."),
        (
            {"columns": ["status", "count"], "rows": [["error", 214], ["done", 31]]},
            "214 have the status error.",
        ),
        ({"incident": 17, "status": "error", "minutes": 95}, "Incident 17 took 95 minutes."),
        ("Error rates fell to 214 per million in 2025.", "Error rates fell to 214 per million."),
        ({"error": None, "data": [{"hits": 214}]}, "There were 214 hits."),
        ({"error": "", "result": [{"hits": 214}]}, "There were 214 hits."),
    ],
)
def test_a3_rows_about_errors_are_data(evidence: Any, answer: str) -> None:
    assert not strictly(answer, evidence).findings
