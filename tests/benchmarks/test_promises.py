"""Promises are counted by what a run of tests printed."""

from benchmarks.promises import ROOT, promised, read_promises
from benchmarks.search.promises import CONTRACT

PRINTED = """
PASSED tests/a/test_a.py::test_kept
PASSED tests/a/test_a.py::test_cases[one - two]
FAILED tests/a/test_a.py::test_cases[three] - assert 1 == 2
SKIPPED tests/a/test_a.py::test_skipped
PASSED tests/a/test_b.py::test_failed
"""
MADE = tuple(
    f"tests/a/test_a.py::{name}"
    for name in ("test_kept", "test_cases", "test_skipped", "test_failed", "test_never_run")
)


def test_a_promise_is_kept_if_all_of_its_cases_are() -> None:
    found = read_promises(MADE, PRINTED)
    assert found.broken == MADE[1:]
    assert (found.cases, found.cases_kept) == (5, 3)
    assert found.figures("contract")["contract_items_failed"] == 4


def test_functions_are_found_by_their_names() -> None:
    here = ROOT / "tests" / "benchmarks" / "test_promises.py"
    names = [each.rpartition("::")[2] for each in promised([here])]
    assert names[0] == "test_a_promise_is_kept_if_all_of_its_cases_are"


def test_each_line_of_the_contract_of_search_has_a_test() -> None:
    lines = {each.rpartition("::test_")[2][:2] for each in promised(CONTRACT)}
    assert lines == {f"{line:02}" for line in range(1, 14)}
