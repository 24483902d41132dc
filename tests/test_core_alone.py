"""What works with ``pip install .`` alone: nothing that an extra brings is imported."""

import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

CORE_ALONE = """
import json, sys
from veridical import gate
proof = gate.check("Bern: 1'200", [{"city": "Bern", "sales": 1200}], question="Umsatz?")
assert proof.verdict == "pass", proof
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def _closure(name: str, found: set[str]) -> set[str]:
    """The distributions that installing this one brings, without its extras."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in found:
        return found
    found.add(key)
    try:
        wanted = requires(name) or ()
    except PackageNotFoundError:  # needed on another platform only
        return found
    for requirement in wanted:
        if "extra ==" not in requirement:
            named = re.match(r"[\w.-]+", requirement)
            assert named is not None
            _closure(named[0], found)
    return found


def test_the_gate_needs_nothing_but_the_core() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", CORE_ALONE], check=True, capture_output=True, text=True
    )
    started_with = {"__main__", "_distutils_hack"}  # an interpreter's own, by setuptools
    loaded = set(json.loads(done.stdout)) - set(sys.stdlib_module_names) - started_with
    loaded -= {"mypy_extensions"}  # sqlglot takes it along where a type checker is installed
    core = _closure("veridical", set())
    homes = packages_distributions()
    strangers = {
        name
        for name in loaded
        if name in homes
        and not core & {re.sub(r"[-_.]+", "-", home).lower() for home in homes[name]}
    }
    assert strangers == set()
