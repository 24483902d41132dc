import time

import pytest

from tests.ontology.small import ONTOLOGY, large_ontology
from veridical.contracts.caller import Permissions
from veridical.ontology.slice import OntologyIndex, index_ontology, slice_ontology

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shop() -> OntologyIndex:
    return index_ontology(ONTOLOGY)


@pytest.fixture(scope="module")
def large() -> OntologyIndex:
    return index_ontology(large_ontology(10_000))


@pytest.mark.parametrize(
    ("question", "entity"),
    [
        ("How much stock do we have?", "Stock"),
        ("Wie gross ist das Lager?", "Stock"),
        ("我们的库存有多少？", "Stock"),
        ("what is our inventry worth", "Stock"),
        ("Lagerbestandsübersicht", "Stock"),
        ("Wer ist der beste Käufer?", "Sale"),
        ("Wer ist der beste Kaeufer?", "Sale"),
        ("哪个客户买得最多？", "Sale"),
        ("Welcher Haendler liefert den Artikel?", "Article"),
        ("which supplier do we use", "Article"),
    ],
)
def test_a_question_finds_its_entity(shop: OntologyIndex, question: str, entity: str) -> None:
    assert slice_ontology(shop, question).core[0] == entity


def test_a_subclass_brings_its_table(shop: OntologyIndex) -> None:
    assert {"FreshFood", "Article"} <= set(slice_ontology(shop, "Frischware").core)


def test_join_partners_are_near(shop: OntologyIndex) -> None:
    found = slice_ontology(shop, "inventory", limit=1)
    assert found.core == ("Stock",)
    assert found.near == ("Article",)


def test_a_question_about_nothing_known_finds_nothing(shop: OntologyIndex) -> None:
    assert slice_ontology(shop, "xyzzy").core == ()
    assert slice_ontology(shop, "").core == ()


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("total of sales invoices in the archive", "SalesInvoiceArchive"),
        ("how many payroll payments by branch", "PayrollPaymentBranch"),
        ("vendor contrcts, draft only", "VendorContractDraft"),
        ("claim address history", "ClaimAddressHistory"),
        ("the audit of ledger batches", "LedgerBatchAudit"),
    ],
)
def test_the_needed_table_is_found_among_ten_thousand(
    large: OntologyIndex, question: str, table: str
) -> None:
    assert table in slice_ontology(large, question).core


def test_slicing_ten_thousand_entities_takes_milliseconds(large: OntologyIndex) -> None:
    slice_ontology(large, "warm up the index, plese")
    took: list[float] = []
    for _ in range(9):
        started = time.thread_time()
        slice_ontology(large, "total amount of project invoices in the archive by region")
        took.append(time.thread_time() - started)
    assert min(took) < 0.02


def test_what_is_not_permitted_is_not_indexed() -> None:
    index = index_ontology(ONTOLOGY, Permissions(deny=("ShopSale", "ShopStock.unitPrice")))
    assert "Sale" not in index.entities
    assert slice_ontology(index, "Käufer").core == ()
    assert "unitPrice" not in {field.name for field in index.entities["Stock"].fields}
    assert index.hash == ONTOLOGY.hash
