"""Gold questions about a stranger's own data, with tenants of any name, or none."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.own_data.shop import make_shop
from veridical.cli.main import app
from veridical.evals.gold.case import Case, GoldSet, Oracle
from veridical.evals.gold.oracle import Truth, truth_of
from veridical.evals.scoring.record import Outcome
from veridical.evals.storage.folder import RunFolder

GOLD = Path(__file__).with_name("shop_gold.yaml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    return tmp_path


def ran(*options: str) -> list[bool]:
    result = CliRunner().invoke(
        app, ["eval", "run", "--modes", "product", "--out", "out", *options]
    )
    assert result.exit_code == 0, result.output
    return [each.score.outcome is Outcome.CORRECT for each in RunFolder(Path("out")).results.read()]


def test_a_file_of_gold_questions_an_ontology_and_a_database(folder: Path) -> None:
    database, ontology = make_shop(folder)
    found = ran("--gold", str(GOLD), "--database", database, "--ontology", str(ontology))
    assert found == [True, True]


def test_the_settings_file_names_them_all(folder: Path) -> None:
    make_shop(folder)
    (folder / "gold.yaml").write_text(GOLD.read_text("utf-8"), "utf-8")
    (folder / "veridical.toml").write_text(
        '[[features]]\nname = "shop"\ndatabase = "shop.db"\nontology = "ontology.yaml"\n'
        'gold = "gold.yaml"\n',
        "utf-8",
    )
    assert ran() == [True, True]


def test_tenants_have_any_names() -> None:
    asked: list[str] = []

    def run(sql: str) -> Truth:
        asked.append(sql)
        return Truth(("n",), ((1,),))

    case = Case.model_validate(
        {
            "id": "a",
            "question": "How many?",
            "language": "en",
            "expectedAnswerNumeric": ["n"],
            "truth": Oracle(sql="SELECT 1 AS n WHERE {client} = 'x' AND {shop} = 'y'"),
        }
    )
    gold = GoldSet(
        name="g",
        feature="f",
        today="2026-01-01",
        tenant=("o'hara", "7"),
        tenant_names=("client", "shop"),
        cases=(case,),
    )
    truth_of(case, gold, run)
    assert asked == ["SELECT 1 AS n WHERE 'o''hara' = 'x' AND '7' = 'y'"]
