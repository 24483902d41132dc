import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.trace.runs import NOON, called, model_called, repaired_run
from veridical.cli.main import app
from veridical.contracts.person import Decision, ItemKind
from veridical.contracts.trace import AgentTrace, BudgetSpent, PersonAsked, PersonDecided
from veridical.trace.address import VARIABLE, open_traces
from veridical.trace.jsonl import JsonLines


@pytest.fixture
def store(tmp_path: Path) -> str:
    folder = tmp_path / "traces"
    JsonLines(folder).save(repaired_run())
    JsonLines(folder).save(repaired_run("run-2", "globex", NOON + 60))
    return str(folder)


@pytest.fixture
def run() -> CliRunner:
    return CliRunner(env={"COLUMNS": "220", VARIABLE: ""})


def test_the_newest_runs_are_listed_first(run: CliRunner, store: str) -> None:
    result = run.invoke(app, ["runs", "list", "--store", store])
    assert result.exit_code == 0
    head, first, second = result.stdout.splitlines()
    assert "Started (UTC)" in head
    assert first.startswith("2026-11-15 12:01:00  run-2")
    assert second.startswith("2026-11-15 12:00:00  run-1")
    assert second.split()[-8:] == ["agent", "2", "1", "1", "2100", "$0.0040", "3.0", "s"]


def test_a_narrow_terminal_keeps_ids_whole(run: CliRunner, tmp_path: Path) -> None:
    trace_id = "6f1c2b9e-0d53-4f0e-9a55-1f0c3a2b4d5e"
    JsonLines(tmp_path).save(repaired_run(trace_id))
    result = run.invoke(app, ["runs", "list", "--store", str(tmp_path)], env={"COLUMNS": "80"})
    assert trace_id in result.stdout
    assert "Cost" not in result.stdout


def test_the_list_can_be_narrowed(run: CliRunner, store: str) -> None:
    listed = ["runs", "list", "--store", store, "--json"]
    one = json.loads(run.invoke(app, [*listed, "--limit", "1"]).stdout)
    assert [each["traceId"] for each in one] == ["run-2"]
    ours = json.loads(run.invoke(app, [*listed, "--tenant", "acme"]).stdout)
    assert [each["traceId"] for each in ours] == ["run-1"]


def test_json_of_the_list(run: CliRunner, store: str) -> None:
    result = run.invoke(app, ["runs", "list", "--store", store, "--json"])
    told = json.loads(result.stdout)[1]
    assert told.pop("counters")["successAfterRepair"] == 1
    assert told == {
        "traceId": "run-1",
        "startedAt": "2026-11-15T12:00:00Z",
        "question": "Wie viel lag auf der Bank?",
        "caller": "Ada",
        "tenant": "acme",
        "route": "agent",
        "outcome": "agent",
    }


def test_the_story_of_a_run(run: CliRunner, store: str) -> None:
    result = run.invoke(app, ["runs", "show", "run-1", "--store", store])
    assert result.exit_code == 0
    places = [
        result.stdout.index(part)
        for part in (
            "Ada (acme)",
            "Question: Wie viel lag auf der Bank?",
            "Route: agent: no pattern fits",
            "Round 1  openai:gpt-test  1000 + 50 Tokens, $0.0020, 0.8 s",
            '✗ aggregateTable {"tableName": "Balance"}',
            "INVALID_AGGREGATE_TARGET: No.",
            "Round 2",
            '✓ aggregateTable {"tableName": "Balance"}  1 row(s)  0.0 s  repair attempt',
            "Answer: (agent) Auf der Bank lagen CHF 12'345.60.",
            "2 tool calls, 1 of them refused; 1 repair attempts, 1 successful; 0 deflections",
            "2 model calls, 2000 + 100 tokens, cost $0.0040, 3.0 s",
        )
    ]
    assert places == sorted(places)


def test_json_of_a_run_is_the_trace_with_its_counters(run: CliRunner, store: str) -> None:
    result = run.invoke(app, ["runs", "show", "run-1", "--store", store, "--json"])
    told = json.loads(result.stdout)
    assert told.pop("counters")["repairAttempts"] == 1
    assert AgentTrace.model_validate(told) == repaired_run()


def test_a_run_that_went_wrong(run: CliRunner, tmp_path: Path) -> None:
    events = (
        model_called(NOON, 1).model_copy(update={"text": "Let me see.", "cost": None}),
        called(1, code="FAN_OUT", suggestion="queryTable"),
        called(2, "calculate", None),
        model_called(NOON + 3, 3).model_copy(update={"error": "timeout"}),
        BudgetSpent(at=NOON + 4, limit="rounds", value=3),
    )
    JsonLines(tmp_path).save(AgentTrace(trace_id="bad", events=events))
    told = run.invoke(app, ["runs", "show", "bad", "--store", str(tmp_path)]).stdout
    assert "FAN_OUT: No. (suggestion: queryTable)  then turned elsewhere" in told
    assert "Let me see." in told
    assert "failed: timeout" in told
    assert "Limit reached: rounds (3)" in told
    assert "unfinished" in told
    assert "cost –" in told


