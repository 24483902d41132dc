import asyncio
import json
from dataclasses import replace

import pytest
from pydantic_ai.exceptions import ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelRequest, ModelResponse, ToolReturnPart, UserPromptPart

from tests.agent.scripted_tools import Watched, watch
from veridical.agent.budget import Budget, Price
from veridical.agent.request import LoopRequest
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.question import Turn
from veridical.contracts.trace import BudgetSpent, ModelCalled, ToolCalled
from veridical.testing.script import Line, Script

ASKED = LoopRequest("What is the balance?", "Be exact.")


def run(*lines: Line, request: LoopRequest = ASKED) -> tuple[Watched, Script]:
    script = Script(lines)
    return asyncio.run(watch(script.model, request)), script


def test_an_answer_rests_on_what_the_tools_gave() -> None:
    seen, _ = run([("lookUp", {"year": 2025})], "It is 4711.50.")
    outcome = seen.outcome
    assert (outcome.kind, outcome.text) == (AnswerKind.AGENT, "It is 4711.50.")
    (source,) = outcome.sources
    assert (source.tool, source.arguments) == ("lookUp", {"year": 2025})
    assert source.columns == ("year", "account", "balance")
    assert source.rows == ((2025, "1020", "4711.50"),)
    assert (outcome.usage.rounds, outcome.usage.model_calls, outcome.usage.tool_calls) == (2, 2, 1)
    assert outcome.usage.input_tokens > 0
    assert outcome.usage.cost is None


def test_events_tell_the_run_in_order() -> None:
    seen, _ = run([("lookUp", {"year": 2025})], "It is 4711.50.")
    first, tool, second = seen.events
    assert isinstance(first, ModelCalled)
    assert isinstance(tool, ToolCalled)
    assert isinstance(second, ModelCalled)
    assert (first.round, tool.round, second.round) == (1, 1, 2)
    assert first.tool_names == ("lookUp",)
    assert (tool.success, tool.validation_failure_code) == (True, None)
    assert tool.receipt
    assert second.text == "It is 4711.50."
    assert first.at <= tool.at <= second.at
    assert [(each.stage, each.text) for each in seen.progress] == [
        ("asking", ""),
        ("calling", "lookUp"),
        ("asking", ""),
    ]


def test_sibling_calls_are_all_made_in_their_order() -> None:
    seen, script = run(
        [("lookUp", {"year": 2024}), ("lookUp", {"oops": 1}), ("calculate", {"year": 2023})],
        "Done.",
    )
    assert [arguments for _, arguments in seen.scripted.calls] == [
        {"year": 2024},
        {"oops": 1},
        {"year": 2023},
    ]
    returned = _returns(script, 1)
    assert [part.tool_call_id for part in returned] == ["call-1-0", "call-1-1", "call-1-2"]
    assert {event.round for event in seen.tools} == {1}


def test_a_refused_call_comes_back_with_what_to_change() -> None:
    seen, script = run([("lookUp", {"yaer": 2025})], [("lookUp", {"year": 2025})], "4711.50")
    (returned,) = _returns(script, 1)
    told = json.loads(str(returned.content))
    assert told["success"] is False
    assert told["errorDetails"]["code"] == "FIELD_NOT_FOUND"
    assert told["errorDetails"]["field"] == "yaer"
    assert seen.tools[0].validation_failure_code == "FIELD_NOT_FOUND"
    assert seen.outcome.kind is AnswerKind.AGENT
    assert len(seen.outcome.sources) == 1


def test_an_identical_call_is_refused_without_running_it() -> None:
    call = ("lookUp", {"year": 2025})
    seen, script = run([call], [call], "4711.50")
    assert len(seen.scripted.calls) == 1
    (returned,) = _returns(script, 2)
    details = json.loads(str(returned.content))["errorDetails"]
    assert (details["code"], details["stop"]) == ("REPEATED_CALL", False)
    assert [event.validation_failure_code for event in seen.tools] == [None, "REPEATED_CALL"]


def test_three_rounds_refused_alike_end_honestly() -> None:
    lines: list[Line] = [[("lookUp", {f"wrong{number}": 1})] for number in range(4)]
    seen, script = run(*lines)
    assert seen.outcome.kind is AnswerKind.UNKNOWN
    assert seen.outcome.reason == "FIELD_NOT_FOUND"
    assert len(script.heard) == 3
    assert "There is no field wrong2." in seen.outcome.text


