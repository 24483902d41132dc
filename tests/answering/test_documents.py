"""What a tool finds in documents on its way to the gate: quotations of it are held against it."""

import asyncio

import pytest

from tests.sample import ACCOUNTANT, trustee
from veridical.agent.request import LoopOutcome
from veridical.agent.results import as_source
from veridical.answering.context import RunContext, open_run
from veridical.answering.feature import Feature
from veridical.answering.judgement import judged
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.proof import GateCode, Proof
from veridical.contracts.question import Question
from veridical.contracts.result import Receipt, ToolResult
from veridical.contracts.step import directly
from veridical.gate.policy import Policy, ProofPolicy

__all__ = ["trustee"]
FOUND = {"chunks": [{"id": "c1", "text": "Rechnungen sind innert 30 Tagen zu bezahlen."}]}
RIGHT = "Es gilt: „Rechnungen sind innert 30 Tagen zu bezahlen.“ [c1]"


def proof_of(feature: Feature, policy: ProofPolicy, text: str) -> Proof:
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
    session = Session(feature, ACCOUNTANT, policy=Policy(policy=policy))
    opening = asyncio.run(open_run("run"))
    run = RunContext(Question(text="Wann ist zu zahlen?"), session, directly, opening)
    proof = asyncio.run(judged(outcome, run, 1)).proof
    assert proof is not None
    return proof


@pytest.mark.parametrize("policy", [ProofPolicy.STRICT, ProofPolicy.MARK, ProofPolicy.WORDINGS])
def test_a_quotation_is_held_against_what_a_tool_found(
    trustee: Feature, policy: ProofPolicy
) -> None:
    assert proof_of(trustee, policy, RIGHT).ok
    wrong = proof_of(trustee, policy, RIGHT.replace("30", "60"))
    assert not wrong.ok
    assert {finding.code for finding in wrong.findings} == {GateCode.ALTERED_QUOTATION}
