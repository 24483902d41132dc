"""The front door: one line to open, the same answers as everywhere, clear words where it can't."""

import asyncio
import re
from pathlib import Path

import pytest

import veridical
from tests.sample import ACCOUNTANT, PACK
from veridical.testing import Script

_BALANCE = "What was the balance of account 1020 at the end of 2024?"
_FIGURE = "1,104,822.67"
_SQL = """SELECT "accountNumber", "closingBalance", "currency" FROM "TrusteeDataAccountBalance"
WHERE "accountNumber" = '1020' AND "periodYear" = 2024 AND "periodMonth" = 12"""
_SUMMED = 'SELECT SUM("closingBalance") FROM "TrusteeDataAccountBalance"'


def _settings(folder: Path, text: str) -> Path:
    path = folder / "veridical.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_program_that_awaits_asks_checks_runs_and_gates(books: str, tmp_path: Path) -> None:
    path = _settings(tmp_path, f'[[features]]\nname = "trustee"\ndatabase = "{books}"\n')

    async def program() -> None:
        async with veridical.open(path, caller=ACCOUNTANT) as client:
            assert client.features == ("trustee",)
            assert "TrusteeDataAccountBalance" in client.context(_BALANCE)
            answer = await client.ask(_BALANCE)
            assert answer.ok
            assert _FIGURE in answer.text
            refusal = client.check(_SUMMED)
            assert isinstance(refusal, veridical.Refusal)
            assert not refusal.ok
            verdict = client.check(_SQL)
            assert isinstance(verdict, veridical.CheckedQuery), verdict
            assert verdict.ok
            source = await client.run(verdict)
            assert source.receipt.row_count == 1
            assert not client.gate(f"It was {_FIGURE} CHF.", source, question=_BALANCE).is_marked
            assert client.gate("It was 1,104,900.00 CHF.", source, question=_BALANCE).is_marked
            assert client.gate(answer.text, answer, question=_BALANCE).ok

    asyncio.run(program())


def test_a_program_that_does_not_await_does_the_same(books: str) -> None:
    with veridical.open(pack="trustee", database=books, caller=ACCOUNTANT) as client:
        assert _FIGURE in client.ask(_BALANCE).text
        verdict = client.check(_SQL)
        assert isinstance(verdict, veridical.CheckedQuery)
        assert client.run(verdict).columns == ("accountNumber", "closingBalance", "currency")
        talk = client.conversation()
        assert "2025" in talk.ask("What was the revenue in 2025?").text
        assert "2024" in talk.ask("and 2024?").text
        assert len(talk.thread) == 2
        assert client.conversation(thread=talk.thread).ask("and 2023?").ok


def test_facts_are_stated_over_what_was_run(books: str) -> None:
    fact = {"say": "value", "measures": ["closingBalance"]}
    written = {"facts": {"b": fact}, "answer": "It stood at {b.value}."}
    with veridical.open(pack="trustee", database=books, caller=ACCOUNTANT) as client:
        verdict = client.check(_SQL)
        assert isinstance(verdict, veridical.CheckedQuery)
        stated = client.state(written, client.run(verdict), question=_BALANCE)
        given = client.toolbox().call("executeSqlSafe", {"sql": _SQL})
        assert client.state(written, given, question=_BALANCE).accepted
        guessed = client.state({**written, "answer": f"It stood at {_FIGURE}."}, given)
    assert stated.accepted, stated.refused
    assert _FIGURE in stated.text
    assert _FIGURE in stated.facts["b"].sentence
    assert [each.code for each in guessed.refused] == ["figure"]


def test_the_host_answers_by_itself_from_what_was_run(books: str) -> None:
    with veridical.open(pack=PACK, database=books, caller=ACCOUNTANT) as client:
        verdict = client.check(_SQL)
        assert isinstance(verdict, veridical.CheckedQuery)
        own = client.state(None, client.run(verdict), question=_BALANCE)
        nothing = client.state(None, [], question=_BALANCE)
    assert own.accepted
    assert _FIGURE in own.text
    assert {each.state for each in own.sentences} == {"exact"}
    assert (nothing.accepted, nothing.text) == (True, "")


def test_the_gate_knows_what_the_ontology_says_of_columns(books: str) -> None:
    every_month = _SQL.replace(' AND "periodMonth" = 12', ' AND "periodMonth" IN (11, 12)')
    with veridical.open(pack=PACK, database=books, caller=ACCOUNTANT) as client:
        verdict = client.check(every_month)
        assert isinstance(verdict, veridical.CheckedQuery), verdict
        source = client.run(verdict)
        total = sum(float(row[1]) for row in source.rows)
        told = f"Together they make {total:,.2f} CHF."
        assert client.gate(told, source).is_marked


