"""A database that is another one is told apart; one without tenants needs none."""

import asyncio
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from veridical.agent.settings import AgentSettings
from veridical.cli.error_reporting import UsageError
from veridical.cli.main import app
from veridical.cli.runtime import local_caller
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.language import Language
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.ontology.pack import load_pack
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import ACTIONS, Identity, Role

SHOP = b"""
CREATE TABLE orders (id integer PRIMARY KEY, customer text, total numeric);
CREATE TABLE note (id integer PRIMARY KEY, text text);
INSERT INTO orders VALUES (1, 'Huber', 12.5), (2, 'Keller', 30);
"""
PACK = """
from veridical import OntologyDescriptor, Pack
from veridical.contracts.schema import Schema
from veridical.ontology.model import Entity

def entity(name):
    return Entity(name=name, table=name, semantic_type="TRANSACTION")

def pack(name, *tables, **parts):
    ontology = OntologyDescriptor(feature_code=name, entities=tuple(map(entity, tables)))
    return Pack(name, ontology, Schema(), **parts)

shop = pack("shop", "orders")
bigger = pack("bigger", "orders", "invoice", "payment")
shared = pack("shared", "orders", shared_tables=frozenset({"note"}))
scoped = pack("scoped", "orders", tenant_columns={"orders": ("customer",)})
"""
ENTRIES = "[veridical.packs]\n" + "".join(
    f"{name} = shop_packs:{name}\n" for name in ("shop", "bigger", "shared", "scoped")
)


@pytest.fixture(autouse=True)
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "installed"
    (installed / "shop_packs-1.0.dist-info").mkdir(parents=True)
    (installed / "shop_packs.py").write_text(PACK)
    (installed / "shop_packs-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: shop-packs\nVersion: 1.0\n"
    )
    (installed / "shop_packs-1.0.dist-info" / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def shop(postgres_server: LocalPostgres) -> str:
    url = postgres_server.create_database("c20_shop")
    with psycopg.connect(url) as connection:
        connection.execute(SHOP)
    return url


def _feature(name: str, url: str) -> FeatureSettings:
    return FeatureSettings(name=name, database=url, role="")


def _open(feature: FeatureSettings, caller: Caller) -> tuple[dict[str, tuple[str, ...]], bool]:
    async def asking() -> tuple[dict[str, tuple[str, ...]], bool]:
        settings = RuntimeSettings((feature,), agent=AgentSettings(model=""))
        async with open_runtime(settings) as runtime:
            toolbox = runtime.feature(feature.name).toolbox(caller)
            result = toolbox.call("queryTable", {"tableName": "orders", "fields": ["id"]})
            return dict(runtime.missing_tables), result.success

    return asyncio.run(asking())


@pytest.mark.parametrize("language", Language)
def test_c20_a_database_without_the_tables_is_told(shop: str, language: Language) -> None:
    with pytest.raises(SetupError) as caught:
        _open(_feature("trustee", shop), Caller())
    assert caught.value.problem is SetupProblem.NO_TABLES
    told = caught.value.message(language)
    assert "orders" in told
    assert "TrusteeData" in told


def test_c20_ask_says_so(shop: str) -> None:
    words = ["ask", "Saldo?", "--feature", "trustee", "--database", shop, "--role", ""]
    done = CliRunner().invoke(app, [*words, "--scope", "mandateId=m-001"])
    assert done.exit_code == 2, done.output
    assert "orders" in done.stderr


def test_c20_tables_that_are_missing_are_named(shop: str) -> None:
    missing, answered = _open(_feature("bigger", shop), _caller("bigger", shop))
    assert missing == {"bigger": ("invoice", "payment")}
    assert answered
    done = CliRunner().invoke(
        app, ["ask", "hello", "--feature", "bigger", "--database", shop, "--role", ""]
    )
    assert "invoice, payment" in done.stderr


def _caller(pack: str, url: str, *scope: str) -> Caller:
    return local_caller(_feature(pack, url), list(scope), Language.EN)


def test_c20_a_database_without_tenants_is_the_callers(shop: str) -> None:
    assert _open(_feature("shop", shop), _caller("shop", shop)) == ({}, True)


@pytest.mark.parametrize("pack", ["trustee", "shared", "scoped"])
def test_c20_where_tenants_are_declared_one_must_be_named(shop: str, pack: str) -> None:
    with pytest.raises(UsageError, match="--scope"):
        _caller(pack, shop)


@pytest.mark.parametrize(
    ("pack", "scope"),
    [("shop", "dummy=1"), ("shared", "dummy=1"), ("scoped", "dummy=1")],
)
def test_c20_with_a_tenant_no_table_is_open_by_itself(shop: str, pack: str, scope: str) -> None:
    _, answered = _open(_feature(pack, shop), _caller(pack, shop, scope))
    assert not answered


@pytest.mark.parametrize("pack", ["shared", "scoped"])
def test_c20_nobody_reads_tenants_rows_without_a_scope(shop: str, pack: str) -> None:
    anybody = Caller(scope=scope_of({}, load_pack(pack).open_tables))
    _, answered = _open(_feature(pack, shop), anybody)
    assert not answered


@pytest.mark.parametrize(("pack", "answers"), [("shop", True), ("scoped", False)])
def test_c20_the_server_gives_the_whole_only_where_there_are_no_tenants(
    shop: str, pack: str, answers: bool
) -> None:
    who = Identity("t", "somebody", Role.ANALYST, ACTIONS[Role.ANALYST], scope={pack: {}})
    caller = who.caller(pack, Language.EN, load_pack(pack).open_tables)
    assert _open(_feature(pack, shop), caller)[1] is answers
    assert WHOLE - scope_of({"customer": ("Huber",)}, WHOLE).shared == WHOLE
