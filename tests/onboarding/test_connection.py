"""Data that is connected below a folder's settings, and removed from them again."""

import sqlite3
import stat
from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.engines.data_file import parse_data_file
from veridical.engines.stored_addresses import STORED_ADDRESSES, store_address
from veridical.host.settings import read_runtime_settings
from veridical.onboarding.budget import Budget
from veridical.onboarding.connection import (
    CONNECTED,
    Connection,
    connect,
    disconnect,
    keep_files,
    kind_of,
    suggested_name,
)
from veridical.onboarding.project import ONTOLOGY, remove_from_settings
from veridical.ontology.errors import SourceError

BEFORE = """# Ours.
[server]
port = 8001

[[features]]
name = "books"
database = "books.db"

[features.gate]
policy = "marked"
"""
CSV = b"day,shop,amount\n2024-01-31,North,10.50\n2024-02-29,South,20.00\n"


def _connected(connection: Connection) -> list[tuple[int, int]]:
    seen: list[tuple[int, int]] = []
    connect(connection, Budget(20), lambda done, total: seen.append((done, total)), Language.EN)
    return seen


def test_a_file_becomes_a_feature_beside_the_others_and_is_removed_again(tmp_path: Path) -> None:
    settings = tmp_path / SETTINGS_FILE
    settings.write_text(BEFORE)
    kept = keep_files(tmp_path, "sales", [parse_data_file("sales 2024.csv", CSV)])
    assert _connected(kept) == [(1, 1)]
    books, sales = read_runtime_settings(settings).features
    assert books.name == "books"
    assert sales.name == "sales"
    assert sales.ontology == tmp_path / CONNECTED / "sales" / ONTOLOGY
    assert [each.name for each in Path(sales.database).iterdir()] == ["sales_2024.parquet"]
    assert disconnect(tmp_path, "sales")
    assert settings.read_text().strip() == BEFORE.strip()
    assert not (tmp_path / CONNECTED / "sales").exists()
    assert not disconnect(tmp_path, "books")


def test_an_address_without_a_password_is_in_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as shop:
        shop.execute("CREATE TABLE sale (id INTEGER PRIMARY KEY, amount NUMERIC)")
        shop.execute("INSERT INTO sale VALUES (1, 5)")
    _connected(Connection(tmp_path, "shop", f"sqlite:///{path}"))
    (feature,) = read_runtime_settings(tmp_path / SETTINGS_FILE).features
    assert feature.database == f"sqlite:///{path}"
    assert not (tmp_path / STORED_ADDRESSES).exists()


def test_a_stored_address_is_for_its_owner_and_replaces_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = 'postgresql://ada:p\\w"ü@db/shop'
    store_address(tmp_path, "SHOP_DATABASE_URL", address)
    store_address(tmp_path, "OTHER_DATABASE_URL", "postgresql://x:y@z/w")
    path = tmp_path / STORED_ADDRESSES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    settings = tmp_path / SETTINGS_FILE
    settings.write_text('[[features]]\nname = "shop"\ndatabase = "SHOP_DATABASE_URL"\n')
    (feature,) = read_runtime_settings(settings).features
    assert feature.database == address
    assert address not in repr(feature)
    monkeypatch.setenv("SHOP_DATABASE_URL", "postgresql://ada:new@db/shop")
    (feature,) = read_runtime_settings(settings).features
    assert feature.database == "SHOP_DATABASE_URL"
    store_address(tmp_path, "SHOP_DATABASE_URL", None)
    assert "ada" not in path.read_text()


def test_settings_that_were_rewritten_by_hand_stay(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE
    path.write_text("features = [{name = 'shop', database = 'shop.db'}]\n")
    before = path.read_text()
    assert remove_from_settings(path, "shop") is None
    assert remove_from_settings(path, "nothing") is None
    assert path.read_text() == before


@pytest.mark.parametrize("address", ["/etc/passwd", "shop.db", "ftp://host/file", "nonsense"])
def test_only_addresses_with_a_scheme_are_databases(address: str) -> None:
    with pytest.raises(SourceError):
        kind_of(address)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("Sales 2024.csv", "Sales-2024"),
        ("2024.xlsx", "data-2024"),
        ("销售.csv", "data"),
        ("postgresql://ada:pw@db/shop", "shop"),
    ],
)
def test_a_name_is_suggested(source: str, name: str) -> None:
    assert suggested_name(source) == name
