import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.onboarding.hints import hints_at
from veridical.onboarding.names import nouns_of, singular, without_prefix, words_of


@pytest.mark.parametrize("name", ["InvoiceLineId", "invoice_line_id", "Invoice line ID"])
def test_spellings_of_a_name_are_the_same_words(name: str) -> None:
    assert words_of(name) == ("invoice", "line", "id")


@pytest.mark.parametrize(
    ("plural", "one"),
    [("categories", "category"), ("boxes", "box"), ("orders", "order"), ("status", "status")],
)
def test_nouns_lose_their_plural(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert nouns_of(f"raw_{plural}")[-1] == one


def test_letters_that_all_columns_begin_with_are_left_out() -> None:
    assert without_prefix(["l_orderkey", "l_partkey", "l_tax"])["l_tax"] == ("tax",)
    assert without_prefix(["order_id", "order_date", "total"])["order_id"] == ("order", "id")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("created_at", "time"),
        ("Buchungsdatum", "time"),
        ("交易时间", "time"),
        ("lagerbestand", "stock"),
        ("UnitPrice", "price"),
        ("余额", "stock"),
        ("is_deleted", "deleted"),
    ],
)
def test_names_hint(name: str, kind: str) -> None:
    assert hints_at(name, kind)


@pytest.mark.parametrize(
    ("name", "kind"), [("discount", "quantity"), ("account", "quantity"), ("paid", "key")]
)
def test_parts_of_english_words_hint_at_nothing(name: str, kind: str) -> None:
    assert not hints_at(name, kind)


@given(st.text(max_size=40))
def test_any_name_can_be_read(name: str) -> None:
    assert all(words_of(name))
    assert isinstance(hints_at(name, "time"), bool)