def test_each_caller_reads_their_own_rows(books: str) -> None:
    other = veridical.Caller(
        scope=veridical.Scope({"mandateId": ("m-002",), "featureInstanceId": ("m-002-a",)})
    )
    with veridical.open(pack="trustee", database=books, caller=ACCOUNTANT) as client:
        assert _FIGURE in client.ask(_BALANCE).text
        assert _FIGURE not in client.ask(_BALANCE, caller=other).text


def test_a_model_of_ones_own_answers_and_is_marked(books: str) -> None:
    call = ("executeSqlSafe", {"sql": _SQL})
    script = Script([[call], f"The balance was CHF {_FIGURE}.", [call], "9,999.99", "8,888.88"])
    seen: list[object] = []
    question = "Why is account 1020 at that level at the end of 2024?"
    with veridical.open(
        pack="trustee", database=books, caller=ACCOUNTANT, model=script.model
    ) as client:
        right = client.ask(question, on_event=seen.append)
        wrong = client.ask(question)
    assert right.ok
    assert right.kind is veridical.AnswerKind.AGENT
    assert [each.tool for each in seen if isinstance(each, veridical.ToolCalled)] == [call[0]]
    assert any(isinstance(each, veridical.Progress) for each in seen)
    assert "9,999.99‹?›" in wrong.text


def test_the_tools_of_a_caller_are_there_for_an_agent_of_ones_own(books: str) -> None:
    with veridical.open(pack="trustee", database=books, caller=ACCOUNTANT) as client:
        tools = client.toolbox()
        refused = tools.call("executeSqlSafe", {"sql": _SUMMED})
        given = tools.call("executeSqlSafe", {"sql": _SQL})
        assert not refused.success
        assert given.success
        assert client.gate(f"It was {_FIGURE}.", given).ok


def test_settings_are_a_value_too(books: str) -> None:
    settings = veridical.RuntimeSettings(
        features=(
            veridical.FeatureSettings(name="here", pack="trustee", database=books),
            veridical.FeatureSettings(name="there", pack="trustee", database=books),
        )
    )
    with veridical.open(settings, caller=ACCOUNTANT) as client:
        assert client.ask(_BALANCE, feature="there").ok
        with pytest.raises(veridical.LoadError, match="here, there"):
            client.ask(_BALANCE)
        with pytest.raises(veridical.LoadError, match="elsewhere"):
            client.ask(_BALANCE, feature="elsewhere")


def test_data_of_tenants_needs_a_tenant(books: str) -> None:
    with (
        veridical.open(pack="trustee", database=books) as client,
        pytest.raises(veridical.LoadError, match="scope names the tenant"),
    ):
        client.check(_SQL)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("features = [", "veridical.toml: Invalid value"),
        ("modell = 'openai:gpt-5.2'\n", "modell"),
        ("[[features]]\nname = 'trustee'\n", "database"),
        ("timeout_seconds = 'soon'\n", "timeout_seconds"),
    ],
)
def test_a_broken_file_says_where(text: str, told: str, tmp_path: Path) -> None:
    path = _settings(tmp_path, text)
    with pytest.raises(veridical.LoadError, match=re.escape(told)):
        veridical.open(path)


def test_a_client_that_was_not_entered_says_how() -> None:
    context = veridical.open(database="sales.csv")
    with pytest.raises(AttributeError, match=r"with veridical\.open"):
        getattr(context, "ask")  # noqa: B009 (a type checker would report it)
    with pytest.raises(AttributeError, match="no attribute 'aks'"):
        getattr(context, "aks")  # noqa: B009


def test_a_file_of_data_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "sales.csv"
    file.write_text("region,amount\nnorth,120.50\nsouth,80.00\n", "utf-8")
    with veridical.open(database=str(file)) as client:
        assert not client.check("SELECT amuont FROM sales")
        verdict = client.check("SELECT SUM(amount) AS total FROM sales")
        assert verdict
        result = client.run(verdict)
        assert not client.gate("In total 200.50.", result).is_marked
        assert client.gate("In total 300.50.", result).is_marked
        assert client.ask("Who sold most?").kind is veridical.AnswerKind.UNKNOWN


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(veridical.LoadError, match="there is no such file"):
        veridical.open(tmp_path / "other.toml")
    with pytest.raises(veridical.LoadError, match="database is missing"):
        veridical.open(pack="trustee")
    with (
        pytest.raises(veridical.LoadError, match=r"\[\[features\]\]"),
        veridical.open(_settings(tmp_path, "")),
    ):
        pass
    with (
        pytest.raises(veridical.LoadError, match="no pack named shop"),
        veridical.open(pack="shop", database="postgresql://nowhere/shop"),
    ):
        pass
