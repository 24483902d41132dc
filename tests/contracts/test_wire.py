from functools import cached_property

import pytest
from pydantic import ValidationError

from veridical.contracts.wire import Wire


class Parcel(Wire):
    weight: int = 1
    labels: list[str]

    @cached_property
    def twice(self) -> int:
        return 2 * self.weight


def test_a_changed_copy_derives_its_own_properties() -> None:
    parcel = Parcel(weight=2, labels=[])
    assert (parcel.twice, parcel.model_copy(update={"weight": 5}).twice, parcel.twice) == (4, 10, 4)


def test_a_copy_knows_which_fields_were_given() -> None:
    parcel = Parcel(labels=["fragile"])
    changed = parcel.model_copy(update={"weight": 3})
    assert parcel.model_copy() == parcel
    assert parcel.model_copy().model_dump(exclude_unset=True) == {"labels": ["fragile"]}
    assert changed.model_dump(exclude_unset=True) == {"weight": 3, "labels": ["fragile"]}
    assert parcel.model_fields_set == {"labels"}


@pytest.mark.parametrize("deep", [False, True])
def test_only_a_deep_copy_has_lists_of_its_own(deep: bool) -> None:
    parcel = Parcel(labels=["fragile"])
    copied = parcel.model_copy(deep=deep)
    assert copied == parcel
    assert (copied.labels is parcel.labels) is not deep


def test_a_copy_stays_as_it_is() -> None:
    copied = Parcel(labels=[]).model_copy(update={"weight": 2})
    with pytest.raises(ValidationError):
        copied.weight = 3  # pyright: ignore[reportAttributeAccessIssue]
