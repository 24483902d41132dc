import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridical.cli.main import app
from veridical.ontology.context import SWITCH

SHOP = ("--ontology", "tests.ontology.small:ONTOLOGY")
SUM_OF_PRICES = {"tool": "aggregateTable", "tableName": "ShopStock", "aggregate": "sum",
                 "field": "unitPrice", "filters": [{"field": "month", "value": 12}]}  # fmt: skip


@pytest.fixture
def run() -> CliRunner:
    return CliRunner(env={"COLUMNS": "200"})


def written(path: Path, content: object) -> str:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, "utf-8")
    return str(path)


def test_a_good_call_passes(run: CliRunner, tmp_path: Path) -> None:
    sql = written(tmp_path / "q.sql", 'SELECT "supplierName" FROM "ShopArticle"')
    result = run.invoke(app, ["check", sql, *SHOP])
    assert result.exit_code == 0
    assert "PASS" in result.stdout


def test_a_bad_call_is_refused_with_a_hint(run: CliRunner, tmp_path: Path) -> None:
    call = written(tmp_path / "call.json", SUM_OF_PRICES)
    result = run.invoke(app, ["check", call, *SHOP])
    assert result.exit_code == 1
    assert "REFUSED" in result.stdout
    assert "INVALID_AGGREGATE_TARGET" in result.stdout
    assert "Don't add prices." in result.stdout


def test_the_correction_is_printed_and_passes(run: CliRunner, tmp_path: Path) -> None:
    sql = written(tmp_path / "q.sql", "SELECT supplierNam FROM ShopArticle")
    refused = run.invoke(app, ["check", sql, *SHOP, "--json"])
    assert refused.exit_code == 1
    details = json.loads(refused.stdout)["errorDetails"]
    assert details["suggestion"] == "supplierName"
    corrected = written(tmp_path / "corrected.json", details["correctedCall"])
    assert run.invoke(app, ["check", corrected, *SHOP]).exit_code == 0
    assert "Corrected call" in run.invoke(app, ["check", sql, *SHOP]).stdout


def test_json_of_a_pass_names_hashes_and_tables(run: CliRunner, tmp_path: Path) -> None:
    sql = written(tmp_path / "q.sql", 'SELECT "code" FROM "ShopArticle"')
    result = run.invoke(app, ["check", sql, *SHOP, "--json"])
    data = json.loads(result.stdout)
    assert data["success"] is True
    assert data["data"]["tables"] == ["ShopArticle"]
    assert len(data["data"]["ontologyHash"]) == 16


@pytest.mark.parametrize(("language", "word"), [("de", "ABGELEHNT"), ("zh", "已拒绝")])
def test_it_speaks_the_users_language(
    run: CliRunner, tmp_path: Path, language: str, word: str
) -> None:
    call = written(tmp_path / "call.json", SUM_OF_PRICES)
    result = run.invoke(app, ["check", call, *SHOP, "--language", language])
    assert word in result.stdout


def test_a_schema_alone_will_do(run: CliRunner, tmp_path: Path) -> None:
    ddl = written(tmp_path / "schema.sql", "CREATE TABLE t (a int)")
    good = written(tmp_path / "good.sql", "SELECT a FROM t")
    bad = written(tmp_path / "bad.sql", "SELECT b FROM t")
    assert run.invoke(app, ["check", good, "--schema", ddl]).exit_code == 0
    assert run.invoke(app, ["check", bad, "--schema", ddl]).exit_code == 1


def test_it_reads_standard_input(run: CliRunner) -> None:
    result = run.invoke(app, ["check", "-", *SHOP], input=json.dumps(SUM_OF_PRICES))
    assert result.exit_code == 1


def test_the_question_counts(run: CliRunner, tmp_path: Path) -> None:
    call = written(
        tmp_path / "call.json",
        {
            "tool": "queryTable",
            "tableName": "TrusteeDataJournalLine",
            "fields": ["debitAmount", "currency"],
            "filters": [{"field": "accountNumber", "value": "1020"}],
        },
    )
    asked = ["check", call, "--ontology", "pack:trustee", "--json", "--question"]
    balance = run.invoke(app, [*asked, "What is the balance of account 1020?"])
    assert "WRONG_TABLE_FOR_PURPOSE" in balance.stdout
    postings = run.invoke(app, [*asked, "Show the postings on account 1020"])
    assert "WRONG_TABLE_FOR_PURPOSE" not in postings.stdout


def test_the_switch_turns_the_ontologys_rules_off(run: CliRunner, tmp_path: Path) -> None:
    call = written(tmp_path / "call.json", SUM_OF_PRICES)
    assert run.invoke(app, ["check", call, *SHOP], env={SWITCH: "1"}).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["{sql}"], "--ontology or --schema"),
        (["missing.sql", *SHOP], "File not found: missing.sql"),
        (["{sql}", "--ontology", "pack:nothing"], "no pack 'nothing'"),
        (["{sql}", "--schema", "nowhere.sql"], "nothing found at"),
        (["{broken}", *SHOP], "neither a tool call as JSON nor SQL"),
        (["{sql}", "--schema", "postgresql:///gone?host=/nowhere"], "no schema behind"),
        (["{sql}", "--schema", "duckdb:////nowhere/gone.duckdb"], "no schema behind"),
        (["{sql}", "--schema", "oracle://here/db"], "no database engine for oracle://"),
        (["{sql}", *SHOP, "--language", "fr"], "fr"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    run: CliRunner, tmp_path: Path, arguments: list[str], told: str
) -> None:
    files = {
        "sql": written(tmp_path / "q.sql", "SELECT 1"),
        "broken": written(tmp_path / "broken.json", '{"tool": "fly"}'),
    }
    result = run.invoke(app, ["check", *(each.format(**files) for each in arguments)])
    assert result.exit_code == 2
    assert told in result.output
    assert "Traceback" not in result.output


def test_bad_input_is_told_in_one_sentence(tmp_path: Path) -> None:
    junk = tmp_path / "junk.sql"
    junk.write_bytes(b"\xff\xfe\x00SELECT")
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"tool": "queryTable", "tableName": 7}')
    for source, word in ((junk, "UTF-8"), (wrong, "tableName")):
        result = CliRunner().invoke(app, ["check", str(source), "--ontology", "pack:trustee"])
        assert result.exit_code == 2
        assert word in result.output.replace("\n", "")


def test_codes_are_never_cut(tmp_path: Path) -> None:
    query = tmp_path / "query.sql"
    query.write_text('SELECT SUM("closingBalance") FROM "TrusteeDataAccountBalance"')
    result = CliRunner().invoke(app, ["check", str(query), "--ontology", "pack:trustee"])
    assert "INVALID_AGGREGATE_TARGET" in result.output
    assert "MISSING_REQUIRED_FILTER" in result.output
