"""Texts that spell out a record are read as one; prose is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.gate.evidence.structured import record_in


def test_json_and_python_literals() -> None:
    assert record_in('{"a": 1}') == {"a": 1}
    assert record_in("{'a': None, 'b': [1.5]}") == {"a": None, "b": [1.5]}
    assert record_in("```json\n[1, 2]\n```") == [1, 2]


def test_csv_with_a_head() -> None:
    text = "# country: Norway\n# unit: years\ndate,value\n1950,41.5\n1951,42\n"
    assert record_in(text) == {
        "country": "Norway",
        "unit": "years",
        "rows": [{"date": 1950, "value": 41.5}, {"date": 1951, "value": 42}],
    }


def test_key_value_lines_with_repeated_keys() -> None:
    text = "Blue 9\n---\n- cast member: Ann Lee\n- cast member: Bo Ek\n- inception: 1961\n"
    assert record_in(text) == {
        "title": "Blue 9",
        "cast member": ["Ann Lee", "Bo Ek"],
        "inception": 1961,
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Revenue rose, costs fell.\nMargins, too, went up.\nThe end, finally.",
        "Two points follow.\n- first: a\nThen more prose.\n- second: b",
        "{not closed",
        "{'a': open('x')}",
        "[" * 500 + "]" * 500,
        "# Heading\n\nSome text under it.",
    ],
)
def test_anything_else_is_no_record(text: str) -> None:
    assert record_in(text) is None


def test_codes_with_leading_zeros_stay_text() -> None:
    assert record_in("id,amount\n007,1\n008,2") == {
        "rows": [{"id": "007", "amount": 1}, {"id": "008", "amount": 2}]
    }


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    assert isinstance(record_in(text), dict | list | None)
