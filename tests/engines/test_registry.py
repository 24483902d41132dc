"""The registry, and an engine from outside of the package in everything from check to answer."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import veridical
from tests.engines.json_lines import ENGINE
from veridical.cli.main import app
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.engines.registry import SHIPPED, UnknownSchemeError, addresses, engine_of, engines
from veridical.gate.proof_marks import SIGN
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.testing import Script

SHOP = Pack(
    "shop",
    OntologyDescriptor(feature_code="shop"),
    Schema.of([Table("orders", (Column("total", ValueType.NUMBER),))]),
    tenant_columns={"orders": ("tenant",)},
)
ALPHA = veridical.Caller(scope=veridical.Scope({"tenant": ("alpha",)}))
SUM: dict[str, Any] = {"tableName": "orders", "aggregate": "sum", "field": "total"}


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.jsonl"
    path.write_text(
        '{"tenant": "alpha", "total": 120.5}\n'
        '{"tenant": "alpha", "total": 80.0}\n'
        '{"tenant": "beta", "total": 999.0}\n',
        "utf-8",
    )
    return path


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers the engine through its entry points."""
    package = tmp_path / "site" / "json_lines_engine-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: json-lines-engine\nVersion: 1.0"
    )
    (package / "entry_points.txt").write_text(
        "[veridical.engines]\njsonl = tests.engines.json_lines:ENGINE\n"
    )
    monkeypatch.syspath_prepend(str(package.parent))


def _settings(database: Path | str, **more: Any) -> RuntimeSettings:
    feature = FeatureSettings(name="shop", database=str(database), **more)
    return RuntimeSettings((feature,), packs={"shop": SHOP}, engines=(ENGINE,))


def test_names_and_schemes_are_one_engine_s_alone() -> None:
    schemes = [scheme for kind in SHIPPED for scheme in kind.schemes]
    assert len(schemes) == len(set(schemes))
    assert len({kind.name for kind in SHIPPED}) == len(SHIPPED)


@pytest.mark.parametrize("language", Language)
def test_an_unknown_scheme_is_refused_with_what_is_known(language: Language) -> None:
    with pytest.raises(UnknownSchemeError) as caught:
        engine_of("oracle://scott:tiger@host/books")
    told = caught.value.message(language)
    assert "oracle://" in told
    assert all(each in told for each in addresses().split(", "))
    assert "tiger" not in told


def test_an_engine_that_was_added_is_asked_first(orders: Path) -> None:
    assert engine_of(str(orders)) is None
    assert engine_of(str(orders), (ENGINE,)) is ENGINE
    assert engine_of(f"jsonl:///{orders}", (ENGINE,)) is ENGINE
    assert next(engines((ENGINE,))) is ENGINE


def test_a_question_is_answered_on_an_engine_from_outside(orders: Path) -> None:
    script = Script([[("aggregateTable", SUM)], "The orders sum up to 200.50."])
    settings = _settings(orders, accept_rewriting_only=True)

    async def asking() -> None:
        async with veridical.open(settings, model=script.model, caller=ALPHA) as client:
            answer = await client.ask("What do our orders sum up to?")
            assert answer.kind is AnswerKind.AGENT, answer
            assert "200.50" in answer.text
            assert answer.sources[0].rows == ((200.5,),)
            assert '"main"."orders"' in (answer.sources[0].receipt.sql or "")
            refused = client.check("DELETE FROM orders")
            assert not refused.ok

    asyncio.run(asking())


def test_a_wrong_figure_is_marked_there_too(orders: Path) -> None:
    script = Script([[("aggregateTable", SUM)], "The orders sum up to 999.00."])
    settings = _settings(orders, accept_rewriting_only=True)
    with veridical.open(settings, model=script.model, caller=ALPHA) as client:
        answer = client.ask("What do our orders sum up to?")
    assert f"999.00{SIGN}" in answer.text


def test_tenants_without_row_policies_must_be_accepted(orders: Path) -> None:
    with pytest.raises(SetupError) as caught, veridical.open(_settings(orders), caller=ALPHA):
        pass
    assert caught.value.problem is SetupProblem.REWRITING_ONLY
    assert "accept_rewriting_only" in str(caught.value)


def test_a_role_is_refused_where_there_are_none(orders: Path) -> None:
    settings = _settings(orders, role="auditor", accept_rewriting_only=True)
    with pytest.raises(SetupError) as caught, veridical.open(settings, caller=ALPHA):
        pass
    assert caught.value.problem is SetupProblem.NO_ROLES


@pytest.mark.usefixtures("installed")
def test_an_installed_package_brings_an_engine(orders: Path, tmp_path: Path) -> None:
    address = f"jsonl:///{orders}"
    assert engine_of(address) is ENGINE
    assert engine_of(str(orders)) is ENGINE
    assert "jsonl:///PATH" in addresses()
    assert set(veridical.load_schema(address).tables) == {"orders"}
    query = tmp_path / "query.sql"
    query.write_text("SELECT SUM(total) FROM orders")
    done = CliRunner().invoke(app, ["check", str(query), "--schema", address])
    assert done.exit_code == 0, done.output


@pytest.mark.usefixtures("installed")
def test_an_address_of_ours_stays_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.engines.json_lines.ENGINE", "no engine at all")
    assert engine_of("postgresql://host/books") is SHIPPED[0]
    with pytest.raises(TypeError, match="not an EngineKind"):
        engine_of("jsonl:///x")