def test_progress_between_refusals_keeps_the_run_going() -> None:
    lines: list[Line] = []
    for number in range(3):
        lines += [[("lookUp", {f"wrong{number}": 1})], [("lookUp", {"year": number})]]
    seen, _ = run(*lines, "Done.")
    assert seen.outcome.kind is AnswerKind.AGENT


def test_siblings_refused_alike_count_as_one_attempt() -> None:
    seen, _ = run([("lookUp", {f"w{n}": 1}) for n in range(5)], [("lookUp", {"year": 1})], "Done.")
    assert seen.outcome.kind is AnswerKind.AGENT


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(rounds=2), "rounds"),
        (Budget(tokens=10), "tokens"),
        (Budget(cost=0.000001), "cost"),
        (Budget(wall_seconds=0.0001), "wallSeconds"),
    ],
)
def test_a_spent_budget_ends_honestly(budget: Budget, limit: str) -> None:
    lines: list[Line] = [[("lookUp", {"year": year})] for year in range(9)]
    request = replace(ASKED, budget=budget, price=Price(input=1, output=1))
    seen, _ = run(*lines, request=request)
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.UNKNOWN, limit)
    last = seen.events[-1]
    assert isinstance(last, BudgetSpent)
    assert last.limit == limit
    assert last.value > 0


def test_the_price_gives_the_cost() -> None:
    seen, _ = run("Hello.", request=replace(ASKED, price=Price(input=2_000_000, output=0)))
    assert seen.outcome.usage.cost == 2 * seen.outcome.usage.input_tokens
    assert seen.models[0].cost == seen.outcome.usage.cost


@pytest.mark.parametrize("language", list(Language))
def test_a_broken_provider_gives_a_friendly_text_and_a_complete_trace(language: Language) -> None:
    error = ModelHTTPError(503, "scripted", {"secret": "sk-123"})
    seen, _ = run([("lookUp", {"year": 1})], error, request=replace(ASKED, language=language))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "server")
    assert seen.models[-1].error == "server (503)"
    assert len(seen.events) == 3
    assert "sk-123" not in repr(seen)


def test_an_unreadable_answer_is_a_failure() -> None:
    seen, _ = run(UnexpectedModelBehavior("no choices", "sk-123"))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "unreadable")


def test_malformed_arguments_may_be_mended() -> None:
    seen, script = run([("lookUp", '{"year": 20')], [("lookUp", {"year": 2025})], "4711.50")
    (returned,) = _returns(script, 1)
    assert json.loads(str(returned.content))["errorDetails"]["code"] == "MALFORMED_ARGUMENTS"
    assert seen.outcome.kind is AnswerKind.AGENT
    assert len(seen.scripted.calls) == 1


def test_arguments_that_stay_malformed_are_a_failure() -> None:
    seen, _ = run(*([("lookUp", f'{{"year": {year}')] for year in range(3)))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "unreadable")
    assert seen.scripted.calls == []
    assert len(seen.events) == 6


def test_an_empty_answer_is_asked_for_once_more() -> None:
    seen, script = run("", "Here it is.")
    assert seen.outcome.text == "Here it is."
    assert [type(each.parts[0]) for each in script.heard[1]] == [UserPromptPart, UserPromptPart]
    again, _ = run("", "")
    assert (again.outcome.kind, again.outcome.reason) == (AnswerKind.FAILED, "unreadable")


def test_a_broken_tool_ends_the_run_after_its_siblings(caplog: pytest.LogCaptureFixture) -> None:
    seen, _ = run([("lookUp", {"broken": 1}), ("lookUp", {"year": 2025})])
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "tool_broke")
    assert len(seen.scripted.calls) == 2
    assert "a bug" not in seen.outcome.text
    assert "a bug" in caplog.text


def test_data_that_is_away_ends_the_run() -> None:
    seen, _ = run([("lookUp", {"down": 1})])
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "data_unavailable")
    assert seen.tools[0].validation_failure_code is None


