"""What a tool finds in documents on its way to the gate: quotations of it are held against it."""

import asyncio

from tests.sample import ACCOUNTANT, trustee
from veridical.agent.request import LoopOutcome
from veridical.agent.results import as_source
from veridical.answering.context import RunContext, open_run
from veridical.answering.feature import Feature
from veridical.answering.judgement import judged_text
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.proof import GateCode, Proof, Verdict
from veridical.contracts.question import Question
from veridical.contracts.result import Receipt, ToolResult
from veridical.contracts.step import directly

__all__ = ["trustee"]
FOUND = {"chunks": [{"id": "c1", "text": "Rechnungen sind innert 30 Tagen zu bezahlen."}]}
RIGHT = "Es gilt: „Rechnungen sind innert 30 Tagen zu bezahlen.“ [c1]"


def proof_of(feature: Feature, text: str) -> Proof:
    receipt = Receipt(
        call_id="1",
        query_hash="",
        ontology_hash="",
        sql="",
        row_count=1,
        truncated=False,
        elapsed_ms=1,
    )
    source = as_source("searchDocuments", {}, ToolResult(success=True, data=FOUND, receipt=receipt))
    assert source is not None
    assert [chunk.id for chunk in source.chunks] == ["c1"]
    outcome = LoopOutcome(AnswerKind.AGENT, text, (source,))
    session = Session(feature, ACCOUNTANT)
    opening = asyncio.run(open_run("run"))
    run = RunContext(Question(text="Wann ist zu zahlen?"), session, directly, opening)
    proof = asyncio.run(judged_text(outcome, run, 1)).proof
    assert proof is not None
    return proof


def test_a_quotation_is_held_against_what_a_tool_found(trustee: Feature) -> None:
    assert not proof_of(trustee, RIGHT).is_marked
    wrong = proof_of(trustee, RIGHT.replace("30", "60"))
    assert wrong.verdict is Verdict.BLOCK
    assert {finding.code for finding in wrong.findings} == {GateCode.ALTERED_QUOTATION}
