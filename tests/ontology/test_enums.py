from tests.ontology.small import ONTOLOGY
from veridical.contracts.caller import Permissions
from veridical.ontology.compile import compile_catalog
from veridical.ontology.enums import compile_enums

CATALOG = compile_catalog(None, ONTOLOGY)


def test_it_lists_what_a_call_may_name() -> None:
    enums = compile_enums(CATALOG, ("sum", "count"), ("=", "in"))
    assert enums.tables == ("ShopArticle", "ShopSale", "ShopStock")
    assert enums.fields["ShopArticle"] == ("code", "supplierName")
    assert enums.metrics == ("revenue",)
    assert enums.aggregates == ("sum", "count")
    assert enums.operators == ("=", "in")
    assert enums.all_fields.count("article") == 1


def test_it_lists_only_what_the_caller_may_see() -> None:
    enums = compile_enums(CATALOG, (), (), Permissions(deny=("ShopSale", "*.unitPrice")))
    assert enums.tables == ("ShopArticle", "ShopStock")
    assert "unitPrice" not in enums.all_fields
    assert enums.metrics == ()
    assert enums.hash == ONTOLOGY.hash


def test_it_can_be_narrowed_to_some_tables() -> None:
    assert compile_enums(CATALOG, (), (), only=("ShopSale",)).tables == ("ShopSale",)
