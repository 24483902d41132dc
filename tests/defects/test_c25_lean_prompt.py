"""A prompt tells what a question needs and no more; a pack with hints alone tells its hints."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.prompt_budget import needed, told
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import open_feature
from veridical.cli.main import app
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.evals.execution.sealed import SealedDatabase
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack, load_pack
from veridical.ontology.prompt import DEFAULT_BUDGET, compile_prompt

pytestmark = pytest.mark.slow

TRUSTEE = load_pack("trustee")
HINTS = "Amounts are in Swiss francs. Never add up balances."
SILENT = OntologyDescriptor(feature_code="x")
PACK = Pack("x", SILENT, TRUSTEE.schema)


def context(pack: Pack) -> str:
    feature = open_feature(pack, SealedDatabase(TRUSTEE.schema))
    return feature.context(Caller(language=Language.EN), "", 4_000)


@pytest.mark.parametrize(
    "pack",
    [
        replace(PACK, domain_hints=HINTS),
        replace(PACK, domain_hints={Language.EN: HINTS, Language.DE: "Franken"}),
        replace(PACK, ontology=SILENT.model_copy(update={"domain_hints": HINTS})),
        replace(
            PACK, ontology=SILENT.model_copy(update={"description": "X", "domain_hints": HINTS})
        ),
    ],
    ids=["of the pack", "by language", "of the ontology", "with a description"],
)
def test_c25_a_pack_with_hints_alone_tells_them_and_the_schema(pack: Pack) -> None:
    text = context(pack)
    assert text.startswith(HINTS)
    assert "TrusteeDataAccountBalance" in text
    assert "closingBalance" in text


def test_c25_a_pack_with_neither_tells_the_schema() -> None:
    assert "TrusteeDataAccountBalance" in context(PACK)
    assert "# x" not in context(PACK)


def test_c25_the_command_prints_hints_without_a_schema(tmp_path: Path) -> None:
    file = tmp_path / "hints.json"
    file.write_text(json.dumps({"featureCode": "x", "domainHints": HINTS}), "utf-8")
    done = CliRunner().invoke(app, ["ontology", "prompt", str(file)])
    assert done.exit_code == 0, done.output
    assert done.stdout.strip() == HINTS


def test_c25_the_lean_prompt_is_the_default() -> None:
    assert AgentSettings.model_construct().prompt_tokens == DEFAULT_BUDGET
    whole = compile_prompt(TRUSTEE.ontology, Language.DE, 100_000)
    assert compile_prompt(TRUSTEE.ontology, Language.DE).tokens <= DEFAULT_BUDGET
    assert whole.tokens > 3 * DEFAULT_BUDGET


def test_c25_the_lean_prompt_tells_what_the_right_call_needs() -> None:
    found = told(DEFAULT_BUDGET, needed())
    for what in ("table_told", "call_told"):
        assert found[what]["of"] >= 30
        assert found[what]["count"] >= found[what]["of"] - 1, what
