"""A known question shows years as years, keys as keys, counts as counts, and sums without noise."""

import asyncio
import sqlite3
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.cli.main import app
from veridical.console.result_table import shown_rows
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.reading.shown import count, plain

KNOWN = """
feature_code: shop
entities:
- name: sale
  table: sale
  semantic_type: TRANSACTION
  fields:
  - {name: id, role: KEY, type: integer}
  - {name: amount, role: MEASURE, type: number}
  - {name: currency, role: UNIT, type: text}
  - {name: pieces, role: MEASURE, type: integer}
canonical_patterns:
"""
PATTERN = """
- intent: %s
  pattern: {tool: executeSqlSafe, sql: '%s'}
  questions: {en: ['%s']}
  asks: WHICH
  words: [{en: [%s]}]
  title: {en: %s}
"""
BY_YEAR = (
    "SELECT CAST(SUBSTR(day, 1, 4) AS INTEGER) AS year, currency, COUNT(*) AS sales,"
    " SUM(amount) AS amount FROM sale GROUP BY 1, 2 ORDER BY 1"
)
BY_KEY = (
    "SELECT customer + 0 AS customer_id, currency, SUM(amount) AS turnover FROM sale"
    " GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 2"
)
CENTS = {number: number * 7919 % 30011 for number in range(1, 301)}
AVERAGE = "SELECT currency, AVG(amount) AS mean FROM sale GROUP BY 1"


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def feature(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> FeatureSettings:
    folder = tmp_path_factory.mktemp("shop")
    path = folder / "shop.db"
    script = [
        "CREATE TABLE sale (id INTEGER PRIMARY KEY, customer INTEGER, day VARCHAR,"
        " amount DOUBLE, currency VARCHAR, pieces INTEGER)"
    ]
    for number, cents in CENTS.items():
        day = f"{2024 + number % 2}-{number % 12 + 1:02}-05"
        values = f"({number}, {4000 + number % 3}, '{day}', {cents / 100}, 'CHF', {number % 5})"
        script.append(f"INSERT INTO sale VALUES {values}")
    connect = sqlite3.connect if request.param == "sqlite" else duckdb.connect
    connection = connect(str(path))
    for statement in script:
        connection.execute(statement)
    connection.commit()
    connection.close()
    patterns = (
        ("BY_YEAR", BY_YEAR, "How are the sales by year?", "sales by year", "Sales by year"),
        ("BY_KEY", BY_KEY, "Who are the top customers?", "top customers", "Top customers"),
        ("MEAN", AVERAGE, "What is the mean sale?", "mean sale", "Mean sale"),
    )
    ontology = folder / "ontology.yaml"
    ontology.write_text(KNOWN + "".join(PATTERN % pattern for pattern in patterns))
    return FeatureSettings(name="shop", ontology=ontology, database=str(path))


def amount_of(year: int) -> Decimal:
    return Decimal(sum(cents for number, cents in CENTS.items() if 2024 + number % 2 == year)) / 100


def asked(feature: FeatureSettings, question: str) -> Answer:
    settings = RuntimeSettings(features=(feature,), agent=AgentSettings(model=""))

    async def run() -> Answer:
        async with open_runtime(settings) as runtime:
            session = runtime.session("shop", Caller(scope_of({}, WHOLE)))
            return await answer(Question(text=question, feature="shop"), session)

    return asyncio.run(run())


def test_years_are_years_and_counts_have_no_currency(feature: FeatureSettings) -> None:
    given = asked(feature, "How are the sales by year?")
    assert given.kind is AnswerKind.PATTERN, given
    assert given.proof is not None
    assert given.proof.verdict == "pass"
    assert given.text.splitlines()[2:] == [
        "| Year | Sales | Amount |",
        "| --- | --- | --- |",
        *(f"| {year} | 150 | CHF {amount_of(year):,.2f} |" for year in (2024, 2025)),
    ]


def test_keys_are_keys(feature: FeatureSettings) -> None:
    given = asked(feature, "Who are the top customers?")
    first = given.text.splitlines()[-2]
    assert first.startswith("| 400"), given.text
    assert first.count("CHF") == 1
    assert len(first.split(".")[1]) == len("00 |")


def test_a_mean_has_some_places_and_the_rows_have_no_noise(feature: FeatureSettings) -> None:
    given = asked(feature, "What is the mean sale?")
    mean = Decimal(sum(CENTS.values())) / 100 / len(CENTS)
    assert given.text == f"Mean sale: CHF {mean:.2f}"
    cells = [cell for source in given.sources for row in source.rows for cell in row]
    assert all(len(str(cell)) <= 16 for cell in cells), cells


def test_the_console_and_the_command_line_show_no_noise(
    feature: FeatureSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = ((2025.0, 50088.140000000014, 0.30000000000000004), (2024.0, 1.5, 0.1))
    told = [[cell.text for cell in row] for row in shown_rows(rows, Language.EN)]
    assert told == [["2025", "50,088.14", "0.3"], ["2024", "1.50", "0.1"]]
    monkeypatch.chdir(tmp_path)
    arguments = ["--database", feature.database, "--ontology", str(feature.ontology)]
    printed = CliRunner().invoke(app, ["ask", "How are the sales by year?", *arguments])
    assert f"{amount_of(2025)} " in printed.output, printed.output
    assert "000000" not in printed.output
    assert "999999" not in printed.output


@pytest.mark.parametrize(
    ("value", "as_count", "as_it_is"),
    [
        (50088.140000000014, "50,088.14", "50088.14"),
        (40975.60000000002, "40,975.6", "40975.6"),
        (12345678901.23, "12,345,678,901.23", "12345678901.23"),
        (2025.0, "2,025", "2025"),
        (1 / 3, "0.333333", "0.333333"),
        (0.00001234, "0.00001234", "0.00001234"),
        ("17.3333333333333333", "17.333333", "17.3333333333333333"),
        ("0.12345678", "0.12345678", "0.12345678"),
        ("2025-01", "2025-01", "2025-01"),
        (float("nan"), "nan", "nan"),
    ],
)
def test_noise_and_endless_fractions(value: object, as_count: str, as_it_is: str) -> None:
    assert count(value, Language.EN) == as_count
    assert plain(value) == as_it_is
