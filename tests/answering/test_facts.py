"""An answer in facts: computed, checked, reviewed and shown by policy, between model and user."""

import asyncio
import json
from typing import Any

import pytest

from tests.balance_asked import CALL, QUESTION
from tests.sample import ACCOUNTANT, trustee
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.facts_answer import Show, State
from veridical.contracts.proof import Ground, Standing, Verdict
from veridical.contracts.question import Question
from veridical.contracts.step import Action, Json, Progress
from veridical.contracts.trace import Gated
from veridical.facts.instruction import instruction
from veridical.gate.policy import Policy
from veridical.messages import message
from veridical.testing.script import Line, Script

__all__ = ["trustee"]
FACTS = {"a": {"say": "value", "measure": "closingBalance"}}
PROSE = "Das Konto hatte einen closingBalance von {a.value}."
OWN = " Das ist beruhigend."
FLAG_ALL = json.dumps({"flagged": [{"sentence": 1, "why": "sagt mehr"}]})


def final(prose: str = PROSE, facts: Any = FACTS) -> Line:
    return [("finalAnswer", {"facts": facts, "answer": prose})]


@pytest.fixture(scope="module")
def balance(trustee: Feature) -> str:
    rows = trustee.toolbox(ACCOUNTANT).call(*CALL).data["rows"]
    return f"{float(rows[0][3]):,.2f}".replace(",", "'")


def figures(text: str) -> str:
    return text.translate(str.maketrans({"’": "'"}))


TYPED = final("Das Konto hatte CHF 17.00.", {})


def asked(
    feature: Feature,
    *lines: Line,
    reviewer: Line | None = None,
    show: Show | None = None,
    step: Any = None,
    **settings: Any,
) -> tuple[Answer, list[Any], Script]:
    script, heard = Script(lines), list[Any]()
    session = Session(
        feature,
        ACCOUNTANT,
        script.model,
        AgentSettings(answer_form=AnswerForm.FACTS, **settings),
        heard.append,
        policy=Policy(show=show),
        reviewer=None if reviewer is None else Script((reviewer,)).model,
    )
    more = {} if step is None else {"step": step}
    given = asyncio.run(answer(Question(text=QUESTION), session, **more))
    return given, heard, script


def gated(heard: list[Any]) -> list[Gated]:
    return [event for event in heard if isinstance(event, Gated)]


def test_agents_answer_in_facts_unless_told_otherwise() -> None:
    assert AgentSettings.model_fields["answer_form"].default is AnswerForm.FACTS


def test_the_host_computes_what_is_shown(trustee: Feature, balance: str) -> None:
    given, heard, _ = asked(trustee, [CALL], final())
    assert [event.verdict for event in gated(heard)] == [Verdict.PASS], gated(heard)
    assert balance in figures(given.text)
    assert "{" not in given.text
    assert given.facts is not None
    assert given.facts.text == given.text
    (sentence,) = given.facts.sentences
    assert sentence.state is State.PROVEN
    assert balance in figures(given.facts.facts["a"].sentence)
    assert given.facts.facts["a"].cells[0].column == "closingBalance"


def test_a_model_that_only_queries_gets_its_answer_written(trustee: Feature, balance: str) -> None:
    script = Script([[CALL]])
    settings = AgentSettings(answer_form=AnswerForm.ROWS)
    session = Session(trustee, ACCOUNTANT, script.model, settings)
    given = asyncio.run(answer(Question(text=QUESTION), session))
    assert balance in figures(given.text)
    assert given.facts is not None
    assert {sentence.state for sentence in given.facts.sentences} == {State.EXACT}
    assert "finalAnswer" not in (script.infos[0].instructions or "")


def test_slots_are_claims_bound_to_cells(trustee: Feature, balance: str) -> None:
    given, _, _ = asked(trustee, [CALL], final())
    assert given.proof is not None
    (claim,) = given.proof.claims
    assert claim.standing is Standing.GROUNDED
    assert given.text[claim.start : claim.end] == claim.text
    assert balance in figures(claim.text)
    assert claim.binding is not None
    assert claim.binding.ground is Ground.CELL
    assert (claim.binding.source, claim.binding.row, claim.binding.column) == (
        0,
        0,
        "closingBalance",
    )


def test_the_model_is_told_the_form_and_held_to_the_results(trustee: Feature) -> None:
    _, _, script = asked(trustee, [CALL], final())
    (tool,) = script.infos[-1].output_tools
    fact = tool.parameters_json_schema["properties"]["facts"]["additionalProperties"]
    assert fact["properties"]["from"]["enum"] == ["r1"]
    assert "closingBalance" in fact["properties"]["over"]["enum"]
    assert fact["properties"]["measure"] == {"type": "string"}
    assert instruction().strip() in (script.infos[0].instructions or "")
    assert '"result":"r1"' in str(script.heard).replace(" ", "").replace("\\\\", "")
    assert not script.infos[-1].allow_text_output


def test_what_is_typed_goes_back_once_with_what_to_write_instead(
    trustee: Feature, balance: str
) -> None:
    given, heard, script = asked(trustee, [CALL], TYPED, final())
    first, second = gated(heard)
    assert (first.verdict, second.verdict) == (Verdict.BLOCK, Verdict.PASS)
    assert message("facts.figure", "de", said="17.00") in str(script.heard[-1])
    assert balance in figures(given.text)