class TestFinalAnswerAsATool:
    request = replace(ASKED, tool_choice_required=True)

    def test_it_ends_the_run(self) -> None:
        seen, script = run(
            [("lookUp", {"year": 2025})],
            [("finalAnswer", {"text": "4711.50"})],
            request=self.request,
        )
        assert (seen.outcome.kind, seen.outcome.text) == (AnswerKind.AGENT, "4711.50")
        assert seen.outcome.usage.tool_calls == 1
        assert not script.infos[0].allow_text_output
        assert [tool.name for tool in script.infos[0].output_tools] == ["finalAnswer"]

    def test_each_result_reminds_of_it(self) -> None:
        call = ("lookUp", {"year": 2025})
        _, script = run([call], [call], [("finalAnswer", {"text": "4"})], request=self.request)
        first, repeated = (json.loads(str(_returns(script, turn)[0].content)) for turn in (1, 2))
        assert "finalAnswer" in first["next"]
        assert repeated["errorDetails"]["hint"] == first["next"]
        _, plain = run([call], "4")
        assert "next" not in json.loads(str(_returns(plain, 1)[0].content))

    def test_it_is_not_taken_before_the_results(self) -> None:
        seen, script = run(
            [("lookUp", {"year": 2025}), ("finalAnswer", {"text": "guessed 12"})],
            [("finalAnswer", {"text": "4711.50"})],
            request=self.request,
        )
        assert seen.outcome.text == "4711.50"
        early = json.loads(str(_returns(script, 1)[1].content))
        assert early["errorDetails"]["code"] == "ANSWER_TOO_EARLY"

    def test_without_text_it_is_refused(self) -> None:
        lines: list[Line] = [[("finalAnswer", {})], [("finalAnswer", {"text": " "})]]
        seen, _ = run(*lines, [("finalAnswer", {"text": "4711.50"})], request=self.request)
        assert seen.outcome.text == "4711.50"

    def test_with_evidence_first_it_is_offered_once_a_tool_has_succeeded(self) -> None:
        _, script = run(
            [("lookUp", {"year": "last"})],
            [("lookUp", {"year": 2025})],
            [("finalAnswer", {"text": "4711.50"})],
            request=replace(self.request, evidence_first=True),
        )
        offered = [[tool.name for tool in info.output_tools] for info in script.infos]
        assert offered == [[], [], ["finalAnswer"]]
        assert not any(info.allow_text_output for info in script.infos)

    def test_a_tool_that_is_only_repeated_has_a_rest(self) -> None:
        call = ("lookUp", {"year": "last"})
        _, script = run(
            [call],
            [call],
            [("calculate", {"year": 2025})],
            [("finalAnswer", {"text": "4711.50"})],
            request=replace(self.request, hint="Try calculate."),
        )
        offered = [[tool.name for tool in info.function_tools] for info in script.infos]
        assert offered == [["lookUp", "calculate"]] * 2 + [["calculate"], ["lookUp", "calculate"]]
        repeated = json.loads(str(_returns(script, 2)[0].content))
        assert repeated["errorDetails"]["hint"] == "Try calculate."

    def test_some_tools_may_come_first(self) -> None:
        _, script = run(
            [("calculate", {"year": "last"})],
            [("lookUp", {"year": 2025})],
            [("finalAnswer", {"text": "4711.50"})],
            request=replace(self.request, first_tools=("calculate",)),
        )
        offered = [[tool.name for tool in info.function_tools] for info in script.infos]
        assert offered == [["calculate"], ["lookUp", "calculate"], ["lookUp", "calculate"]]

    def test_a_result_in_words_is_shown_by_the_host(self) -> None:
        seen, script = run(
            [("lookUp", {"inWords": 2025})],
            [("showResult", {})],
            request=replace(self.request, results_in_words=True),
        )
        assert (seen.outcome.kind, seen.outcome.composed) == (AnswerKind.AGENT, True)
        assert seen.outcome.shown is seen.outcome.sources[0]
        told = json.loads(str(_returns(script, 1)[0].content))
        assert told["answer"] == "Saldo 2025: 4711.50"
        assert "showResult" in told["next"]
        assert "data" not in told

    def test_without_words_there_is_nothing_to_show(self) -> None:
        seen, _ = run(
            [("lookUp", {"year": 2025})],
            [("showResult", {})],
            [("finalAnswer", {"text": "4711.50"})],
            request=replace(self.request, results_in_words=True),
        )
        assert seen.outcome.text == "4711.50"

    def test_what_is_shown_is_the_result_that_was_put_into_words_last(self) -> None:
        seen, _ = run(
            [("lookUp", {"inWords": 2024}), ("lookUp", {"year": 2023}), ("lookUp", {"inWords": 5})],
            [("showResult", {})],
            request=replace(self.request, results_in_words=True),
        )
        assert len(seen.outcome.sources) == 3
        assert seen.outcome.shown == seen.outcome.sources[2]
        own, _ = run([("lookUp", {"inWords": 5})], [("finalAnswer", {"text": "5"})])
        assert own.outcome.shown is None

    def test_a_server_that_sends_text_after_all_is_heard(self) -> None:
        seen, _ = run("4711.50", request=self.request)
        assert (seen.outcome.kind, seen.outcome.text) == (AnswerKind.AGENT, "4711.50")


