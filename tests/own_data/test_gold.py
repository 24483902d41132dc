"""A question that was asked and found right becomes a gold case and a known question."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.own_data.shop import ANSWER, QUESTION, make_shop
from veridical.cli.main import app
from veridical.evals.gold.load import read_gold
from veridical.ontology.ontology_file import read_ontology


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_TRACES", str(tmp_path / "traces"))
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    make_shop(tmp_path)
    (tmp_path / "veridical.toml").write_text(
        '[[features]]\nname = "shop"\ndatabase = "shop.db"\nontology = "ontology.yaml"\n'
        'gold = "gold.yaml"\n',
        "utf-8",
    )
    return tmp_path


def typed(*words: str, says: str = "") -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, words, input=says)


def asked(question: str = QUESTION) -> str:
    return json.loads(typed("ask", question, "--json").stdout)["traceId"]


def test_a_confirmed_answer_becomes_a_case_that_is_met(folder: Path) -> None:
    trace = asked()
    refused = typed("gold", "add", trace, "--gold", "gold.yaml", says="n\n")
    assert refused.exit_code == 2
    assert not Path("gold.yaml").exists()
    added = typed("gold", "add", trace, "--gold", "gold.yaml", says="y\n")
    assert added.exit_code == 0, added.output
    assert ANSWER in added.output
    run = typed("eval", "run", "--modes", "product", "--out", "out")
    assert run.exit_code == 0, run.output
    assert typed("gold", "add", asked(), "--gold", "gold.yaml", "--yes").exit_code == 0
    assert len({case.id for case in read_gold(Path("gold.yaml")).cases}) == 2


def test_a_pattern_is_added_and_the_comments_stay(folder: Path) -> None:
    trace = asked()
    ontology = Path("ontology.yaml")
    whole = ontology.read_text("utf-8")
    bare = whole[: whole.index("canonicalPatterns:")] + "# the end\n"
    ontology.write_text(bare, "utf-8")
    assert "unknown" in typed("ask", "What were the sales in 2025?").output
    added = typed("gold", "add", trace, "--gold", "g.yaml", "--pattern", str(ontology), "--yes")
    assert added.exit_code == 0, added.output
    text = ontology.read_text("utf-8")
    assert text.startswith("# A shop")
    assert "# the end" in text
    assert text.startswith(bare.removesuffix("# the end\n"))
    assert len(read_ontology(ontology).canonical_patterns) == 1
    again = typed("ask", "What were the sales in 2025?")
    assert "CHF 7" in again.output
    assert "pattern" in again.output


def test_what_was_not_answered_is_no_case(folder: Path) -> None:
    result = typed("gold", "add", asked("How is the weather?"), "--gold", "g.yaml", "--yes")
    assert result.exit_code == 2
    assert "not answered" in result.output
    unknown = typed("gold", "add", "nothing", "--gold", "g.yaml", "--yes")
    assert "No question with the trace nothing" in unknown.output
