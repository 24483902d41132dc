"""``veridical search`` on a real database: files in, passages out."""

import json
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from veridical.cli.main import app
from veridical.contracts.search_result import HybridResult
from veridical.store.migrate import upgrade

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
run = CliRunner().invoke


@pytest.fixture(scope="module")
def url(postgres_url: str) -> str:
    upgrade(postgres_url)
    with psycopg.connect(postgres_url) as connection:
        connection.execute(
            "INSERT INTO veridical.tenants (id, name, scope) VALUES ('acme', 'acme', '{}')"
        )
    return postgres_url


def _options(url: str, tenant: str = "acme") -> list[str]:
    return ["--collection", "contracts", "--tenant", tenant, "--database", url]


def test_files_are_ingested_and_found(url: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Lease\n\nThe notice period is three months.\n", "utf-8")
    (tmp_path / "b.md").write_text(
        "# Mietvertrag\n\nDie Kündigungsfrist beträgt sechs Wochen.\n", "utf-8"
    )
    (tmp_path / "c.pdf").write_bytes(b"no PDF")
    done = run(app, ["search", "ingest", str(tmp_path), *_options(url), "--json", "--tag", "legal"])
    assert done.exit_code == 1, done.output  # one file failed
    told = json.loads(done.stdout)
    assert told["summary"] == {
        "ingestedCount": 2,
        "failedCount": 1,
        "pendingCount": 0,
        "successRatio": round(2 / 3, 4),
    }
    assert [Path(each).name for each in told["reasons"]] == ["c.pdf"]

    same = ["search", "ingest", str(tmp_path / "a.md"), *_options(url), "--tag", "legal"]
    again = run(app, same)
    assert again.exit_code == 0, again.output
    assert "1 of 1 files ingested" in again.stdout
    assert "0 new chunks" in again.stdout

    found = run(app, ["search", "find", "Fristen der Kündigung", *_options(url), "--json"])
    assert found.exit_code == 0, found.output
    first = json.loads(found.stdout)[0]
    assert first["source"].endswith("b.md")
    assert first["policyTags"] == ["legal"]
    assert first["legs"]["lexical"]["rank"] == 1
    shown = run(app, ["search", "find", "notice period", *_options(url)])
    assert "three months" in shown.stdout


def test_what_goes_wrong_is_told(url: str, tmp_path: Path) -> None:
    nothing = run(app, ["search", "ingest", str(tmp_path), *_options(url)])
    assert nothing.exit_code != 0
    assert "No readable file" in nothing.output
    (tmp_path / "a.txt").write_text("text", "utf-8")
    nobody = run(app, ["search", "ingest", str(tmp_path), *_options(url, "nobody")])
    assert nobody.exit_code != 0
    assert "no tenant nobody" in nobody.output
    unheard = run(app, ["search", "find", "unheard", *_options(url)])
    assert unheard.exit_code == 0
    assert "Nothing found" in unheard.output


def test_a_ranking_is_drawn_and_told(url: str, tmp_path: Path) -> None:
    old = "---\ndate: 2001-05-01\n---\n# Old notice\n\nThe notice period was a year.\n"
    (tmp_path / "old.md").write_text(old, "utf-8")
    (tmp_path / "new.md").write_text("# Notice\n\nThe notice period is six weeks.\n", "utf-8")
    options = ["--collection", "ranked", "--tenant", "acme", "--database", url]
    run(app, ["search", "ingest", str(tmp_path), *options])
    asked = ["search", "find", "How long is the notice period?", *options, "--explain"]
    told = run(app, [*asked, "--json"])
    assert told.exit_code == 0, told.output
    result = HybridResult.model_validate_json(told.stdout)
    assert len(result.top_k) == 1
    assert [each.reason for each in result.flags.debug.pre_filter.dropped] == ["stale"]
    drawn = run(app, asked)
    assert drawn.exit_code == 0, drawn.output
    for part in ("six weeks", "lexical 1", "+100.0", "█", "Left out", "stale", "internal"):
        assert part in drawn.stdout
    evergreen = run(app, [*asked, "--freshness", "law_evergreen", "--json"])
    assert len(HybridResult.model_validate_json(evergreen.stdout).ranked) == 2
    away = [*asked[:-2], "postgresql://nobody@127.0.0.1:1/none", "--explain"]
    flagged = run(app, away)
    assert flagged.exit_code == 0, flagged.output
    assert "could not be reached" in flagged.stdout


@pytest.mark.parametrize("index", ["lancedb", "qdrant"])
def test_another_index_is_a_setting(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: str
) -> None:
    """Qdrant by its client's local mode, in a folder: contract only."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "a.md").write_text("# Lease\n\nThe notice period is three months.\n", "utf-8")
    place = ["--collection", index, "--tenant", "acme", "--database", url]
    monkeypatch.setenv("VERIDICAL_SEARCH_INDEX", index)
    incomplete = run(app, ["search", "find", "notice", *place])
    assert incomplete.exit_code != 0
    assert "needs index_address" in incomplete.output
    monkeypatch.setenv("VERIDICAL_SEARCH_INDEX_ADDRESS", str(tmp_path / "index"))
    done = run(app, ["search", "ingest", str(files), *place, "--processes", "1"])
    assert "1 of 1 files ingested" in done.stdout, done.output
    find = ["search", "find", "notice periods", *place, "--json"]
    found = json.loads(run(app, find).stdout)
    assert [Path(each["source"]).name for each in found] == ["a.md"]
    if index == "lancedb":
        monkeypatch.setenv("VERIDICAL_SEARCH_INDEX_ADDRESS", str(files / "a.md"))
        for command in (["search", "ingest", str(files), *place, "--processes", "1"], find):
            away = run(app, command)
            assert away.exit_code != 0
            assert "The index lancedb can't be reached" in " ".join(away.output.split())
    monkeypatch.delenv("VERIDICAL_SEARCH_INDEX")
    elsewhere = run(app, find)
    assert elsewhere.exit_code != 0
    assert "veridical search rebuild" in " ".join(elsewhere.output.split())
    rebuilt = run(app, ["search", "rebuild", *place])
    assert "1 chunks in the index postgres" in rebuilt.stdout, rebuilt.output
    again = json.loads(run(app, find).stdout)
    assert [each["chunk"] for each in again] == [each["chunk"] for each in found]
    nowhere = ["search", "rebuild", "--collection", "none", "--tenant", "acme", "--database", url]
    assert "no collection none" in run(app, nowhere).output
