"""The loop for a model that only queries: the host writes the answer."""

from dataclasses import replace

from tests.agent.test_loop import ASKED, run
from veridical.agent.answer_form import AnswerForm
from veridical.contracts.answer import AnswerKind

REQUEST = replace(ASKED, tool_choice_required=True, answer_form=AnswerForm.ROWS)


def test_the_first_result_ends_the_run() -> None:
    seen, script = run([("lookUp", {"yaer": 1})], [("lookUp", {"year": 2025})],
                       request=REQUEST)  # fmt: skip
    outcome = seen.outcome
    assert (outcome.kind, outcome.text, outcome.composed) == (AnswerKind.AGENT, "", True)
    assert outcome.form is AnswerForm.FACTS
    assert [source.arguments for source in outcome.sources] == [{"year": 2025}]
    assert not any(info.output_tools or info.allow_text_output for info in script.infos)


def test_words_are_no_answer() -> None:
    seen, _ = run("It is 4711.50.", "It is 4711.50.", request=REQUEST)
    assert (seen.outcome.kind, seen.outcome.sources) == (AnswerKind.FAILED, ())
    assert "4711" not in seen.outcome.text


def test_anew_it_needs_another_result() -> None:
    first, _ = run([("lookUp", {"year": 2024})], request=REQUEST)
    again = replace(REQUEST, resumes=first.outcome, feedback="Not 2024.", anew=True)
    seen, script = run([("lookUp", {"year": 2024})], [("lookUp", {"year": 2025})],
                       request=again)  # fmt: skip
    assert [arguments for _, arguments in seen.scripted.calls] == [{"year": 2025}]
    assert len(seen.outcome.sources) == 2
    assert script.heard[0][-1].parts[0].content == "Not 2024."  # pyright: ignore[reportAttributeAccessIssue]
