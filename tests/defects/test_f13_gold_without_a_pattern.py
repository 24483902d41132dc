"""Where ``gold add`` can't make a known question of what was asked, it says what to do instead."""

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from tests.own_data.shop import QUESTION, make_shop
from veridical.cli.main import app
from veridical.contracts.language import Language
from veridical.ontology.ontology_file import read_ontology

ROOT = Path(__file__).parents[2]
LARGEST = "What are the 2 largest sales?"
PATTERN = """- intent: LARGEST_SALES
  pattern:
    tool: queryTable
    tableName: sale
    fields: [sku, amount, currency]
    orderBy: [{field: amount, direction: desc}]
    limit: '{count}'
  slots:
  - {name: count, type: integer, kind: COUNT}
  questions: {en: ['What are the {count} largest sales?']}
"""


@pytest.fixture
def ontology(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_TRACES", str(tmp_path / "traces"))
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    make_shop(tmp_path)
    (tmp_path / "veridical.toml").write_text(
        '[[features]]\nname = "shop"\ndatabase = "shop.db"\nontology = "ontology.yaml"\n'
    )
    return tmp_path / "ontology.yaml"


def _typed(*words: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, words)


def _asked(question: str) -> str:
    return json.loads(_typed("ask", question, "--json").stdout)["traceId"]


def _added(trace: str, language: Language = Language.EN) -> Result:
    words = ("gold", "add", trace, "--gold", "g.yaml", "--pattern", "ontology.yaml", "--yes")
    return _typed(*words, "--language", language.value)


def test_f13_a_draft_is_printed_that_a_person_can_finish(ontology: Path) -> None:
    bare = ontology.read_text("utf-8")
    ontology.write_text(bare + PATTERN, "utf-8")
    trace = _asked(LARGEST)
    ontology.write_text(bare, "utf-8")

    refused = _added(trace)

    assert refused.exit_code == 2
    assert not Path("g.yaml").exists()
    assert ontology.read_text("utf-8") == bare
    told, _, draft = refused.stderr.partition("canonicalPatterns:\n")
    for word in ("--pattern", "ontology.yaml", "canonicalPatterns", "slots", "words"):
        assert word in told
    (item,) = yaml.safe_load(draft)
    assert item["pattern"]["limit"] == 2
    finished = draft.replace("limit: 2", "limit: '{count}'").replace(
        LARGEST, LARGEST.replace("2", "{count}")
    )
    slots = "  slots:\n  - {name: count, type: integer, kind: COUNT}\n"
    ontology.write_text(bare + finished + slots, "utf-8")
    assert len(read_ontology(ontology).canonical_patterns) > 1
    assert "20" in _typed("ask", LARGEST).output
    without = _typed("gold", "add", trace, "--gold", "g.yaml", "--yes")
    assert without.exit_code == 0, without.output


@pytest.mark.parametrize("language", Language)
def test_f13_a_question_that_is_known_already_is_named(ontology: Path, language: Language) -> None:
    refused = _added(_asked(QUESTION), language)
    assert refused.exit_code == 2
    for word in ("SALES_IN_YEAR", "ontology.yaml", "--pattern"):
        assert word in refused.stderr
    assert not Path("g.yaml").exists()


def test_f13_the_page_that_messages_name_explains_it() -> None:
    page = (ROOT / "docs" / "how-to" / "known-questions.md").read_text("utf-8")
    assert "`gold add`" in page
