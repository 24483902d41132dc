import pytest

from veridical.reading.yearless import find_days_of_year


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on May 4th and May 9", [(5, 4), (5, 9)]),
        ("am 4. Mai oder am 12. März", [(5, 4), (3, 12)]),
        ("5月4日", [(5, 4)]),
        ("per 31.12. fällig", [(12, 31)]),
        ("the 3rd of June", [(6, 3)]),
        ("2024-05-04", []),
        ("May 45", []),
        ("13/14 of 20", []),
    ],
)
def test_days_without_a_year(text: str, days: list[tuple[int, int]]) -> None:
    assert [(each.month, each.day) for each in find_days_of_year(text)] == days
