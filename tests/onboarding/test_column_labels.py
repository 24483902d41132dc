"""Labels of columns: in three languages where a name is one known notion, and never the same."""

from veridical.contracts.language import Language
from veridical.onboarding.column_labels import drafted_labels


def test_a_known_notion_has_a_label_in_every_language() -> None:
    assert drafted_labels(["region_cd"])["region_cd"] == {
        Language.DE: "Region",
        Language.EN: "region",
        Language.ZH: "地区",
    }


def test_a_plural_stays_one() -> None:
    seats = drafted_labels(["seats"])["seats"]
    assert not isinstance(seats, str)
    assert seats[Language.DE] == "Sitze"


def test_words_put_together_are_no_label() -> None:
    assert drafted_labels(["billing_city"]) == {"billing_city": "billing city"}


def test_a_key_is_not_called_like_its_thing() -> None:
    assert drafted_labels(["customer_id"]) == {"customer_id": "customer id"}


def test_two_columns_do_not_share_a_label() -> None:
    assert drafted_labels(["status", "status_cd"]) == {"status": "", "status_cd": "status cd"}
