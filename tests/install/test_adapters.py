"""The adapters of ``examples/adapters`` with the real frameworks, as ``requirements/adapters.txt``
locks them: a right answer comes, and one that no result supports is held back.

All are played in one process, because importing the frameworks takes longer than asking them. The
model is an endpoint on this machine that speaks OpenAI's protocol and says what a script says.
"""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pytest

from tests.agent.local_server import LocalServer, answer_with, serving
from tests.install.environments import ROOT, UV, build_wheel, quietly
from tests.install.play_adapter import ADAPTERS, PLAYERS

LOCK = ROOT / "requirements" / "adapters.txt"
MOST_LINES = 20
SUM = {"sql": "SELECT SUM(units) AS units FROM stock WHERE shop = 'Harbour'"}
READ = {"sql": "SELECT units FROM stock WHERE shop = 'Harbour' AND month = '2026-03'"}
TWO_WRONG = {"sql": "SELECT unitss FROM stock WHERE shopp = 'Harbour'"}
UNORDERED = {"sql": "SELECT month, units FROM stock WHERE shop = 'Harbour' LIMIT 2"}
MONTHS = {"sql": "SELECT month, units FROM stock WHERE shop = 'Harbour' ORDER BY month"}
RIGHT = "Harbour had 134 units in stock at the end of March 2026."
HELD = {
    "an invented figure": [READ, "Harbour had 150 units in stock at the end of March 2026."],
    "a sum that was refused": [SUM, "Harbour had 350 units in stock."],
    "nothing read": [RIGHT],
    "months added up": [MONTHS, "Harbour had 350 units in stock over the three months together."],
}
_NOT_TOLD = {("mcp_client", "months added up")}
"""Whoever is only sent rows does not know which of them must not be added up."""
_ERRORS = {
    "langchain_agent": "ModelCallLimitExceededError",
    "openai_agents_sdk": "OutputGuardrailTripwireTriggered",
    "pydantic_ai_agent": "UnexpectedModelBehavior",
}
"""By which error of its own a framework holds back; the others return ``I can't say.``"""


@dataclass
class Stage:
    """The process with the adapters, and what its model is to say."""

    process: subprocess.Popen[str]
    server: LocalServer
    script: list[Any] = field(default_factory=list[Any])

    def play(self, name: str, script: list[Any]) -> dict[str, str]:
        """What comes of the question, the last line being said over and over."""
        self.script[:] = [_said(each, name, f"call-{at}") for at, each in enumerate(script)]
        self.server.bodies.clear()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps((name, script)) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def _said(line: Any, name: str, call_id: str) -> dict[str, Any]:
    if isinstance(line, str):
        return {"content": line}
    tool = "executeSqlSafe" if name == "mcp_client" else "query"
    call = {"name": tool, "arguments": json.dumps(line)}
    return {"tool_calls": [{"id": call_id, "type": "function", "function": call}]}


@pytest.fixture(scope="module")
def python() -> Generator[Path]:
    """The interpreter of an environment with all frameworks and the wheel of this checkout."""
    folder = Path(mkdtemp(prefix="va-"))
    there = folder / "bin" / "python"
    plain = (UV, "--no-config", "--quiet", "--system-certs")
    quietly(*plain, "venv", "--python", sys.executable, folder, "--allow-existing")
    quietly(*plain, "pip", "install", "--python", there, "--require-hashes", "-r", LOCK)
    wheel = build_wheel(ROOT, folder / "wheel")
    quietly(*plain, "pip", "install", "--python", there, "--offline", "--no-deps", wheel)
    yield there
    rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def stage(python: Path) -> Generator[Stage]:
    script: list[Any] = []

    def behave(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
        answer_with(handler, script[min(len(server.bodies), len(script)) - 1])

    with serving(behave) as server:
        kept = {name: os.environ[name] for name in ("HOME", "PATH", "TMPDIR") if name in os.environ}
        told = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}
        quiet = {"OPENAI_AGENTS_DISABLE_TRACING": "1", "XDG_STATE_HOME": str(python.parents[1])}
        process = subprocess.Popen(
            [python, Path(__file__).with_name("play_adapter.py")],
            env=kept | told | quiet, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        yield Stage(process, server, script)
        process.communicate(timeout=60)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_right_answer_comes_after_a_forbidden_sum_was_refused(stage: Stage, name: str) -> None:
    assert stage.play(name, [SUM, READ, RIGHT]) == {"answer": RIGHT}
    if stage.server.bodies:  # LlamaIndex has a model of its own in the process
        heard = json.dumps(stage.server.bodies[1]["messages"])
        assert "INVALID_AGGREGATE_TARGET" in heard


@pytest.mark.parametrize("name", PLAYERS)
def test_all_violations_and_warnings_are_heard(stage: Stage, name: str) -> None:
    assert stage.play(name, [TWO_WRONG, UNORDERED, READ, RIGHT]) == {"answer": RIGHT}
    if stage.server.bodies:
        heard = json.dumps(stage.server.bodies[-1]["messages"])
        for told in ("unitss", "shopp", "UNORDERED_LIMIT"):
            assert told in heard


@pytest.mark.parametrize("wrong", HELD)
@pytest.mark.parametrize("name", PLAYERS)
def test_an_unsupported_answer_is_held_back(stage: Stage, name: str, wrong: str) -> None:
    if (name, wrong) in _NOT_TOLD:
        pytest.skip("the meaning of columns stays with the server")
    told = stage.play(name, HELD[wrong])
    if name in _ERRORS:
        assert told.get("error") == _ERRORS[name], told
    else:
        assert told == {"answer": "I can't say."}


def test_each_adapter_is_played_told_and_short() -> None:
    there = {path.stem: path.read_text("utf-8") for path in ADAPTERS.glob("*.py")}
    assert set(there) == set(PLAYERS)
    assert {
        name: lines for name, text in there.items() if (lines := _code(text)) > MOST_LINES
    } == {}
    page = (ROOT / "docs" / "how-to" / "use-in-a-framework.md").read_text("utf-8")
    assert [name for name, text in there.items() if text.partition('"""\n\n')[2] not in page] == []


def _code(text: str) -> int:
    """Lines that are neither empty nor part of a docstring."""
    inside: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) for number, line in lines if number not in inside)
