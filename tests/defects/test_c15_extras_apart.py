"""The core works without any extra; what needs one says which, in the caller's language."""

import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import typer

from tests.without_extras import python, veridical
from veridical.cli.main import app
from veridical.contracts.extras import EXTRAS, INCLUDES
from veridical.contracts.language import Language

ROOT = Path(__file__).parents[2]
SUM = 'SELECT SUM("closingBalance") FROM "TrusteeDataAccountBalance"'

WITHOUT = {
    "demo": "engine,local",
    "ask Saldo?": "agent,engine,local",
    "ask Saldo? --database postgresql://localhost/x": "agent,engine",
    "serve": "server",
    "serve --sample": "server,local",
    "mcp": "server,local",
    "worker": "runs",
    "db upgrade": "runs",
    "db check": "runs",
    "key list": "runs",
    "tenant list": "runs",
    "inbox list": "runs",
    "eval run --out runs": "agent,engine,local",
    "runs list --store postgresql://localhost/x": "engine",
}
"""What each command lacks where nothing but the core and the command line is installed."""


_NOBODY = "--database postgresql://nobody@127.0.0.1:9/none"
_RUNS_ALONE = {
    "demo": "veridical[local]",
    "ask Saldo?": "veridical[local]",
    f"ask balance-of-account-1020? {_NOBODY} --scope mandateId=m": "veridical_reader",
    "db check": "VERIDICAL_RUNS_DATABASE_URL",
    f"key list {_NOBODY}": "",
    f"tenant list {_NOBODY}": "",
    f"inbox list {_NOBODY}": "",
}
WITH = {
    "engine": {
        "demo": "veridical[local]",
        "serve": "veridical[server]",
        "db check": "veridical[runs]",
    },
    "agent": {
        "demo": "veridical[engine,local]",
        "serve": "veridical[server]",
        "db check": "veridical[runs]",
    },
    "local": {
        "demo": "veridical[engine]",
        "serve": "veridical[server]",
        "db check": "veridical[runs]",
    },
    "runs": {
        **_RUNS_ALONE,
        "serve": "veridical[server]",
        f"mcp {_NOBODY}": "veridical[server]",
        "worker": "VERIDICAL_RUNS_DATABASE_URL",
    },
    "server": {**_RUNS_ALONE, "serve --sample": "veridical[local]"},
}
"""What each command lacks, or says next, where one extra is installed."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "query.sql").write_text(SUM)
    (tmp_path / "rows.json").write_text('[{"city": "Bern", "sales": 1200}]')
    return tmp_path


@pytest.mark.parametrize(
    ("command", "code", "prints"),
    [
        ("--version", 0, "veridical 0."),
        ("--help", 0, "check"),
        ("check query.sql --ontology pack:trustee", 1, "INVALID_AGGREGATE_TARGET"),
        ("gate Bern:1'200 --evidence rows.json", 0, "PASS"),
        ("ontology hash pack:trustee", 0, ""),
        ("ontology report pack:trustee", 0, ""),
        ("ontology prompt pack:trustee", 0, "Trustee"),
        ("ontology lint pack:trustee", 0, ""),
        ("skill list", 0, ""),
        ("runs list", 0, ""),
    ],
)
def test_c15_the_core_does_its_work_alone(
    folder: Path, command: str, code: int, prints: str
) -> None:
    done = veridical(*command.split(" "), folder=folder)
    assert done.returncode == code, done.stdout + done.stderr
    assert prints.lower() in done.stdout.lower()
    assert "Traceback" not in done.stderr


def test_c15_the_command_line_says_what_to_install_for_it(folder: Path) -> None:
    done = python("from veridical.cli.start import main; main()", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'veridical[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_c15_every_command_shows_its_help_with_the_core_alone(folder: Path) -> None:
    code = (
        "from typer.testing import CliRunner\nfrom veridical.cli.main import app\n"
        f"for words in {_commands()!r}:\n"
        "    shown = CliRunner().invoke(app, [*words, '--help'])\n"
        "    assert shown.exit_code == 0, (words, shown.output, shown.exception)\n"
    )
    done = python(code, folder, ("cli",))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("language", Language)
def test_c15_what_is_missing_is_named(folder: Path, language: Language) -> None:
    code = (
        "from typer.testing import CliRunner\nfrom veridical.cli.main import app\n"
        f"for command, extras in {WITHOUT!r}.items():\n"
        f"    words = [*command.split(), '--language', {language.value!r}]\n"
        "    done = CliRunner().invoke(app, words)\n"
        "    told = f\"pip install 'veridical[{extras}]'\"\n"
        "    assert (done.exit_code, told in done.stderr) == (2, True), (command, done.output)\n"
        f"    assert done.stderr.split()[1] == {_missing_extra(language)!r}, done.stderr\n"
    )
    done = python(code, folder, ("cli",))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("extras", WITH)
def test_c15_an_extra_that_is_there_is_not_asked_for(folder: Path, extras: str) -> None:
    code = (
        "from typer.testing import CliRunner\nfrom veridical.cli.main import app\n"
        f"for command, told in {dict(WITH[extras])!r}.items():\n"
        "    done = CliRunner().invoke(app, command.split())\n"
        "    assert (done.exit_code, told in done.stderr) == (2, True), (command, done.output)\n"
        "    assert 'nternal error' not in done.output, done.output\n"
    )
    done = python(code, folder, (extras,))
    assert done.returncode == 0, done.stderr


SQLITE_ALONE = """
import sqlite3
from veridical import Caller, Checker, Engine, Scope, SqlCall, compile_catalog
from veridical.engines.registry import engine_of

