"""How a source is named in the settings, and which files stay as people left them."""

import pytest

from veridical.onboarding.project import Address, address_of

_PASSWORD = "SHOP_DATABASE_URL"


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("data/shop.db", Address("shop", "data/shop.db")),
        ("postgresql://ada@db/shop", Address("shop", "postgresql://ada@db/shop", "ada")),
        ("postgresql://ada:pw@db/shop", Address("shop", _PASSWORD, "ada", _PASSWORD)),
        ("postgresql:///shop?user=ada&password=pw", Address("shop", _PASSWORD, "", _PASSWORD)),
        ("mysql://ada@db/shop", Address("shop", "mysql://ada@db/shop")),
        ("mysql://ada:pw@db:3306/shop", Address("shop", _PASSWORD, "", _PASSWORD)),
        ("mariadb://ada:pw@db/shop", Address("shop", _PASSWORD, "", _PASSWORD)),
    ],
)
def test_only_an_engine_with_roles_is_asked_as_one(source: str, address: Address) -> None:
    assert address_of(source) == address


def test_a_role_that_was_named_is_the_one_to_ask_as() -> None:
    assert address_of("postgresql://ada@db/shop", role="reader").role == "reader"
    assert address_of("mysql://ada@db/shop", role="reader").role == ""
