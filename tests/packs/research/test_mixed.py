"""Questions that need a table and a document, end to end: the proof of a right answer carries the
cell and the passage; what is altered, mixed up or wrongly cited is never shown
without a mark."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.contracts.answer import Answer
from veridical.contracts.proof import ClaimKind, Ground, Standing, Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import AgentTrace, Gated
from veridical.evals.execution.attempt import EventLog
from veridical.evals.gold.case import Case
from veridical.evals.gold.load import read_gold
from veridical.evals.gold.oracle import truth_of
from veridical.evals.modes.environment import EvalEnvironment, staged
from veridical.evals.modes.mode import MODES, ModeName
from veridical.evals.scoring.record import Outcome
from veridical.evals.scoring.score import score
from veridical.packs.research import pack
from veridical.sample.postgres import LocalPostgres
from veridical.testing.script import Script
from veridical.tools.evidence import SEARCH_EVIDENCE

pytestmark = pytest.mark.postgres

assert pack.gold is not None
GOLD = read_gold(pack.gold / "mixed.yaml")
CASES: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "mixed.yaml").read_text("utf-8")
)
BAD = [(name, at) for name, told in CASES.items() for at in range(len(told["bad"]))]
_CITED = re.compile(r"\[\[(.+?)\]\]")
_NOWHERE = "doc-999999#1"


@pytest.fixture(scope="module")
def stage(postgres_server: LocalPostgres) -> Iterator[EvalEnvironment]:
    with staged(pack, postgres_server, "sample_trustee") as opened:
        yield opened


def case_of(name: str) -> Case:
    return next(each for each in GOLD.cases if each.id == name)


def table_call(told: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    filters = [
        {"field": "accountNumber", "op": "=", "value": told["account"]},
        {"field": "periodYear", "op": "=", "value": told.get("year", 2025)},
        {"field": "periodMonth", "op": "=", "value": 0},
    ]
    fields = ["accountNumber", "periodYear", told["column"], "currency"]
    named = {"tableName": "TrusteeDataAccountBalance", "fields": fields, "filters": filters}
    return "queryTable", named


def filled(text: str, told: dict[str, Any], stage: EvalEnvironment, case: Case) -> str:
    """The text with the booked figure, and with the ids of the passages it cites."""
    session = stage.session(MODES[ModeName.FULL], case, GOLD, None, AgentSettings(), _deaf)
    found = session.toolbox.call(SEARCH_EVIDENCE, {"question": told["search"]})
    rows = session.toolbox.call(*table_call(told))
    assert found.success, found
    assert rows.success, rows
    booked = dict(zip(rows.data["columns"], rows.data["rows"][0], strict=True))[told["column"]]
    chunks = found.data["chunks"]

    def cited(match: re.Match[str]) -> str:
        named = (each["id"] for each in chunks if match[1] in each["text"])
        return f"[{next(named, _NOWHERE)}]"

    return _CITED.sub(cited, text).replace(f"{{{told['column']}}}", str(booked))


def _deaf(_: object) -> None: ...


def asked(name: str, text: str, stage: EvalEnvironment) -> tuple[Answer, AgentTrace]:
    told, case = CASES[name], case_of(name)
    spoken = filled(text, told, stage, case)
    calls = [table_call(told), (SEARCH_EVIDENCE, {"question": told["search"]})]
    script = Script([calls, spoken, spoken, spoken])
    log = EventLog()
    session = stage.session(
        MODES[ModeName.FULL], case, GOLD, script.model, AgentSettings(), log.emit
    )
    question = Question(text=case.question, feature=GOLD.feature, language=case.language)
    return asyncio.run(answer(question, session)), log.trace(name)


@pytest.mark.parametrize("name", CASES)
def test_a_right_answer_is_shown_with_both_proofs(name: str, stage: EvalEnvironment) -> None:
    told, case = CASES[name], case_of(name)
    shown, trace = asked(name, told["good"], stage)
    assert shown.ok, (shown.text, shown.proof)
    assert shown.proof is not None
    bindings = [
        each.binding
        for each in shown.proof.claims
        if each.standing is Standing.GROUNDED and each.binding is not None
    ]
    quoted = next(each for each in bindings if each.ground is Ground.PASSAGE).passages[0]
    assert quoted.source.startswith("https://"), "the proof leads to the document"
    assert quoted.text
    assert told["column"] in {each.column for each in bindings if each.ground is Ground.CELL}
    assert any(each.kind is ClaimKind.QUOTATION for each in shown.proof.claims)
    assert [bool(each.chunks) for each in shown.sources] == [False, True]
    truth = truth_of(case, GOLD, stage.truth)
    judged = score(case, case.question, truth, shown, trace)
    assert judged.outcome is Outcome.CORRECT, judged


@pytest.mark.parametrize(("name", "at"), BAD)
def test_a_wrong_one_is_not_shown_unmarked(name: str, at: int, stage: EvalEnvironment) -> None:
    told = CASES[name]["bad"][at]
    shown, trace = asked(name, told["text"], stage)
    first = next(each for each in trace.events if isinstance(each, Gated))
    is_figure = "UNGROUNDED_CLAIM" in told["codes"]  # those are marked, quotations held back
    assert first.verdict is (Verdict.WARN if is_figure else Verdict.BLOCK), shown.text
    assert {each.code.value for each in first.findings} & set(told["codes"]), first.findings
    assert shown.text != filled(told["text"], CASES[name], stage, case_of(name))


def test_there_are_cases_in_three_languages() -> None:
    assert set(CASES) == {each.id for each in GOLD.cases}
    assert len(GOLD.cases) >= 10
    assert len({each.language for each in GOLD.cases}) == 3