with sqlite3.connect("shop.db") as made:
    made.execute("CREATE TABLE orders AS SELECT 'alpha' AS tenant, 12.5 AS total")
made.close()
database = engine_of("shop.db").open("shop.db")
catalog = compile_catalog(database.reflect())
caller = Caller(scope=Scope({"tenant": ("alpha",)}))
checked = Checker(catalog, "sqlite").check(SqlCall(sql="SELECT SUM(total) FROM orders"), caller)
print(Engine(database, catalog).run(checked).rows)
"""


def test_c15_a_query_runs_on_sqlite_with_the_core_alone(folder: Path) -> None:
    done = python(SQLITE_ALONE, folder)
    assert (done.stdout.strip(), done.stderr) == ("((12.5,),)", "")


def test_c15_a_public_name_that_needs_an_extra_says_which(folder: Path) -> None:
    done = python("from veridical import Toolbox", folder)
    assert "MissingExtraError" in done.stderr
    assert "veridical[engine]" in done.stderr


def test_c15_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    homes: dict[str, set[str]] = {}
    for module, distributions in packages_distributions().items():
        for each in distributions:
            homes.setdefault(re.sub(r"[-_.]+", "-", each).lower(), set()).add(module)
    for extra, requirements in project["optional-dependencies"].items():
        if extra in {"all", "fast"}:  # fast only replaces parts of what the core has
            continue
        for requirement in requirements:
            found = re.match(r"([\w.-]+)(?:\[([^]]*)])?", requirement)
            assert found
            if found[1] == "veridical":
                assert set(INCLUDES[extra]) == set(found[2].split(","))
            else:
                assert homes[found[1].lower()] & EXTRAS[extra], requirement


def _commands() -> list[list[str]]:
    found: list[list[str]] = []

    def walk(command: object, words: list[str]) -> None:
        found.append(words)
        for name, below in getattr(command, "commands", {}).items():
            walk(below, [*words, name])

    walk(typer.main.get_command(app), [])
    return found


def _missing_extra(language: Language) -> str:
    texts = tomllib.loads((ROOT / "src/veridical/messages/cli.toml").read_text("utf-8"))
    return texts["missing_extra"][language].split()[0]
