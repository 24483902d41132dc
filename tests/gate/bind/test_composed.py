"""A name in two cells stands where both are of one row."""

from veridical.gate.bind.composed import composed_name
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.sheet import Place

PEOPLE = prepare(
    [Exhibit(columns=("first", "last"), rows=(("Ann Marie", "Lee"), ("Bo", "Ek"), ("Ann", "Ek")))]
)


def test_two_cells_of_one_row() -> None:
    assert composed_name("ann marie lee", PEOPLE) == Place(0, 0, 0)
    assert composed_name("ann ek", PEOPLE) == Place(0, 2, 0)


def test_cells_of_different_rows_make_no_name() -> None:
    assert composed_name("bo lee", PEOPLE) is None
    assert composed_name("bo", PEOPLE) is None
