"""The promises to callers: ``python -m benchmarks.requirements.contract --json``.

Runs the tests of ``tests/requirements/contract``, one for each promise, and counts those that fail;
one that can't be run has failed too.
"""

from benchmarks.command import command, show
from benchmarks.promises import ROOT, run_promises

_TESTS = (ROOT / "tests" / "requirements" / "contract" / "test_contract.py",)


def measure_contract() -> dict[str, object]:
    """How many promises there are, and which of them are broken."""
    return run_promises(_TESTS).figures("contract")


def main() -> None:
    """Prints the figures."""
    parser = command(__doc__)
    chosen = parser.parse_args()
    found = measure_contract()
    show(found, chosen)


if __name__ == "__main__":
    main()