@pytest.mark.parametrize(
    ("language", "words"), [("de", ("Frage:", "Antwort:", "Runde 1")), ("zh", ("问题:", "轮次 1"))]
)
def test_it_speaks_the_users_language(
    run: CliRunner, store: str, language: str, words: tuple[str, ...]
) -> None:
    told = run.invoke(app, ["runs", "show", "run-1", "--store", store, "--language", language])
    assert [word for word in words if word not in told.stdout] == []


def test_texts_cannot_steer_the_terminal(run: CliRunner, tmp_path: Path) -> None:
    call = called(1).model_copy(update={"arguments": {}, "tool": "\x1b[2J[red]x[/red]"})
    JsonLines(tmp_path).save(AgentTrace(trace_id="[b]odd[/b]", events=(call,)))
    told = run.invoke(app, ["runs", "show", "[b]odd[/b]", "--store", str(tmp_path)]).stdout
    assert "\x1b" not in told
    assert "[2J[red]x[/red]" in told
    assert "[b]odd[/b]" in told


def test_the_environment_names_the_store(run: CliRunner, store: str) -> None:
    result = run.invoke(app, ["runs", "list"], env={VARIABLE: store})
    assert "run-1" in result.stdout


def test_without_any_the_usual_place_is_looked_at(run: CliRunner, tmp_path: Path) -> None:
    result = run.invoke(app, ["runs", "list"], env={"HOME": str(tmp_path), "XDG_STATE_HOME": ""})
    assert result.exit_code == 0
    assert "No runs in ~/.local/state/veridical/traces yet." in result.stdout


@pytest.mark.postgres
def test_the_store_may_be_postgresql(run: CliRunner, postgres_url: str) -> None:
    opened = open_traces(postgres_url)
    opened.save(repaired_run())
    opened.close()
    assert "run-1" in run.invoke(app, ["runs", "list", "--store", postgres_url]).stdout
    shown = run.invoke(app, ["runs", "show", "run-1", "--store", postgres_url, "--tenant", "acme"])
    assert "repair attempt" in shown.stdout
    hidden = run.invoke(app, ["runs", "show", "run-1", "--store", postgres_url, "--tenant", "x"])
    assert hidden.exit_code == 2


def test_what_cannot_be_read_is_noted(run: CliRunner, store: str) -> None:
    file = Path(store) / "2026-11-15.jsonl"
    file.write_bytes(file.read_bytes()[:-30])
    result = run.invoke(app, ["runs", "show", "run-2", "--store", store])
    assert result.exit_code == 0
    assert f"Left out an unreadable event: {file}:14" in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "gone"], "There is no run gone"),
        (["show", "[red]", "--tenant", "acme"], "There is no run [red]"),
        (["show", "run-1", "--tenant", "globex"], "There is no run run-1"),
        (["list", "--store", "mysql://here"], "not to mysql://"),
        (["list", "--store", "postgresql://ada:hush@/gone?host=/nowhere"], "can't reach"),
        (["list", "--limit", "0"], "limit"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    run: CliRunner, store: str, arguments: list[str], told: str
) -> None:
    result = run.invoke(app, ["runs", *arguments], env={VARIABLE: store})
    assert result.exit_code == 2
    assert told in result.output
    assert "hush" not in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("Person asked: call (call:1)", "Decision on call: denied, by Grace")),
        ("de", ("Mensch gefragt: Aufruf (call:1)", "Entscheid zu Aufruf: abgelehnt, von Grace")),
        ("zh", ("已询问人员：调用（call:1）", "关于调用的决定：已拒绝，由 Grace 作出")),
    ],
)
def test_what_people_decided_is_told(
    run: CliRunner, tmp_path: Path, language: str, told: tuple[str, str]
) -> None:
    decision = Decision(approved=False, decided_by="Grace", evidence_hash="h", at=NOON)
    asked = PersonAsked(
        at=NOON, name="call:1", about=ItemKind.CALL, evidence_hash="h", reversible=False
    )
    decided = PersonDecided(at=NOON, name="call:1", about=ItemKind.CALL, decision=decision)
    silent = decision.model_copy(update={"approved": True, "automatic": True})
    alone = PersonDecided(at=NOON, name="evidence", about=ItemKind.EVIDENCE, decision=silent)
    events = (asked, decided, alone)
    JsonLines(tmp_path).save(AgentTrace(trace_id="run-3", events=events))
    shown = ["runs", "show", "run-3", "--store", str(tmp_path), "--language", language]
    lines = run.invoke(app, shown).stdout.splitlines()
    assert [line for line in lines if line in told] == list(told)
    by_nobody = lines[lines.index(told[1]) + 1]
    assert "Grace" not in by_nobody
