"""The same data in every mode: what a model is told, and what is done with its calls."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.sample import PACK
from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.trace import ToolCalled
from veridical.contracts.violation import Code, Refusal, Violation
from veridical.evals.gold.load import load_gold
from veridical.evals.gold.oracle import truths_of
from veridical.evals.modes.environment import EvalEnvironment, staged
from veridical.evals.modes.mode import ABLATION, MODES, ModeName
from veridical.evals.modes.unchecked import without_advice
from veridical.sample.postgres import LocalPostgres
from veridical.testing.script import Line, Script
from veridical.trace.recorder import Recorder

(GOLD,) = load_gold("pack:trustee/core")
CASE = GOLD.cases[0]
MIXED = """SELECT SUM("debitAmount") AS "posted" FROM "TrusteeDataJournalLine"
WHERE "accountNumber" LIKE '102%'"""


@pytest.fixture(scope="module")
def stage(postgres_server: LocalPostgres) -> Iterator[EvalEnvironment]:
    with staged(PACK, postgres_server) as opened:
        yield opened


def run(
    stage: EvalEnvironment, mode: ModeName, *lines: Line
) -> tuple[Answer, list[ToolCalled], Script]:
    script, recorder = Script(lines), Recorder("t")
    settings = AgentSettings()
    session = stage.session(MODES[mode], CASE, GOLD, script.model, settings, recorder.emit)
    given = asyncio.run(answer(Question(text=CASE.question, language=CASE.language), session))
    calls = [event for event in recorder.trace.events if isinstance(event, ToolCalled)]
    return given, calls, script


def told(script: Script) -> str:
    return str(script.infos[0].instructions)


def test_each_mode_tells_more_than_the_one_before(stage: EvalEnvironment) -> None:
    prompts = {mode: told(run(stage, mode, "Keine Ahnung.", "Nein.")[2]) for mode in ABLATION}
    assert "Kontenplan" not in prompts[ModeName.BASELINE]
    assert "TrusteeDataAccountBalance" in prompts[ModeName.BASELINE]
    assert "Kontenplan" in prompts[ModeName.HINTS]
    assert prompts[ModeName.VALIDATOR] == prompts[ModeName.HINTS]
    assert "BANK_BALANCE_AT_YEAR_END" in prompts[ModeName.ONTOLOGY]
    assert prompts[ModeName.FULL] == prompts[ModeName.ONTOLOGY]


@pytest.mark.parametrize(
    ("mode", "runs"),
    [(ModeName.BASELINE, True), (ModeName.VALIDATOR, True), (ModeName.ONTOLOGY, False)],
)
def test_only_the_ontology_knows_that_currencies_do_not_add_up(
    stage: EvalEnvironment, mode: ModeName, runs: bool
) -> None:
    _, calls, _ = run(stage, mode, [("executeSqlSafe", {"sql": MIXED})], "1'254'624.39")
    assert calls[0].success is runs


def test_a_column_that_does_not_exist_is_the_database_s_error_without_the_check(
    stage: EvalEnvironment,
) -> None:
    sql = 'SELECT "saldo" FROM "TrusteeDataAccountBalance"'
    call: Line = [("executeSqlSafe", {"sql": sql})]
    _, (bare,), _ = run(stage, ModeName.HINTS, call, "?")
    assert bare.error_details == {"code": "DATABASE_ERROR", "actor": "database"}
    assert bare.validation_failure_code is None
    _, (checked,), _ = run(stage, ModeName.VALIDATOR, call, "?")
    assert checked.validation_failure_code == "FIELD_NOT_FOUND"


def test_no_mode_shows_another_tenant_s_rows(stage: EvalEnvironment) -> None:
    sql = 'SELECT DISTINCT "featureInstanceId" FROM "TrusteeDataContact"'
    for mode in ABLATION:
        given, _, _ = run(stage, mode, [("executeSqlSafe", {"sql": sql})], "?", "?")
        assert {row[0] for source in given.sources for row in source.rows} <= {"m-001-a"}


def test_only_the_full_modes_hold_an_answer_back(stage: EvalEnvironment) -> None:
    made_up = "Der Banksaldo ist 4'444'444.44 CHF."
    for mode in (ModeName.BASELINE, ModeName.ONTOLOGY):
        assert run(stage, mode, made_up)[0].text == made_up
    assert run(stage, ModeName.FULL, made_up, made_up)[0].kind is AnswerKind.UNKNOWN


def test_only_the_product_answers_without_the_model(stage: EvalEnvironment) -> None:
    given, _, script = run(stage, ModeName.PRODUCT)
    assert (given.kind, script.heard) == (AnswerKind.PATTERN, [])


def test_the_truth_of_every_core_question_has_rows(stage: EvalEnvironment) -> None:
    found = truths_of(GOLD, stage.truth)
    assert all(found[case.id].truth.rows for case in GOLD.cases)


def test_advice_is_taken_out_of_a_refusal() -> None:
    violation = Violation(
        code=Code.FIELD_NOT_FOUND, field="saldo", suggestion="closingBalance", hint="Meant ...?"
    )
    plain = without_advice(refused(Refusal(violations=(violation,))))
    assert plain.error == 'column "saldo" does not exist'
    assert "closingBalance" not in plain.model_dump_json()
    right = ToolResult(success=True, data=1)
    assert without_advice(right) == right
