"""A user's type checker sees the types of an installed package, lazily loaded names included."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.release.environments import Environment

_SCRIPT = """
import veridical
from veridical import Caller, Checker, Language, Refusal, compile_catalog, gate, load_schema

schema = load_schema("shop.sql")
checker = Checker(compile_catalog(schema))
proof = gate.check("Bern: 1200", [{"sales": 1200}])
reveal_type(veridical.__version__)
reveal_type(schema)
reveal_type(checker.dialect)
reveal_type(proof.verdict)
reveal_type(veridical.gate.as_text(proof))
reveal_type(Caller(language=Language.DE).name)
reveal_type(Refusal.error)
veridical.Chekcer
gate.chekc
"""
_GENERIC = re.compile(r'"type\[\w+\[Unknown(, Unknown)*\]\]"$')
"""A class of which nobody has said what it is of yet."""
_TYPES = ["str", "Schema", "str", "Verdict", "str", "str", "property"]


def test_a_script_of_a_user_sees_types(environments: dict[str, Environment]) -> None:
    there = environments[""]
    script = there.work / "user.py"
    script.write_text(_SCRIPT)
    found = _diagnostics(there, script)
    revealed = [each["message"] for each in found if each["severity"] == "information"]
    assert [text.rpartition(" is ")[2].strip('"') for text in revealed] == _TYPES
    wrong = [each["message"] for each in found if each["severity"] == "error"]
    assert [text.split('"')[1] for text in wrong] == ["Chekcer", "chekc"]


def test_no_public_name_is_unknown(environments: dict[str, Environment]) -> None:
    there = environments["all"]
    names = subprocess.run(
        [there.python, "-c", "import veridical; print(*veridical.__all__)"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    script = there.work / "names.py"
    script.write_text(
        "import veridical\n" + "".join(f"reveal_type(veridical.{name})\n" for name in names)
    )
    found = _diagnostics(there, script)
    revealed = [each["message"] for each in found if each["severity"] == "information"]
    assert len(revealed) == len(names)
    known = [_GENERIC.sub("", text) for text in revealed]
    assert [text for text in known if "Unknown" in text or text.endswith('"Any"')] == []


def _diagnostics(there: Environment, script: Path) -> list[dict[str, Any]]:
    pyright = Path(sys.executable).with_name("pyright")
    (there.work / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    done = subprocess.run(
        [pyright, "--outputjson", "--pythonpath", there.python, script.name],
        cwd=there.work, capture_output=True, text=True,
    )  # fmt: skip
    told = json.loads(done.stdout)["generalDiagnostics"]
    ignored = {"reportUnusedExpression", "reportUnknownMemberType"}
    return [each for each in told if each.get("rule") not in ignored]
