from typing import cast

import pytest

from benchmarks.leak_attacks import VICTIM, leak_statements
from benchmarks.tenant_leaks import OWN, run
from veridical.contracts.caller import Caller, Scope


def test_statements_are_many_and_distinct() -> None:
    statements = list(leak_statements())
    assert len(statements) >= 5000
    assert len(set(statements)) == len(statements)
    assert statements == list(leak_statements())


@pytest.mark.slow
@pytest.mark.postgres
def test_the_first_attacks_show_nothing_foreign() -> None:
    figures = run(limit=150)
    assert figures["statements"] == 150
    assert figures["tenant_leaks"] == 0


@pytest.mark.slow
@pytest.mark.postgres
def test_a_planted_leak_is_found() -> None:
    too_wide = Caller(Scope({"mandateId": (OWN, VICTIM)}))
    figures = run(limit=20, caller=too_wide)
    for way in ("through_all", "through_engine", "through_row_policies"):
        assert cast("int", figures[f"{way}_leaks"]) > 0
