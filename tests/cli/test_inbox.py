"""``veridical inbox``, as an operator types it."""

import json

import pytest
from typer.testing import CliRunner

from tests.runs.inboxes import ACME, GLOBEX, asked_about, kept, needed, waiting
from veridical.cli.main import app
from veridical.contracts.person import ItemKind, PersonNeeded
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.inbox import Inbox
from veridical.runs.settings import RunsSettings
from veridical.store.audit import entries
from veridical.store.connection import Store

__all__ = ["kept"]

pytestmark = pytest.mark.postgres

UNCLEAR = needed(ItemKind.CLARIFICATION, question="Wie hoch?\x1b[2J", asked="Per wann?")
CALL = needed(ItemKind.CALL, tool="executeSqlSafe")


@pytest.fixture(scope="module")
def run(kept: Store, postgres_url: str) -> CliRunner:
    prepare_engine(RunsSettings(database_url=postgres_url))
    environment = {"COLUMNS": "220", "VERIDICAL_RUNS_DATABASE_URL": postgres_url}
    return CliRunner(env=environment)


def asks(store: Store, asked: PersonNeeded | None = None, tenant: str = ACME) -> tuple[str, str]:
    """A run that waits, and what it waits for."""
    return asked_about(Inbox(store), store, asked, tenant)


def test_what_waits_is_listed_for_all_tenants_or_for_one(run: CliRunner, kept: Store) -> None:
    _, ours = asks(kept)
    _, theirs = asks(kept, tenant=GLOBEX)
    listed = run.invoke(app, ["inbox", "list"]).stdout
    assert ours in listed
    assert theirs in listed
    assert "evidence" in listed
    told = json.loads(run.invoke(app, ["inbox", "list", "--tenant", GLOBEX, "--json"]).stdout)
    assert [each["id"] for each in told] == [theirs]
    assert "subject" not in told[0]
    one = json.loads(run.invoke(app, ["inbox", "list", "--limit", "1", "--json"]).stdout)
    page = ["inbox", "list", "--limit", "1", "--before", one[0]["id"], "--json"]
    assert [each["id"] for each in json.loads(run.invoke(app, page).stdout)] == [ours]


def test_an_item_is_shown_whole_and_can_not_steer_the_terminal(run: CliRunner, kept: Store) -> None:
    run_id, item = asks(kept, UNCLEAR)
    shown = run.invoke(app, ["inbox", "show", item, "--language", "de"]).stdout
    assert run_id in shown
    assert UNCLEAR.evidence_hash[:16] in shown
    assert "Per wann?" in shown
    assert "abgelehnt, wenn niemand entscheidet" in shown
    assert "\x1b[2J" not in shown
    told = json.loads(run.invoke(app, ["inbox", "show", item, "--json"]).stdout)
    assert told["subject"] == UNCLEAR.subject


def test_on_a_narrow_terminal_all_that_is_to_be_copied_stays_in_one_piece(
    run: CliRunner, kept: Store
) -> None:
    columns, rows = ["account", "amount"], [["1020", 5.5], ["1030", None]]
    result = {"tool": "queryTable", "arguments": {"a": 1}, "columns": columns, "rows": rows}
    asked = needed(results=[{**result, "receipt": {"rowCount": 2000}}])
    run_id, item = asks(kept, asked)
    assert item in run.invoke(app, ["inbox", "list"], env={"COLUMNS": "80"}).stdout
    shown = run.invoke(app, ["inbox", "show", item], env={"COLUMNS": "80"}).stdout
    assert run_id in shown
    assert asked.evidence_hash[:16] in shown
    assert '0: queryTable {"a": 1}' in shown
    assert ["1020", "5.5"] in [line.split() for line in shown.splitlines()]
    assert "2000 rows in total" in shown


def test_a_decision_is_kept_with_who_made_it(run: CliRunner, kept: Store) -> None:
    run_id, item = asks(kept)
    shown = needed().evidence_hash[:8]
    decided = run.invoke(
        app, ["inbox", "decide", item, "--approve", "--result", "1", "--evidence", shown]
    )
    assert decided.exit_code == 0, decided.output
    decision = Inbox(kept).settled(run_id, ACME, needed())
    assert decision.approved
    assert decision.choice == {"results": [1]}
    assert decision.decided_by.startswith("operator")
    with kept.tenant(ACME) as connection:
        assert entries(connection, 1)[0].subject == item
    listed = json.loads(run.invoke(app, ["inbox", "list", "--all", "--json"]).stdout)
    assert next(each["status"] for each in listed if each["id"] == item) == "decided"
    assert item not in run.invoke(app, ["inbox", "list"]).stdout
    told = run.invoke(app, ["inbox", "show", item]).stdout
    assert f"approved, {decision.decided_by}, 20" in told
    assert '{"results": [1]}' in told


def test_a_clarification_is_answered_in_words(run: CliRunner, kept: Store) -> None:
    run_id, item = asks(kept, UNCLEAR)
    typed = ["inbox", "decide", item, "--approve", "--evidence", UNCLEAR.evidence_hash]
    refused = run.invoke(app, [*typed, "--language", "de"])
    assert refused.exit_code == 2
    assert "höchstens 4000 Zeichen" in refused.stderr
    assert run.invoke(app, [*typed, "--text", "Ende 2024"]).exit_code == 0
    assert Inbox(kept).settled(run_id, ACME, UNCLEAR).choice == {"text": "Ende 2024"}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--deny", "--evidence", "0" * 64], "changed since it was shown"),
        (["--deny", "--evidence", CALL.evidence_hash[:7]], "changed since it was shown"),
        (["--evidence", CALL.evidence_hash], "--approve or --deny"),
        (["--approve", "--result", "0", "--evidence", CALL.evidence_hash], "does not match"),
    ],
)
def test_a_mistake_is_told_and_decides_nothing(
    run: CliRunner, kept: Store, more: list[str], told: str
) -> None:
    run_id, item = asks(kept, CALL)
    result = run.invoke(app, ["inbox", "decide", item, *more])
    assert result.exit_code == 2
    assert told in result.stderr
    waiting(Inbox(kept), run_id, CALL)


def test_an_item_that_is_not_there(run: CliRunner) -> None:
    for command in (["show", "x"], ["decide", "x", "--deny", "--evidence", "00000000"]):
        result = run.invoke(app, ["inbox", *command, "--language", "zh"])
        assert result.exit_code == 2
        assert "待办中没有该事项" in result.stderr


def test_nothing_waits(run: CliRunner) -> None:
    result = run.invoke(app, ["inbox", "list", "--tenant", "nobody", "--language", "de"])
    assert result.stdout.strip() == "Keine offenen Entscheidungen."


def test_search_results_are_shown_with_score_and_address(run: CliRunner, kept: Store) -> None:
    found = {
        "candidateId": "doc-1",
        "score": 92.5,
        "title": "Residency rules",
        "url": "https://agency.gov/rules",
        "reason": "Names the place",
    }
    _, item = asks(kept, needed(name="search.top_k", results=[found]))
    shown = run.invoke(app, ["inbox", "show", item, "--language", "en"]).stdout
    assert "0: 92.5 Residency rules https://agency.gov/rules" in shown
    assert "Names the place" in shown
