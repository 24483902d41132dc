"""An answer between model and user: blocked, written anew, replaced by rows, or refused."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.agent.people import Person, decision, denying
from tests.balance_asked import CALL, INVENTED, QUESTION
from tests.sample import ACCOUNTANT, trustee
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.person import Approvals, unanswered
from veridical.contracts.proof import GateCode, Verdict
from veridical.contracts.question import Question, Turn
from veridical.contracts.trace import Gated, Routed, ToolCalled
from veridical.contracts.violation import Mode
from veridical.gate.log import Interception, read_log
from veridical.gate.policy import Policy
from veridical.gate.proof_marks import SIGN
from veridical.skills.load import load_skill
from veridical.testing.replay import RecordedSteps
from veridical.testing.script import Line, Script
from veridical.trace.counters import counters
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]


def asked(
    feature: Feature, *lines: Line, question: str = QUESTION, **parts: Any
) -> tuple[Answer, Recorder, Script]:
    script, recorder = Script(lines), Recorder("run")
    session = replace(Session(feature, ACCOUNTANT, script.model, emit=recorder.emit), **parts)
    given = asyncio.run(answer(Question(text=question), session))
    return given, recorder, script


@pytest.fixture(scope="session")
def right(trustee: Feature) -> str:
    """The true answer, from the books."""
    toolbox = trustee.toolbox(ACCOUNTANT)
    row = toolbox.call(*CALL).data["rows"][0]
    return f"Konto 1020 stand Ende 2024 bei CHF {float(row[3]):,.2f}.".replace(",", "'")


def verdicts(recorder: Recorder) -> list[Verdict]:
    return [event.verdict for event in recorder.trace.events if isinstance(event, Gated)]


def test_a_true_answer_is_shown_with_its_proof(trustee: Feature, right: str) -> None:
    given, recorder, _ = asked(trustee, [CALL], right)
    assert given.text == right, [e for e in recorder.trace.events if isinstance(e, Gated)]
    assert given.proof is not None
    assert given.proof.verdict is Verdict.PASS
    bound = [claim for claim in given.proof.claims if claim.binding]
    assert any(claim.binding and claim.binding.column == "closingBalance" for claim in bound)
    assert verdicts(recorder) == [Verdict.PASS]


def test_an_invented_figure_is_shown_with_a_mark(trustee: Feature) -> None:
    given, recorder, _ = asked(trustee, [CALL], INVENTED)
    assert verdicts(recorder) == [Verdict.WARN]
    assert f"987'654.32{SIGN}" in given.text
    assert counters(recorder.trace).answers_blocked == 0


def test_an_invention_without_any_evidence_is_refused_with_what_to_do(trustee: Feature) -> None:
    given, _, _ = asked(trustee, INVENTED, INVENTED)
    assert given.kind is AnswerKind.UNKNOWN
    assert given.language is Language.DE
    assert "987'654.32" not in given.text
    assert "NO_EVIDENCE" not in given.text
    assert given.proof is not None
    assert GateCode.NO_EVIDENCE in {finding.code for finding in given.proof.findings}


def test_a_rule_in_shadow_lets_the_answer_through(trustee: Feature) -> None:
    shadow = Policy(modes=dict.fromkeys(GateCode, Mode.SHADOW))
    given, _, _ = asked(trustee, [CALL], INVENTED, policy=shadow)
    assert f"987'654.32{SIGN}" in given.text
    assert given.proof is not None
    assert {finding.mode for finding in given.proof.findings} == {Mode.SHADOW}


def test_interceptions_are_logged(trustee: Feature, tmp_path: Path) -> None:
    log = tmp_path / "gate.jsonl"
    asked(trustee, [CALL], INVENTED, policy=Policy(log=str(log)))
    (entry,) = read_log(log)
    assert isinstance(entry, Interception)
    assert entry.verdict is Verdict.WARN


def test_a_replayed_run_is_judged_alike(trustee: Feature, right: str) -> None:
    steps = RecordedSteps()
    script = Script([[CALL], INVENTED, right])
    session = Session(trustee, ACCOUNTANT, script.model)
    first = asyncio.run(answer(Question(text=QUESTION), session, steps))
    sealed = RecordedSteps(steps.results, sealed=True)
    assert asyncio.run(answer(Question(text=QUESTION), session, sealed)) == first


def test_a_follow_up_may_not_even_repeat_what_the_thread_says(trustee: Feature) -> None:
    told = "Die Bank stand Ende 2025 bei CHF 12'345.60."
    recorder = Recorder("run")
    session = Session(trustee, ACCOUNTANT, Script([told, told]).model, emit=recorder.emit)
    turn = Turn(question="Bank Ende 2025?", answer=told)
    given = asyncio.run(answer(Question(text="Und nochmals?", thread=(turn,)), session))
    assert set(verdicts(recorder)) == {Verdict.BLOCK}
    assert given.kind is AnswerKind.UNKNOWN
    assert "12'345.60" not in given.text


def of_year(year: int) -> tuple[str, dict[str, Any]]:
    tool, arguments = CALL
    given: list[Any] = list(arguments["filters"])
    others = [each for each in given if each["field"] != "periodYear"]
    filters = [*others, {"field": "periodYear", "op": "=", "value": year}]
    return tool, {**arguments, "filters": filters}


def told_year(feature: Feature, year: int) -> str:
    """The true balance of one year, told as if it were that of the year that was asked for."""
    row = feature.toolbox(ACCOUNTANT).call(*of_year(year)).data["rows"][0]
    return f"Das Konto 1020 stand bei CHF {float(row[3]):,.2f}.".replace(",", "'")


def amount(told: str) -> str:
    return told.rpartition("bei ")[2].rstrip(".")


def tools(recorder: Recorder) -> list[ToolCalled]:
    return [event for event in recorder.trace.events if isinstance(event, ToolCalled)]


def test_evidence_about_another_year_goes_back_with_what_was_asked(
    trustee: Feature, right: str
) -> None:
    wrong = told_year(trustee, 2023)
    given, recorder, script = asked(trustee, [of_year(2023)], wrong, [CALL], right)
    assert given.text == right
    assert verdicts(recorder) == [Verdict.BLOCK, Verdict.PASS]
    heard = str(script.heard[2][-1])
    assert "Ende 2024" in heard
    assert "periodYear = 2023" in heard


def test_rows_about_another_year_are_never_retold(trustee: Feature) -> None:
    wrong = told_year(trustee, 2023)
    given, recorder, _ = asked(trustee, [of_year(2023)], wrong, wrong)
    figure = wrong.rpartition("CHF ")[2].rstrip(".")
    assert given.kind is AnswerKind.UNKNOWN
    assert figure not in given.text
    assert "Ende 2024" in given.text
    assert "2023" in given.text
    assert given.proof is not None
    assert [each.code for each in given.proof.findings] == [GateCode.QUESTION_NOT_COVERED]
    assert counters(recorder.trace).answers_blocked >= 1


def test_beside_a_new_result_the_old_one_proves_nothing(trustee: Feature) -> None:
    wrong = told_year(trustee, 2023)
    given, recorder, _ = asked(trustee, [of_year(2023)], wrong, [CALL], wrong)
    figure = wrong.rpartition("CHF ")[2].rstrip(".")
    assert verdicts(recorder)[:2] == [Verdict.BLOCK, Verdict.WARN]
    assert f"{figure}{SIGN}" in given.text
    assert [source.arguments for source in given.sources] == [CALL[1]]


BY_TOOL = AgentSettings(tool_choice_required=True, evidence_first=True)


def test_evidence_about_another_year_must_be_fetched_anew_before_an_answer(
    trustee: Feature, right: str
) -> None:
    wrong = told_year(trustee, 2023)
    given, recorder, script = asked(
        trustee,
        [of_year(2023)],
        [("finalAnswer", {"text": wrong})],
        [of_year(2023)],
        [CALL],
        [("finalAnswer", {"text": right})],
        settings=BY_TOOL,
    )
    assert given.text == right
    offered = [[tool.name for tool in info.output_tools] for info in script.infos]
    assert offered == [[], ["finalAnswer"], [], [], ["finalAnswer"]]
    told = str(script.heard[2][-1])
    assert "Ende 2024" in told
    assert "Rufe ein Werkzeug" in told
    assert [event.success for event in tools(recorder)] == [True, False, True]


def revenue(year: int) -> tuple[str, dict[str, Any]]:
    return "knownQuestion", {"ask": {"question": "REVENUE_OF_YEAR", "year": year}}


def test_a_result_that_is_shown_must_speak_of_all_that_was_asked(trustee: Feature) -> None:
    settings = BY_TOOL.model_copy(update={"known_questions": True})
    question = "Um wie viel hat sich der Umsatz von 2024 auf 2025 verändert?"
    lines = [revenue(2024), revenue(2025)], [("showResult", {})]
    given, recorder, _ = asked(
        trustee, *lines, *lines, question=question, settings=settings, regenerations=0
    )
    assert verdicts(recorder) == [Verdict.BLOCK]
    assert given.kind is AnswerKind.UNKNOWN
    assert "2024" in given.text


def test_other_known_questions_are_named_than_the_one_that_led_elsewhere(trustee: Feature) -> None:
    settings = BY_TOOL.model_copy(update={"known_questions": True})
    wages = {"ask": {"question": "EXPENSE_OF_YEAR", "group": "Wages", "year": 2024}}
    account = {"ask": {"question": "ACCOUNT_BALANCE_AT_YEAR_END", "account": "5000", "year": 2024}}
    given, recorder, script = asked(
        trustee,
        [("knownQuestion", wages)],
        [("showResult", {})],
        [("knownQuestion", account)],
        [("showResult", {})],
        question="Wie hoch waren die Löhne im Jahr 2024 (Konto 5000)?",
        settings=settings,
    )
    first, told = str(script.heard[0][-1]), str(script.heard[2][-1])
    assert "EXPENSE_OF_YEAR" in first
    assert "EXPENSE_OF_YEAR" not in told
    assert "ACCOUNT_BALANCE_AT_YEAR_END(account=5000)" in told
    assert [tool.name for tool in script.infos[2].function_tools] == ["knownQuestion"]
    assert verdicts(recorder) == [Verdict.BLOCK, Verdict.PASS]
    assert given.kind is AnswerKind.AGENT
    assert "5000" in given.text


def test_both_years_of_a_comparison_stay_evidence(trustee: Feature) -> None:
    first, second = told_year(trustee, 2023), told_year(trustee, 2024)
    both = f"Konto 1020: Ende 2023 {amount(first)}, Ende 2024 {amount(second)}."
    question = "Konto 1020: wie war der Saldo Ende 2023 und Ende 2024 im Vergleich?"
    given, recorder, _ = asked(
        trustee, [of_year(2023)], first, [of_year(2024)], both, question=question
    )
    assert verdicts(recorder) == [Verdict.BLOCK, Verdict.PASS]
    assert (given.text, len(given.sources)) == (both, 2)


def test_what_to_do_about_it_is_the_policys_to_say(trustee: Feature) -> None:
    wrong = told_year(trustee, 2023)
    lenient = Policy(modes={GateCode.QUESTION_NOT_COVERED: Mode.WARN})
    given, _, _ = asked(trustee, [of_year(2023)], wrong, policy=lenient)
    assert given.text == wrong
    assert given.proof is not None
    assert given.proof.verdict is Verdict.WARN


def test_the_right_year_with_a_wrong_figure_is_nearer_than_the_wrong_year(
    trustee: Feature,
) -> None:
    worse = "Konto 1020 stand Ende 2024 bei CHF 555'444.33, Konto 1021 bei CHF 111'222.30."
    given, _, _ = asked(trustee, [of_year(2023)], told_year(trustee, 2023), [CALL], worse)
    assert f"555'444.33{SIGN}" in given.text


SKILL = """---
name: balance-notes
description: Notes on balances.
requiredTools: [calculate]
intent:
  keywords: [Stand, Konto]