class TestAnswerThatWasNotAccepted:
    request = replace(ASKED, tool_choice_required=True, evidence_first=True, results_in_words=True)
    call = ("lookUp", {"inWords": 2023})

    def again(self, *lines: Line, anew: bool = True, hint: str = "") -> tuple[Watched, Script]:
        seen, _ = run([self.call], [("showResult", {})], request=self.request)
        resumed = replace(
            self.request, resumes=seen.outcome, feedback="Not 2023.", anew=anew, hint=hint
        )
        return run(*lines, request=resumed)

    def test_the_call_that_ended_the_run_hears_why(self) -> None:
        seen, script = self.again([("finalAnswer", {"text": "4711.50"})], anew=False)
        said, heard = script.heard[0][-2:]
        assert isinstance(said, ModelResponse)
        (returned,) = _returns(script, 0)
        assert (returned.tool_name, returned.content) == ("showResult", "Not 2023.")
        assert [returned.tool_call_id] == [call.tool_call_id for call in said.tool_calls]
        assert not any(isinstance(part, UserPromptPart) for part in heard.parts)
        assert seen.outcome.text == "4711.50"

    def test_words_hear_it_in_words(self) -> None:
        seen, _ = run("It is 12.", request=ASKED)
        _, script = run("4711.50", request=replace(ASKED, resumes=seen.outcome, feedback="No."))
        assert [part.content for part in script.heard[0][-1].parts] == ["No."]  # pyright: ignore[reportAttributeAccessIssue]

    def test_anew_it_ends_only_after_a_new_result(self) -> None:
        lines: list[Line] = [[("lookUp", {"inWords": 2024})], [("showResult", {})]]
        seen, script = self.again(*lines)
        offered = [[tool.name for tool in info.output_tools] for info in script.infos]
        assert offered == [[], ["finalAnswer", "showResult"]]
        assert seen.outcome.shown == seen.outcome.sources[1]
        assert len(seen.outcome.sources) == 2
        _, kept = self.again([("finalAnswer", {"text": "4711.50"})], anew=False)
        assert len(kept.infos[0].output_tools) == 2

    def test_anew_the_same_call_is_not_made_again(self) -> None:
        lines: list[Line] = [[self.call], [("calculate", {"year": 4})], [("showResult", {})]]
        seen, script = self.again(*lines[:2], [("finalAnswer", {"text": "4"})], hint="Try 2024.")
        assert [name for name, _ in seen.scripted.calls] == ["calculate"]
        hint = json.loads(str(_returns(script, 1)[0].content))["errorDetails"]["hint"]
        assert hint.startswith("Same call as before")
        assert hint.endswith("Try 2024.")
        kept, _ = self.again([self.call], [("showResult", {})], anew=False)
        assert [name for name, _ in kept.scripted.calls] == ["lookUp"]


@pytest.mark.parametrize("as_tool", [False, True])
def test_the_answer_is_streamed_piece_by_piece(as_tool: bool) -> None:
    text = "Der Saldo «Bank» beträgt 4'711.50.\nEnde."
    final: Line = [("finalAnswer", {"text": text})] if as_tool else text
    request = replace(ASKED, stream=True, tool_choice_required=as_tool)
    seen, _ = run([("lookUp", {"year": 2025})], final, request=request)
    written = [each.text for each in seen.progress if each.stage == "writing"]
    assert len(written) > 3
    assert "".join(written) == text == seen.outcome.text


def test_earlier_turns_and_the_date_come_before_the_question() -> None:
    thread = (Turn(question="Balance 2025?", answer="4711.50"),)
    request = replace(ASKED, question="And for 2024?", thread=thread, today="2026-11-15")
    _, script = run("12.00", request=request)
    first, second, last = script.heard[0]
    assert isinstance(first, ModelRequest)
    assert isinstance(second, ModelResponse)
    assert first.parts[0].content == "Balance 2025?"  # pyright: ignore[reportAttributeAccessIssue]
    assert second.text == "4711.50"
    assert last.parts[0].content == "Today is 2026-11-15.\nAnd for 2024?"  # pyright: ignore[reportAttributeAccessIssue]
    assert script.infos[0].instructions == "Be exact."


def _returns(script: Script, turn: int) -> list[ToolReturnPart]:
    parts = script.heard[turn][-1].parts
    return [part for part in parts if isinstance(part, ToolReturnPart)]
