"""What was caught on the way to an answer: from the events of its run alone."""

from typing import Any

from veridical.console.caught import caught_in
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.facts_answer import FactsAnswer, Show, State, StatedSentence
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Verdict
from veridical.contracts.trace import Gated, ToolCalled

ANSWER = Answer(kind=AnswerKind.AGENT, text="", language=Language.EN, trace_id="t")
SUM: dict[str, Any] = {
    "tableName": "AccountBalance",
    "aggregate": "sum",
    "field": "closingBalance",
    "groupBy": ["periodMonth"],
}


def _call(code: str | None, **arguments: Any) -> ToolCalled:
    return ToolCalled(
        at=1.0,
        round=1,
        tool="aggregateTable",
        arguments=arguments,
        success=code is None,
        validation_failure_code=code,
        error_details={"hint": "Balances are not added over months."},
    )


def _gated(verdict: Verdict, *claims: str) -> Gated:
    findings = tuple(
        Finding(code=GateCode.UNGROUNDED_CLAIM, hint="No result has it.", claim=claim)
        for claim in claims
    )
    return Gated(at=2.0, attempt=1, text="", verdict=verdict, findings=findings)


def test_a_refused_call_says_what_was_tried_and_why_not() -> None:
    (caught,) = caught_in([_call("NOT_ADDITIVE", **SUM), _call(None, **SUM)], ANSWER)
    assert "sum(closingBalance) · periodMonth · AccountBalance: refused" in caught.text
    assert caught.reason == "Balances are not added over months."
    assert caught.code == "NOT_ADDITIVE"


def test_a_call_in_sql_is_named_by_its_statement_which_may_be_long() -> None:
    (caught,) = caught_in([_call("TOO_COMPLEX", sql=f"SELECT  {'x, ' * 200}y")], ANSWER)
    assert "SELECT x, x" in caught.text
    assert "…" in caught.text


def test_what_a_blocked_attempt_wrote_is_named_and_nothing_of_one_that_passed() -> None:
    events = [_gated(Verdict.BLOCK, "999,000.00", ""), _gated(Verdict.WARN, "5")]
    wrote, sent_back = caught_in(events, ANSWER)
    assert "“999,000.00”: not shown" in wrote.text
    assert "sent back" in sent_back.text


def test_a_replaced_sentence_is_named() -> None:
    sentence = StatedSentence(text="X is 1.", state=State.EXACT, replaces="X rose a lot.")
    facts = FactsAnswer(policy=Show.REVIEWED, sentences=(sentence,))
    (caught,) = caught_in([], ANSWER.model_copy(update={"facts": facts}))
    assert "X rose a lot." in caught.text


def test_the_same_mistake_counts_once() -> None:
    assert len(caught_in([_call("X", **SUM), _call("X", **SUM)], ANSWER)) == 1
