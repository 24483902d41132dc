"""A known question is answered where its result holds a month as text, or a figure under a title
that names a year."""

import asyncio
import sqlite3

import pytest

from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.question import Question
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings

KNOWN = """
feature_code: shop
entities:
- name: sale
  table: sale
  semantic_type: TRANSACTION
  fields:
  - {name: id, role: KEY, type: integer}
  - {name: day, role: TIME, type: date, grain: day}
  - {name: amount, role: MEASURE, type: number, unit: CHF}
canonical_patterns:
"""
PATTERN = """
- intent: %s
  pattern: {tool: executeSqlSafe, sql: '%s'}
  questions: {en: ['%s']}
  asks: %s
  words: [{en: ['%s']}]
  title: {en: %s}
"""
MONTH = "SUBSTR(day, 1, 7)"
BEST = f"FROM sale GROUP BY {MONTH} ORDER BY SUM(amount) DESC LIMIT 1"
PATTERNS = (
    ("BEST", f"SELECT {MONTH} AS month {BEST}",
     "Which was the best month?", "WHICH", "best month", "Best month"),
    ("PEAK", f"SELECT {MONTH} AS peak {BEST}",
     "When was the peak?", "WHICH", "the peak", "Peak"),
    ("TOP", f"SELECT {MONTH} AS month, SUM(amount) AS amount {BEST}",
     "Which was the top month?", "WHICH", "top month", "Top month"),
    ("SUMMIT", f"SELECT {MONTH} AS summit, SUM(amount) AS reached {BEST}",
     "What was the summit?", "HOW_MUCH", "summit", "Summit"),
    ("CURVE", f"SELECT {MONTH} AS m, SUM(amount) AS amount FROM sale GROUP BY {MONTH} ORDER BY 1",
     "How is the curve?", "WHICH", "curve", "Curve"),
    ("BEST_SUM", f"SELECT SUM(amount) AS amount {BEST}",
     "How much was sold in the strongest month?", "HOW_MUCH", "strongest month",
     "Sold in the strongest month"),
    ("ARR", "SELECT ROUND(SUM(amount) * 12, 2) AS arr FROM sale",
     "What is the ARR?", "HOW_MUCH", "ARR", "ARR 2025"),
    ("REST", "SELECT COALESCE(SUM(amount), 0) AS amount, COUNT(*) AS of_2025 FROM sale",
     "What is all of it?", "HOW_MUCH", "all of it", "All of 2025"),
    ("SEASON", "SELECT strftime(''%m'', day) AS m, SUM(amount) AS amount FROM sale GROUP BY 1"
     " ORDER BY 2 DESC LIMIT 1",
     "Which is the season?", "WHICH", "season", "Season"),
)  # fmt: skip


@pytest.fixture(scope="module")
def feature(tmp_path_factory: pytest.TempPathFactory) -> FeatureSettings:
    folder = tmp_path_factory.mktemp("shop")
    connection = sqlite3.connect(folder / "shop.db")
    connection.execute("CREATE TABLE sale (id INTEGER PRIMARY KEY, day TEXT, amount REAL)")
    rows = [(n, f"2025-{n % 4 + 1:02}-10", n * 1.1) for n in range(1, 41)]
    connection.executemany("INSERT INTO sale VALUES (?, ?, ?)", rows)
    connection.commit()
    connection.close()
    ontology = folder / "ontology.yaml"
    ontology.write_text(KNOWN + "".join(PATTERN % pattern for pattern in PATTERNS))
    return FeatureSettings(name="shop", ontology=ontology, database=str(folder / "shop.db"))


def asked(feature: FeatureSettings, question: str) -> Answer:
    settings = RuntimeSettings(features=(feature,), agent=AgentSettings(model=""))

    async def run() -> Answer:
        async with open_runtime(settings) as runtime:
            session = runtime.session("shop", Caller(scope_of({}, WHOLE)))
            return await answer(Question(text=question, feature="shop"), session)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which was the best month?", "Best month: January 2025"),
        ("When was the peak?", "Peak: January 2025"),
        ("Which was the top month?", "Top month: **January 2025**: CHF 242"),
        ("What was the summit?", "Summit: **January 2025**: CHF 242"),
        (
            "How is the curve?",
            "Curve:\n\nAmount fell from CHF 242 (January 2025) to **CHF 231** (April 2025), down"
            " CHF 11 (4.5%). It ranges from CHF 209 (February 2025) to CHF 242 (January 2025).\n\n"
            "| M | Amount |\n| --- | --- |\n| January 2025 | CHF 242 |\n| February 2025 | CHF 209 |"
            "\n| March 2025 | CHF 220 |\n| April 2025 | CHF 231 |",
        ),
        ("How much was sold in the strongest month?", "Sold in the strongest month: CHF 242"),
        ("What is the ARR?", "ARR 2025: 10,824"),
        ("What is all of it?", "All of 2025:\n\n- Amount: 902\n- Of 2025: 40"),
        ("Which is the season?", "Season: **01**: CHF 242"),
    ],
)
def test_a_month_is_shown_as_it_is_and_the_figure_beside_it_stands(
    feature: FeatureSettings, question: str, text: str
) -> None:
    given = asked(feature, question)
    assert given.kind is AnswerKind.PATTERN, given.text
    assert given.proof is not None
    assert given.proof.verdict == "pass", given.proof.findings
    assert given.text == text