---
Say what the balance means.
"""


def test_a_skill_is_followed_and_its_quality_gate_runs(
    trustee: Feature, right: str, tmp_path: Path
) -> None:
    path = tmp_path / "balance-notes" / "SKILL.md"
    path.parent.mkdir()
    path.write_text(SKILL)
    skills = (load_skill(path),)
    given, recorder, script = asked(trustee, [CALL], right, right, skills=skills)
    routed = next(event for event in recorder.trace.events if isinstance(event, Routed))
    assert routed.skill == "balance-notes"
    assert "Say what the balance means." in str(script.infos[0])
    assert given.quality is not None
    assert given.text != right
    done, _, _ = asked(trustee, [CALL, ("calculate", {"expression": "1+1"})], right, skills=skills)
    assert done.text == right
    assert done.quality is not None
    assert done.quality.verdict is not Verdict.BLOCK


EVIDENCE = Approvals(evidence=True)


def test_approved_evidence_is_what_the_gate_sees(trustee: Feature, right: str) -> None:
    person = Person()
    given, recorder, _ = asked(trustee, [CALL], right, ask=person.ask, approvals=EVIDENCE)
    assert given.text == right
    assert verdicts(recorder) == [Verdict.PASS]
    assert given.hitl is not None
    assert not given.hitl.auto_approved
    (needed,) = person.asked
    (shown,) = needed.subject["results"]
    assert (shown["tool"], shown["arguments"]) == CALL
    assert shown["receipt"]["callId"] == given.sources[0].receipt.call_id
    kinds = [event.kind for event in recorder.trace.events]
    assert kinds.index("personAsked") < kinds.index("personDecided") < kinds.index("gated")


def test_denied_evidence_leaves_no_answer_and_no_rows(trustee: Feature, right: str) -> None:
    given, recorder, script = asked(trustee, [CALL], right, ask=denying().ask, approvals=EVIDENCE)
    figure = right.rpartition("CHF ")[2].rstrip(".")
    assert given.kind is AnswerKind.UNKNOWN
    assert "nicht freigegeben" in given.text
    assert (given.sources, given.proof) == ((), None)
    assert verdicts(recorder) == []
    assert len(script.heard) == 2
    assert figure not in given.model_dump_json()


def test_what_a_denied_result_says_is_not_borne_out(trustee: Feature, right: str) -> None:
    person = Person(lambda needed: decision(needed, approved=True, results=[0]))
    given, recorder, script = asked(
        trustee, [of_year(2023), CALL], right, right, ask=person.ask, approvals=EVIDENCE
    )
    figure = right.rpartition("CHF ")[2].rstrip(".")
    assert verdicts(recorder)[0] is Verdict.BLOCK
    assert figure not in given.text
    assert all(source.arguments != CALL[1] for source in given.sources)
    assert "Nicht freigegeben" in str(script.heard[-1][-1])


def test_results_of_a_new_attempt_are_shown_too(trustee: Feature, right: str) -> None:
    person = Person()
    wrong = told_year(trustee, 2023)
    given, _, _ = asked(
        trustee, [of_year(2023)], wrong, [CALL], right, ask=person.ask, approvals=EVIDENCE
    )
    assert given.text == right
    assert [needed.name for needed in person.asked] == ["evidence.1", "evidence.2"]
    assert [len(needed.subject["results"]) for needed in person.asked] == [1, 1]


def test_when_nobody_can_be_asked_nothing_is_approved(trustee: Feature, right: str) -> None:
    given, _, _ = asked(trustee, [CALL], right, approvals=EVIDENCE)
    assert not given.ok
    assert "nicht freigegeben" in given.text


def test_what_was_approved_without_a_person_is_said(trustee: Feature, right: str) -> None:
    owner = Person(lambda needed: unanswered(needed, approve=True))
    given, _, _ = asked(trustee, [CALL], right, ask=owner.ask, approvals=EVIDENCE)
    assert given.text.startswith(right)
    assert "automatisch freigegeben" in given.text
    assert given.hitl is not None
    assert given.hitl.auto_approved
    assert given.hitl.consulted[0].decision.choice == {"results": [0]}


def test_a_pattern_needs_its_evidence_approved_as_well(trustee: Feature) -> None:
    question = Question(text="Wie hoch war der Saldo von Konto 1020 Ende 2024?")
    for person, kind in ((Person(), AnswerKind.PATTERN), (denying(), AnswerKind.UNKNOWN)):
        session = Session(trustee, ACCOUNTANT, ask=person.ask, approvals=EVIDENCE)
        given = asyncio.run(answer(question, session))
        assert given.kind is kind
        assert len(person.asked) == 1