def test_after_the_second_failure_the_host_answers_itself(trustee: Feature, balance: str) -> None:
    given, heard, _ = asked(trustee, [CALL], TYPED, TYPED)
    assert [each.verdict for each in gated(heard)] == [Verdict.BLOCK, Verdict.BLOCK, Verdict.PASS]
    assert given.kind is AnswerKind.AGENT
    assert balance in figures(given.text)
    assert "17.00" not in given.text
    assert given.facts is not None
    assert {each.state for each in given.facts.sentences} == {State.EXACT}


def test_a_model_that_knows_no_form_still_gets_its_result_told(
    trustee: Feature, balance: str
) -> None:
    nothing: Line = [("finalAnswer", {})]
    given, _, _ = asked(trustee, [CALL], nothing, nothing, nothing)
    assert given.kind is AnswerKind.AGENT
    assert balance in figures(given.text)


def test_an_honest_refusal_needs_no_fact(trustee: Feature) -> None:
    said = "Das kann ich nicht sagen."
    for show in Show:
        given, _, _ = asked(trustee, final(said, {}), show=show)
        assert (given.kind, given.text) == (AnswerKind.UNKNOWN, said)


def test_words_without_any_result_are_held_back(trustee: Feature) -> None:
    made_up = final("Das Konto ist gut gefüllt und wächst.", {})
    given, _, _ = asked(trustee, made_up, made_up)
    assert given.kind is AnswerKind.UNKNOWN
    assert "gefüllt" not in given.text
    assert given.facts is None


def test_exact_shows_only_the_hosts_sentences(trustee: Feature, balance: str) -> None:
    given, _, _ = asked(trustee, [CALL], final(PROSE + OWN), show=Show.EXACT)
    assert given.facts is not None
    assert given.text == given.facts.facts["a"].sentence
    assert balance in figures(given.text)


def test_a_flagged_sentence_makes_room_for_its_exact_one(trustee: Feature) -> None:
    lines: tuple[Line, ...] = ([CALL], final(PROSE + OWN))
    given, heard, _ = asked(trustee, *lines, reviewer=FLAG_ALL)
    assert given.facts is not None
    assert given.facts.review is not None
    assert given.facts.review.done
    first, second = given.facts.sentences
    assert (first.state, second.state) == (State.EXACT, State.OWN)
    assert first.text == given.facts.facts["a"].sentence
    assert first.replaces.startswith("Das Konto hatte")
    assert gated(heard)[-1].review == given.facts.review
    assert gated(heard)[-1].verdict is Verdict.PASS  # an opinion is no part of the verdict


def test_marked_prose_stays_and_carries_a_mark(trustee: Feature, balance: str) -> None:
    given, _, _ = asked(trustee, [CALL], final(), reviewer=FLAG_ALL, show=Show.MARKED)
    assert balance in figures(given.text)
    assert "‹?›" in given.text
    assert given.facts is not None
    assert [mark.by for mark in given.facts.sentences[0].marks] == ["reviewer"]


def test_garbage_of_a_reviewer_is_no_review_and_said(trustee: Feature, balance: str) -> None:
    for said in ("Alles gut!", '{"flagged": [{"sentence": 99}]}', RuntimeError("gone")):
        given, _, _ = asked(trustee, [CALL], final(), reviewer=said)
        assert balance in figures(given.text)
        assert given.facts is not None
        assert given.facts.review is not None
        assert not given.facts.review.done
        assert given.facts.review.reason
        assert message("facts.unreviewed", "de") in given.text


def test_the_reviewer_never_sees_data(trustee: Feature) -> None:
    reader = Script(('{"flagged": []}',))
    script = Script(([CALL], final()))
    form = AgentSettings(answer_form=AnswerForm.FACTS)
    session = Session(trustee, ACCOUNTANT, script.model, form, reviewer=reader.model)
    given = asyncio.run(answer(Question(text=QUESTION), session))
    (heard,) = reader.heard
    assert "openingBalance" not in str(heard)
    assert "queryTable" not in str(heard)
    assert given.usage.model_calls == 3


def test_a_replayed_run_asks_no_reviewer(trustee: Feature) -> None:
    kept: dict[str, Json] = {}

    async def keep(name: str, action: Action) -> Json:
        kept[name] = await action()
        return kept[name]

    async def replay(name: str, action: Action) -> Json:
        return kept[name]

    lines: tuple[Line, ...] = ([CALL], final(PROSE + OWN))
    first, _, _ = asked(trustee, *lines, reviewer=FLAG_ALL, step=keep)
    assert "review.1" in kept
    again, _, _ = asked(trustee, reviewer=RuntimeError("never asked"), step=replay)
    assert again.model_copy(update={"trace_id": ""}) == first.model_copy(update={"trace_id": ""})


def test_sentences_stream_once_they_are_judged(trustee: Feature) -> None:
    given, heard, _ = asked(trustee, [CALL], final(PROSE + OWN), stream=True)
    pieces = [each.text for each in heard if isinstance(each, Progress) and each.stage == "writing"]
    assert len(pieces) == 2
    assert "".join(pieces) == given.text


def test_an_answer_survives_its_way_as_json(trustee: Feature) -> None:
    given, _, _ = asked(trustee, [CALL], final(), reviewer='{"flagged": []}')
    assert Answer.model_validate_json(given.model_dump_json(by_alias=True)) == given


def test_without_a_model_only_exact_sentences_are_shown(trustee: Feature) -> None:
    assert Session(trustee, ACCOUNTANT).show is Show.EXACT
    assert Session(trustee, ACCOUNTANT, Script(()).model).show is Show.REVIEWED
