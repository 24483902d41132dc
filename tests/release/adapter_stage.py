"""The adapters of ``examples/adapters``, each in an environment with its framework and nothing of
another's, and a model for them: an endpoint on this machine that says what a script says.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from shutil import copytree
from tempfile import mkdtemp
from typing import Any

from tests.agent.local_server import LocalServer, answer_with, serving
from tests.release.environments import AT_ONCE, ROOT, UV, build_wheel, quietly
from tests.release.play_adapter import MCP_TOOL

_PLAIN = (UV, "--no-config", "--quiet", "--system-certs")
_QUIET = {
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "NEMO_GUARDRAILS_NO_USAGE_STATS": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}


@dataclass(frozen=True)
class Framework:
    """The packages of an environment beside Veridical, and the lock that has their versions."""

    packages: tuple[str, ...] = ()
    lock: str = "adapters"
    extras: str = "fast,server"

    def make(self, wheel: Path, folder: Path, base: Path | None = None) -> Path:
        """The interpreter of a new environment; every package has the hash that is locked.

        What the ``base`` has already compiled is not compiled again.
        """
        lock = ROOT / "requirements" / f"{self.lock}.txt"
        pinned = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", lock.read_text("utf-8"), re.M))
        wanted = [f"{name}=={pinned[name]}" for name in self.packages]
        sha = hashlib.sha256(wheel.read_bytes()).hexdigest()
        wanted.append(f"veridical[{self.extras}] @ {wheel.as_uri()}#sha256={sha}")
        python = folder / "bin" / "python"
        if base and self.lock == BARE.lock:
            copytree(base, folder, symlinks=True, copy_function=os.link)
        else:
            quietly(*_PLAIN, "venv", "--python", sys.executable, folder)
        quietly(
            *_PLAIN, "pip", "install", "--python", python,
            "--require-hashes", "--constraints", lock, *wanted,
        )  # fmt: skip
        return python


BARE = Framework()
FRAMEWORKS = {
    "guardrails_validator": Framework(("guardrails-ai",), "guardrails", "fast"),
    "langchain_agent": Framework(("langchain", "langchain-openai")),
    "llama_index_agent": Framework(("llama-index-core",)),
    "mcp_client": BARE,
    "nemo_guardrails": Framework(("nemoguardrails",)),
    "openai_agents_sdk": Framework(("openai-agents",)),
    "openai_client": BARE,
    "pydantic_ai_agent": BARE,
}
"""Those that need no package beside Veridical's own share an environment."""


@dataclass
class Stage:
    """A process with the adapters of a framework, and what their model is to say."""

    process: subprocess.Popen[str]
    server: LocalServer
    script: list[Any] = field(default_factory=list[Any])

    def play(self, name: str, script: Sequence[Any], results: Sequence[str] = ()) -> dict[str, Any]:
        """What comes of the question, and the texts that the model was sent.

        The last line is said over and over. Guardrails AI runs no tools: it gets the ``results``.
        """
        calls_tools = name != "guardrails_validator"
        said = [each for each in script if calls_tools or isinstance(each, str)]
        self.script[:] = [_said(each, name, f"call-{at}") for at, each in enumerate(said)]
        self.server.bodies.clear()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps((name, script, results)) + "\n")
        self.process.stdin.flush()
        played = json.loads(self.process.stdout.readline())
        messages = self.server.bodies[-1]["messages"] if self.server.bodies else ()
        heard = [each["content"] for each in messages if each["role"] != "assistant"]
        return {"heard": "\n".join(map(str, heard)), **played}


def _said(line: Any, name: str, call_id: str) -> dict[str, Any]:
    if isinstance(line, str):
        return {"content": line}
    tool = MCP_TOOL if name == "mcp_client" else "query"
    call = {"name": tool, "arguments": json.dumps(line)}
    return {"tool_calls": [{"id": call_id, "type": "function", "function": call}]}


@contextmanager
def stages() -> Generator[dict[Framework, Stage]]:
    """A stage for each framework. Its process starts as soon as its environment is there."""
    folder = Path(mkdtemp(prefix="va-"))
    wheel = build_wheel(ROOT, folder / "wheel")
    with ExitStack() as stack, ThreadPoolExecutor(AT_ONCE) as threads:
        # in the background: there are many files
        stack.callback(quietly, "sh", "-c", 'rm -rf "$0" >/dev/null 2>&1 &', folder)
        base = BARE.make(wheel, folder / "bare")
        quietly(
            base, Path(__file__).with_name("play_adapter.py"), "compile", PYTHONDONTWRITEBYTECODE=""
        )
        made = {
            each: threads.submit(each.make, wheel, folder / each.packages[0], base.parents[1])
            for each in {*FRAMEWORKS.values()} - {BARE}
        }
        pythons = {BARE: base} | {each: done.result() for each, done in made.items()}
        yield {each: stack.enter_context(_stage(python)) for each, python in pythons.items()}


@contextmanager
def _stage(python: Path) -> Generator[Stage]:
    script: list[Any] = []

    def behave(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
        answer_with(handler, script[min(len(server.bodies), len(script)) - 1])

    with serving(behave) as server:
        kept = {key: os.environ[key] for key in ("PATH", "TMPDIR") if key in os.environ}
        home = {"HOME": str(python.parents[1]), "XDG_STATE_HOME": str(python.parents[1])}
        model = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}
        process = subprocess.Popen(
            [python, Path(__file__).with_name("play_adapter.py")],
            env=kept | home | model | _QUIET,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            yield Stage(process, server, script)
        finally:
            process.kill()  # some frameworks take long to end
            process.communicate()
