from itertools import pairwise

from veridical.packs.trustee.accounts import (
    CHART,
    CLASSES,
    GROUPS,
    class_of,
    group_of,
    is_carried,
    kind_of,
    side_of,
)


def test_the_chart_has_nine_classes_and_enough_accounts() -> None:
    assert [each.digit for each in CLASSES] == list(range(1, 10))
    assert len(CHART) >= 60
    assert len({account.number for account in CHART}) == len(CHART)
    assert {account.digit for account in CHART} == set(range(1, 10))


def test_group_ranges_lie_within_one_class_and_never_overlap() -> None:
    ordered = sorted(GROUPS, key=lambda group: group.first)
    assert all(group.first[0] == group.last[0] for group in ordered)
    assert all(one.last < next_.first for one, next_ in pairwise(ordered))


def test_accounts_are_told_by_their_number() -> None:
    bank = group_of("1022")
    assert bank is not None
    assert (bank.entity, kind_of("1022"), side_of("1022")) == ("Bank", "asset", "debit")
    assert (kind_of("3400"), side_of("3400")) == ("income", "credit")
    assert (kind_of("6100"), group_of("6100")) == ("expense", None)
    assert kind_of("9000") == "closing"
    assert class_of("2979").entity == "LiabilitiesAndEquity"


def test_only_the_balance_sheet_is_carried_over() -> None:
    assert {digit for digit in range(1, 10) if is_carried(f"{digit}000")} == {1, 2}


def test_some_accounts_are_kept_in_foreign_currency() -> None:
    assert {account.currency for account in CHART} == {"CHF", "EUR", "USD"}
