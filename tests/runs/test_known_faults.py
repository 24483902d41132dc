"""Every fault that was really seen has a test by name, and the table that says so is right."""

import re
from pathlib import Path

_HERE = Path(__file__).parent
_TABLE = _HERE / "README.md"
_ROW = re.compile(r"^\| .*\.[^|]* \| (`test_.*) \|$", re.MULTILINE)
_TEST = re.compile(r"`(test_\w+)\.(test_\w+)`")


def test_each_fault_is_seen_by_tests_that_exist() -> None:
    faults = _ROW.findall(_TABLE.read_text("utf-8"))
    assert len(faults) >= 18
    for tests in faults:
        named = _TEST.findall(tests)
        assert named
        for module, test in named:
            written = (_HERE / f"{module}.py").read_text("utf-8")
            assert f"\ndef {test}(" in written, f"{module}.{test}"
