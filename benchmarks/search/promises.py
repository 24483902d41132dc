"""What evidence search promises, each kept by a test: the contract with callers, what happens when
a part goes away or dates are missing, and documents that talk to the model."""

from benchmarks.promises import ROOT, run_promises

_TESTS = ROOT / "tests"
CONTRACT = tuple(sorted((_TESTS / "search" / "contract").glob("test_*.py")))
_OUTAGES = (
    _TESTS / "search" / "test_outages.py",
    _TESTS / "search" / "test_undated.py",
    _TESTS / "runs" / "test_ingest_run.py",
)
_INJECTIONS = (_TESTS / "search" / "evidence" / "test_injections.py",)


def contract() -> dict[str, object]:
    """The contract, line by line and example by example."""
    return run_promises(CONTRACT).figures("contract")


def outages() -> dict[str, object]:
    """Worker, index or model killed in the middle; texts without dates."""
    return run_promises(_OUTAGES).figures("outage")


def injections() -> dict[str, object]:
    """Documents that want another scope, other tools or another verdict, and a model that obeys."""
    found = run_promises(_INJECTIONS)
    return {
        **found.figures("injection"),
        "injection_cases": found.cases,
        "injection_cases_failed": found.cases - found.cases_kept,
    }
