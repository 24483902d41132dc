"""What a drafted project suggests reads as a person would ask it, and comes from its own data."""

import asyncio
import re
import socket
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.cli import server_process
from veridical.cli.error_reporting import out
from veridical.cli.main import app
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.onboarding.nouns import column_noun, plural, table_noun
from veridical.ontology.filling import filled
from veridical.ontology.load import load_ontology

TABLES = """
CREATE TABLE dim_customer (customer_key INTEGER PRIMARY KEY, name TEXT, region TEXT, status TEXT);
CREATE TABLE fact_sales (
    sales_key INTEGER PRIMARY KEY, customer_key INTEGER REFERENCES dim_customer (customer_key),
    region TEXT, order_date TEXT, total_amount REAL, pieces INTEGER);
CREATE TABLE stock (stock_id INTEGER PRIMARY KEY, product TEXT, on_hand INTEGER);
CREATE TABLE category (category_id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE rechnung (rechnung_id INTEGER PRIMARY KEY, datum TEXT, betrag REAL);
"""
REGIONS = ("North", "South", "West")
LANGUAGES = tuple(Language)
AWKWARD = (
    "statuss", "quantitys", "categorys", "total total", "many stock", "fact sales", "dim customer",
    "rechnungs", "top 5 region ", "customer key", "1000", "account", "Konto", "科目",
)  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("shop")
    connection = sqlite3.connect(folder / "shop.db")
    connection.executescript(TABLES)
    for n in range(1, 31):
        row = (n, f"Customer {n}", REGIONS[n % 3], ("active", "closed")[n % 2])
        connection.execute("INSERT INTO dim_customer VALUES (?, ?, ?, ?)", row)
        connection.execute("INSERT INTO stock VALUES (?, ?, ?)", (n, f"Product {n}", n * 7 % 50))
    for n in range(1, 201):
        day = f"{2018 + n % 3}-{n % 12 + 1:02}-{n % 27 + 1:02}"
        sale = (n, n % 30 + 1, REGIONS[n % 3], day, n * 1.37, n % 9)
        connection.execute("INSERT INTO fact_sales VALUES (?, ?, ?, ?, ?, ?)", sale)
        connection.execute("INSERT INTO rechnung VALUES (?, ?, ?)", (n, day, n * 3.11))
    connection.executemany(
        "INSERT INTO category VALUES (?, ?)", [(n, f"Title {n}") for n in range(1, 9)]
    )
    connection.commit()
    connection.close()
    told = CliRunner().invoke(app, ["init", str(folder / "shop.db"), "--folder", str(folder)])
    assert told.exit_code == 0, told.output
    return folder, told.output


def asked(folder: Path, question: str, language: Language) -> Answer:
    return all_asked(folder, (question,), language)[0]


def all_asked(folder: Path, texts: Iterable[str], language: Language) -> list[Answer]:
    feature = FeatureSettings(
        name="shop", ontology=folder / "ontology.yaml", database=str(folder / "shop.db")
    )
    settings = RuntimeSettings(features=(feature,), agent=AgentSettings(model=""))

    async def run() -> list[Answer]:
        async with open_runtime(settings) as runtime:
            caller = Caller(scope_of({}, WHOLE), language=language)
            session = runtime.session("shop", caller)
            return [await answer(Question(text=text, feature="shop"), session) for text in texts]

    return asyncio.run(run())


def questions(folder: Path, language: Language) -> dict[str, str]:
    ontology = load_ontology(str(folder / "ontology.yaml"))
    return {
        pattern.intent: filled(
            pattern.questions[language.value][0],
            {slot.name: slot.examples[0] for slot in pattern.slots},
        )
        for pattern in ontology.canonical_patterns
    }


def test_suggested_questions_read_well(project: tuple[Path, str]) -> None:
    folder, _ = project
    english = set(questions(folder, Language.EN).values())
    assert {
        "How many customers are there?",
        "How many categories are there?",
        "How many entries are there in stock?",
        "How many entries are there in rechnung?",
        "What is the total amount of sales?",
        "Which are the top 5 regions by total amount of sales?",
    } <= english, english
    for language in LANGUAGES:
        text = "\n".join(questions(folder, language).values())
        assert not [word for word in AWKWARD if word in text], text


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_suggested_question_is_answered(project: tuple[Path, str], language: Language) -> None:
    folder, _ = project
    known = questions(folder, language).values()
    for question, given in zip(known, all_asked(folder, known, language), strict=True):
        assert given.kind is AnswerKind.PATTERN, (question, given.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_to_go_on_is_shown_with_years_of_the_data(
    project: tuple[Path, str], language: Language
) -> None:
    folder, _ = project
    said = {
        Language.DE: "Was kann ich fragen?",
        Language.EN: "What can I ask?",
        Language.ZH: "我可以问什么？",
    }
    text = asked(folder, said[language], language).text
    assert not [word for word in AWKWARD if word in text], text
    assert "2019" in text.splitlines()[-1], text


def test_every_command_counts_open_decisions_alike(project: tuple[Path, str]) -> None:
    folder, told = project
    first = re.search(r"\((\d+) open\)", told)
    left = CliRunner().invoke(app, ["review", "--folder", str(folder)], input="q\n")
    last = re.search(r"(\d+) open", left.output.splitlines()[-1])
    assert first
    assert last
    assert first[1] == last[1], left.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_server_on_own_data_does_not_speak_of_a_sample(language: Language) -> None:
    own = FeatureSettings(name="shop", database="shop.db")
    with socket.create_server(("127.0.0.1", 0)) as listener, out.capture() as told:
        server_process._show_how(listener, "k", language, own)  # pyright: ignore[reportPrivateUsage]
    assert not [word for word in ("sample", "am Beispiel", "示例") if word in told.get()]


@pytest.mark.parametrize(
    ("name", "one", "many"),
    [
        ("status", "status", "statuses"),
        ("categories", "category", "categories"),
        ("FactOrderLines", "order line", "order lines"),
        ("customers_tbl", "customer", "customers"),
        ("stock", "stock", "stock"),
        ("person", "person", "people"),
        ("box", "box", "boxes"),
        ("day", "day", "days"),
        ("analysis", "analysis", "analyses"),
        ("fact", "fact", "facts"),
        ("客户", "客户", "客户"),
    ],
)
def test_tables_have_nouns(name: str, one: str, many: str) -> None:
    noun = table_noun(name)
    assert (noun.one, noun.many) == (one, many)


def test_keys_are_called_by_what_they_point_to() -> None:
    assert column_noun("customer_id").many == "customers"
    assert column_noun("region").many == "regions"
    assert plural("quantity") == "quantities"
