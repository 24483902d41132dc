import pytest

from veridical.ontology.nearest import nearest

NAMES = ("queryTable", "aggregateTable", "executeSqlSafe")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("quryTable", "queryTable"),
        ("query_table", "queryTable"),
        ("executeSql", "executeSqlSafe"),
        ("weather", None),
        ("", None),
    ],
)
def test_the_nearest_name_or_none(name: str, expected: str | None) -> None:
    assert nearest(name, NAMES) == expected
