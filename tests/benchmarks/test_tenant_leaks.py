import pytest

from benchmarks.leak_attacks import leak_statements
from benchmarks.tenant_leaks import run


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
