"""The promises to callers: ``python -m benchmarks.requirements.contract --json``.

Runs the tests of ``tests/requirements/contract``, one for each promise, and counts those that fail;
one that can't be run has failed too.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_TESTS = ROOT / "tests" / "requirements" / "contract" / "test_contract.py"
_PROMISE = re.compile(r"^def (test_\d+_\w+)", re.MULTILINE)
_KEPT = re.compile(r"^PASSED \S+::(test_\d+_\w+)", re.MULTILINE)


def promises() -> tuple[str, ...]:
    """The promises, by the names of their tests."""
    return tuple(_PROMISE.findall(_TESTS.read_text("utf-8")))


def measure_contract() -> dict[str, Any]:
    """How many promises there are, and which of them are broken."""
    command = [sys.executable, "-m", "pytest", str(_TESTS), "-rA"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    kept = set(_KEPT.findall(ran.stdout))
    broken = [name for name in promises() if name not in kept]
    return {
        "contract_items": len(promises()),
        "contract_items_failed": len(broken),
        "contract_items_broken": broken,
    }


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="contract", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    chosen = parser.parse_args()
    found = measure_contract()
    print(json.dumps(found) if chosen.json else json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
