"""The promises to callers: ``python -m benchmarks.requirements.contract --json``.

Runs the tests of ``tests/requirements/contract``, one for each promise, and counts those that fail;
one that can't be run has failed too.
"""

import argparse
import json

from benchmarks.promises import ROOT, run_promises

_TESTS = (ROOT / "tests" / "requirements" / "contract" / "test_contract.py",)


def measure_contract() -> dict[str, object]:
    """How many promises there are, and which of them are broken."""
    return run_promises(_TESTS).figures("contract")


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="contract", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    chosen = parser.parse_args()
    found = measure_contract()
    print(json.dumps(found) if chosen.json else json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
