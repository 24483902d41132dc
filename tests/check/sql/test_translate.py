"""A hint for a call of another dialect never ends the check, whatever the call looks like."""

import pytest

from veridical.check.sql.translate import translated_call


@pytest.mark.parametrize(
    "call", ["overlay(note PLACING '1' FROM 1)", "overlay(note PLACING 'a) -- b(c' FROM 1)"]
)
def test_a_call_that_sqlglot_stumbles_over_has_no_translation(call: str) -> None:
    assert translated_call(f"SELECT {call} FROM invoice", "overlay", "postgres") is None


def test_a_call_of_another_dialect_is_translated() -> None:
    assert translated_call("SELECT ifnull(a, 0) FROM t", "ifnull", "postgres") == "COALESCE(a, 0)"
