"""What only warns is called a warning: on the terminal, and in what a model is told."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.defects.mcp_orders import ONTOLOGY
from veridical.cli.main import app
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.load import load_ontology
from veridical.ontology.prompt import compile_prompt

pytestmark = pytest.mark.slow

WARNED = "SELECT id FROM orders_2025 WHERE state = 'ORDERS_2025_STATE_1' LIMIT 2"
CLEAN = "SELECT id FROM orders_2025 WHERE state = 'ORDERS_2025_STATE_1' ORDER BY id LIMIT 2"


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    file = tmp_path / "ontology.yaml"
    file.write_text(ONTOLOGY, "utf-8")
    return file


def _checked(sql: str, ontology: Path, language: Language) -> list[str]:
    command = ["check", "-", "--ontology", str(ontology), "--language", language]
    return CliRunner().invoke(app, command, input=sql).stdout.splitlines()


@pytest.mark.parametrize("language", Language)
def test_f8_the_terminal_labels_warnings(ontology: Path, language: Language) -> None:
    label = message("cli.warnings", language)
    lines = _checked(WARNED, ontology, language)
    (at,) = [number for number, line in enumerate(lines) if line.startswith(label)]
    warned = next(number for number, line in enumerate(lines) if "UNORDERED_LIMIT" in line)
    assert at < warned
    assert not any(line.startswith(label) for line in _checked(CLEAN, ontology, language))


def test_f8_a_refused_call_tells_its_warnings_apart(ontology: Path) -> None:
    lines = _checked(WARNED.replace("id", "idd"), ontology, Language.EN)
    label = next(number for number, line in enumerate(lines) if "Warnings" in line)
    found = {code: number for number, line in enumerate(lines) for code in line.split()[:1]}
    assert found["FIELD_NOT_FOUND"] < label < found["UNORDERED_LIMIT"]


@pytest.mark.parametrize("language", Language)
def test_f8_rules_that_warn_stand_under_a_heading_of_their_own(
    ontology: Path, language: Language
) -> None:
    text = compile_prompt(load_ontology(str(ontology)), language, 20_000).text
    rules, _, rest = text.partition(message("prompt.warnings", language))
    refused = rules.partition(message("prompt.rules", language))[2]
    warned = rest.partition("\n##")[0]
    assert "Leave out cancelled orders of orders_2025" in refused
    assert "Orders of orders_2025 are read for a period" not in refused
    assert "Orders of orders_2025 are read for a period" in warned
