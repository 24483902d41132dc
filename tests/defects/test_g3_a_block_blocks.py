"""What a strict validator or a required tool holds back is shown nowhere, in words or in rows."""

from pathlib import Path

import pytest

from tests.defects.staff import NAMES, asked, skill, sql, staff
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.console.answer_view import answer_view
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Proof, QualityReport, Verdict
from veridical.contracts.result import ToolRun
from veridical.gate import check
from veridical.gate.policy import Policy, ProofPolicy
from veridical.host.query_feature import as_result
from veridical.skills.validation import Submission

__all__ = ["staff"]

QUESTION = "Which staff do we have?"
LISTED = sql("SELECT name, team FROM staff ORDER BY id")
TOLD = "The staff: Erika Mustermann (Sales), Jonas Weber (Sales) and Mia Brunner (Support)."
STRICT = f"validators:\n  - path: {__name__}:without_names"
REQUIRED = "requiredTools: [calculate]"


def without_names(submission: Submission) -> str | None:
    """A host's validator: whoever is employed here is nobody's business."""
    named = [name for name in NAMES if name in submission.answer]
    return f"It names {named[0]}." if named else None


@pytest.mark.parametrize("header", [STRICT, REQUIRED])
@pytest.mark.parametrize("policy", ProofPolicy)
@pytest.mark.parametrize("told", [TOLD, "There are 17 staff, among them Erika Mustermann."])
def test_g3_nothing_that_is_held_back_leaves_the_flow(
    staff: Feature, tmp_path: Path, header: str, policy: ProofPolicy, told: str
) -> None:
    skills, mild = (skill(tmp_path, header),), Policy(policy=policy)
    lines = ([LISTED], told, told, told)
    given, _ = asked(staff, QUESTION, *lines, skills=skills, policy=mild)
    _assert_silent(given)


@pytest.mark.parametrize("header", [STRICT, REQUIRED])
def test_g3_nor_what_was_written_in_facts(staff: Feature, tmp_path: Path, header: str) -> None:
    settings = AgentSettings(answer_form=AnswerForm.FACTS)
    facts = {"a": {"say": "list", "measure": "name"}}
    told = [("finalAnswer", {"facts": facts, "answer": "The staff: {a}"})]
    skills = (skill(tmp_path, header),)
    lines = ([LISTED], told, told, told)
    given, _ = asked(staff, QUESTION, *lines, skills=skills, settings=settings)
    _assert_silent(given)


def _assert_silent(given: Answer) -> None:
    assert given.kind is AnswerKind.UNKNOWN
    assert not given.ok
    assert not as_result(given).success
    assert given.quality is not None
    assert given.quality.verdict is Verdict.BLOCK
    assert not given.sources
    told = given.model_dump_json() + as_result(given).model_dump_json()
    assert not any(part in told for name in NAMES for part in name.split())
    view = answer_view(given)
    assert (view.trust.is_proven, view.sources, view.is_answered) == (False, (), False)
    assert given.proof is None or given.proof.verdict is Verdict.BLOCK


def test_g3_what_the_rows_alone_say_is_judged_anew(staff: Feature, tmp_path: Path) -> None:
    """A validator that has nothing against the rows lets them through, and they count."""
    skills = (skill(tmp_path, STRICT),)
    counted = sql("SELECT team, COUNT(*) AS people FROM staff GROUP BY team ORDER BY team")
    wrong = "Erika Mustermann is one of the 2 in Sales."
    given, _ = asked(staff, QUESTION, [counted], wrong, wrong, wrong, skills=skills)
    assert given.ok, given
    assert "Sales" in given.text
    assert given.quality is not None
    assert given.quality.verdict is not Verdict.BLOCK


def test_g3_an_answer_that_either_gate_blocks_is_not_ok() -> None:
    blocked = QualityReport(skill="s", verdict=Verdict.BLOCK, checks=())
    given = Answer(
        kind=AnswerKind.AGENT, text=TOLD, language=Language.EN, trace_id="t",
        proof=Proof(verdict=Verdict.PASS), quality=blocked,
    )  # fmt: skip
    assert not given.ok
    assert not as_result(given).success


RUNS = (ToolRun(tool="listPeople", success=True),)
ROWS = [{"name": name, "people": 3} for name in NAMES]


@pytest.mark.parametrize("said", [TOLD, "There are 3 people.", "Erika Mustermann is in Sales."])
def test_g3_names_and_small_counts_need_the_required_tools_too(said: str) -> None:
    proof = check(said, ROWS, runs=RUNS, required_tools=["approve"])
    assert GateCode.REQUIRED_TOOL_MISSING in {each.code for each in proof.findings}
    assert proof.verdict is Verdict.BLOCK


@pytest.mark.parametrize("said", ["I looked at the list. What would you like to know?", "Hello!"])
def test_g3_what_gives_no_data_needs_no_tool(said: str) -> None:
    proof = check(said, ROWS, runs=RUNS, required_tools=["approve"])
    assert GateCode.REQUIRED_TOOL_MISSING not in {each.code for each in proof.findings}
