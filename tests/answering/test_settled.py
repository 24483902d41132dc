"""A refusal that rows settle, on each way that a question can go, and what is kept of it."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.tools.contested_shop import REFUSED, member, open_shop
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.question import Question
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.contracts.violation import Code, Mode
from veridical.evals.gold.from_run import NoCaseError, begin_and_end
from veridical.testing.script import Line, Script
from veridical.trace.recorder import Recorder

CALL = ("executeSqlSafe", {"sql": REFUSED})


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_shop(tmp_path_factory.mktemp("shop") / "shop.sqlite")
    yield feature
    feature.engine.database.close()


def asked(feature: Feature, text: str, *lines: Line) -> tuple[Answer, AgentTrace]:
    recorder = Recorder("run")
    session = Session(
        feature, member(1), model=Script(lines).model if lines else None, emit=recorder.emit
    )
    found = asyncio.run(answer(Question(text=text, feature=feature.name), session))
    return found, AgentTrace.model_validate_json(recorder.trace.model_dump_json(by_alias=True))


def calls(trace: AgentTrace) -> list[ToolCalled]:
    return [each for each in trace.events if isinstance(each, ToolCalled)]


def test_a_models_call_is_settled_and_its_trace_says_so(shop: Feature) -> None:
    found, trace = asked(
        shop, "Tell me about the turnover of 2024", [CALL], "It is 30.", "It is 30."
    )
    (call,) = calls(trace)
    assert call.success
    assert call.validation_failure_code is None
    assert call.settled is not None
    assert call.settled.rules == ("COUNTS_ONLY · sale · state <> 'void'",)
    assert len(found.sources) == 1


def test_a_known_question_is_not(shop: Feature) -> None:
    found, trace = asked(shop, "How much is it in total?")
    (call,) = calls(trace)
    assert (call.success, call.settled) == (False, None)
    assert found.kind is AnswerKind.UNKNOWN


def test_a_settled_run_is_no_gold_question(shop: Feature) -> None:
    _, trace = asked(shop, "Tell me about the turnover of 2024", [CALL], "It is 30.", "It is 30.")
    with pytest.raises(NoCaseError) as raised:
        begin_and_end(trace)
    assert raised.value.reason == "settled"


def test_a_settled_doubt_may_be_a_gold_question(shop: Feature) -> None:
    modes = {Code.MISSING_REQUIRED_FILTER: Mode.WARN}
    warning = replace(shop, checker=replace(shop.checker, modes=modes))
    _, trace = asked(
        warning, "Tell me about the turnover of 2024", [CALL], "It is 30.", "It is 30."
    )
    (call,) = calls(trace)
    assert call.settled is not None
    assert call.settled.doubted
    begun, _ = begin_and_end(trace)
    assert begun.question.text == "Tell me about the turnover of 2024"
