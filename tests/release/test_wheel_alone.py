"""The wheel on an empty machine: no checkout, no Node, and with uv not even an installation."""

import asyncio
import json
import urllib.request
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from tests.release.demo import running
from tests.release.environments import UV, WHOLE, Environment, dependency_folder

_NO_NODE = "#!/bin/sh\necho \"$0 $*\" >> '{told}'\nexit 1\n"


@pytest.fixture
def there(environments: dict[str, Environment], tmp_path: Path) -> dict[str, str]:
    """The environment variables of an empty machine, on which Node says that it was called."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("node", "npm", "npx"):
        (tools / name).write_text(_NO_NODE.format(told=tmp_path / "node-was-called"))
        (tools / name).chmod(0o755)
    kept = environments[WHOLE].variables()
    return kept | {"PATH": f"{tools}:/usr/bin:/bin"}


def test_uvx_runs_the_demo(
    environments: dict[str, Environment], there: dict[str, str], tmp_path: Path
) -> None:
    (wheel,) = (environments[WHOLE].folder.parent / "wheel").glob("*.whl")
    work = environments[WHOLE].work / "uvx"  # short: PostgreSQL has its socket in it
    work.mkdir()
    work.chmod(0o755)
    variables = there | {"XDG_STATE_HOME": str(work / "state")}
    uvx = [
        UV, "--no-config", "--offline", "tool", "run", "--no-index",
        "--find-links", dependency_folder(), "--from", f"veridical[all] @ {wheel.as_uri()}",
        "veridical",
    ]  # fmt: skip
    with running(uvx, work, variables) as demo:
        asked = urllib.request.Request(
            f"{demo.address}/v1/ask",
            json.dumps(
                {"feature": "trustee", "question": "Saldo von Konto 1020 Ende 2024?"}
            ).encode(),
            {"Authorization": f"Bearer {demo.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            assert json.load(answer)["proof"]["verdict"] == "pass"
        with urllib.request.urlopen(demo.link, timeout=60) as page:
            assert page.status == 200
    assert not (tmp_path / "node-was-called").exists()


def test_a_model_asks_over_mcp(environments: dict[str, Environment], there: dict[str, str]) -> None:
    installed = environments[WHOLE]
    command = StdioServerParameters(
        command=str(installed.folder / "bin" / "veridical"),
        args=["mcp"],
        env=there,
        cwd=installed.work,
    )

    async def talk() -> str:
        async with Client(command) as client:
            asked = {"question": "Wie hoch war der Saldo von Konto 1020 Ende 2024?"}
            told = await client.call_tool("queryFeatureInstance", asked)
            assert told.structured_content is not None
            return told.structured_content["data"]["text"]

    assert asyncio.run(talk()).endswith("1'104'822.67 CHF")
