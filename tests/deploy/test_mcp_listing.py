"""How programs find and install the MCP server: the registry's file and the bundle."""

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from mcp import Client, StdioServerParameters

from tests.sample import PACK
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres

ROOT = Path(__file__).parents[2]
OWN = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def listing() -> dict[str, Any]:
    return json.loads((ROOT / "server.json").read_text("utf-8"))


def test_the_registry_is_told_the_version_and_a_short_description() -> None:
    told = listing()
    (package,) = told["packages"]
    assert told["version"] == package["version"] == OWN["version"]
    assert package["runtimeArguments"][0]["value"].endswith(f"=={OWN['version']}")
    assert package["identifier"] == OWN["name"]
    assert 1 <= len(told["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", told["name"])


def test_the_readme_names_the_server_as_the_registry_does() -> None:
    assert f"mcp-name: {listing()['name']}" in (ROOT / "README.md").read_text("utf-8")


def test_the_arguments_of_the_registry_are_those_of_the_command() -> None:
    command = [str(Path(sys.executable).with_name("veridical")), "mcp", "--help"]
    helped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (package,) = listing()["packages"]
    for each in package["packageArguments"]:
        assert each.get("name", each.get("value")) in helped


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folders = [tmp_path_factory.mktemp("bundle") for _ in range(2)]
    made = [_made(folder) for folder in folders]
    assert made[0].read_bytes() == made[1].read_bytes()
    with ZipFile(made[0]) as packed:
        packed.extractall(folders[0] / "opened")
    return folders[0] / "opened"


def _made(folder: Path) -> Path:
    command = [sys.executable, str(ROOT / "deploy/mcpb/bundle.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def test_the_bundle_says_what_a_program_asks_and_installs(bundle: Path) -> None:
    told = json.loads((bundle / "manifest.json").read_text("utf-8"))
    assert {"manifest_version", "name", "version", "description", "author", "server"} <= told.keys()
    assert told["version"] == OWN["version"]
    assert told["server"]["type"] == "uv"
    assert (bundle / told["server"]["entry_point"]).is_file()
    asked = set(re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(told["server"])))
    assert asked == told["user_config"].keys()
    assert told["user_config"]["database"]["sensitive"]
    wanted = tomllib.loads((bundle / "pyproject.toml").read_text("utf-8"))["project"]
    assert wanted["version"] == OWN["version"]
    (needed,) = wanted["dependencies"]
    extras = set(re.findall(r"\w+", needed.partition("[")[2].partition("]")[0]))
    assert extras <= OWN["optional-dependencies"].keys()
    assert needed.endswith(f"=={OWN['version']}")


@pytest.mark.postgres
@pytest.mark.slow
def test_an_opened_bundle_answers(
    bundle: Path, postgres_server: LocalPostgres, tmp_path: Path
) -> None:
    told = json.loads((bundle / "manifest.json").read_text("utf-8"))
    typed = {
        "database": load_sample(PACK, postgres_server).url,
        "scope": "mandateId=m-001, featureInstanceId=m-001-a",
        "language": "de",
    }
    server = told["server"]
    variables = {
        name: re.sub(r"\$\{user_config\.(\w+)\}", lambda found: typed.get(found[1], ""), value)
        for name, value in server["mcp_config"]["env"].items()
    }
    variables |= {"VERIDICAL_TRACES": str(tmp_path / "traces"), "PATH": os.environ["PATH"]}
    command = StdioServerParameters(
        command=sys.executable, args=[str(bundle / server["entry_point"])], env=variables
    )

    async def talk() -> tuple[set[str], Any, Any]:
        async with Client(command) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            asked = {"question": "Wie hoch war der Saldo von Konto 1020 Ende 2024?"}
            told = await client.call_tool("queryFeatureInstance", asked)
            return names, told, await client.read_resource("ui://veridical/answer.html")

    names, given, page = asyncio.run(talk())
    assert {each["name"] for each in told["tools"]} <= names
    assert given.structured_content["data"]["text"].endswith("1'104'822.67 CHF")
    assert "veridical/panel" in given.meta
    assert page.contents[0].mime_type == "text/html;profile=mcp-app"
