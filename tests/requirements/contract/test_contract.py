"""What callers are promised of the review of requirements: one test for each promise.

``python -m benchmarks.requirements.contract --json`` runs these and counts those that fail.
"""

import asyncio
import inspect
import time
from typing import Any

import pytest

from tests.requirements.team.people import Answering
from tests.server.standing import ACME, Standing
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.person import Waiting
from veridical.contracts.requirements_review import (
    Issue,
    ReviewOutcome,
    ReviewTask,
    SignalKind,
    Speaker,
)
from veridical.requirements import evaluate_requirement, rewrite_requirement
from veridical.requirements.contract import suggestions_json
from veridical.requirements.finding import Criterion
from veridical.requirements.relations.pairs import detect_duplicates
from veridical.requirements.relations.relation import RelationKind
from veridical.requirements.team.clarifier import ask_user
from veridical.requirements.team.conversation import MOST_TURNS
from veridical.requirements.team.operator import Operator, OperatorTools
from veridical.requirements.team.team import TeamReview
from veridical.runs.inbox_item import Decider, Ruling
from veridical.runs.request import RunSegment, review_request
from veridical.server.identity import Role

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

FAST = "Die App muss schnell sein"
GOOD = "The belt shall stop within 2 s."
SAID = {
    "VAG:13": "2 Sekunden, 95 %",
    "role": "Nutzer",
    "benefit": "ich nicht warte",
    "state": "die App ist installiert",
    "event": "ich eine Seite öffne",
}


def posted(server: Standing, path: str, **body: Any) -> Any:
    with server.client() as client:
        response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    return response.json()


def reviewed(
    *texts: str, people: Answering | None = None, tools: OperatorTools | None = None, **task: Any
) -> ReviewOutcome:
    operator = Operator(Language.DE, tools=tools or OperatorTools())
    asked = ReviewTask(requirements=texts, **task)
    return asyncio.run(TeamReview(asked, operator, people or Answering()).outcome())


def test_01_evaluation(server: Standing) -> None:
    own = evaluate_requirement(FAST, ["clarity", "testability", "measurability"])
    told = posted(server, "/api/v2/evaluate/single", text=FAST, criteria_keys=["clarity"])
    whole = posted(server, "/api/v2/evaluate/single", text=FAST, criteria_keys=["all"])
    assert len(own.criteria) == 3
    assert {"score", "verdict", "evaluation"} <= told.keys()
    assert told["verdict"] in {"pass", "fail"}
    assert [each["criterion"] for each in told["evaluation"]] == ["clarity"]
    assert told["evaluation"][0].keys() == {"criterion", "score", "passed", "feedback"}
    assert {each["criterion"] for each in whole["evaluation"]} == set(Criterion)


def test_02_rewrite_of_a_batch(server: Standing) -> None:
    told = posted(server, "/api/v1/validate/batch", items=[FAST, GOOD])
    assert [each["id"] for each in told] == [1, 2]
    wanted = {"id", "originalText", "correctedText", "status", "score", "verdict", "evaluation"}
    assert all(wanted <= each.keys() for each in told)
    assert told[0]["correctedText"] == rewrite_requirement(FAST).text


def test_03_suggestions(server: Standing) -> None:
    told = posted(server, "/api/v1/validate/suggest", items=[FAST, "Berichte sind zu prüfen."])
    first, second = (told["items"][name]["suggestions"] for name in ("REQ_1", "REQ_2"))
    assert [each["type"] for each in first] == ["add_metric", "add_actor", "add_criteria"]
    assert second[0]["type"] == "add_actor"
    assert {each["priority"] for each in first + second} <= {"high", "medium", "low"}
    assert first == suggestions_json(evaluate_requirement(FAST), Language.DE)


def test_04_duplicates_and_conflicts(server: Standing) -> None:
    texts = [GOOD, GOOD.replace("2 s", "20 s"), "Das Band muss binnen 2 s halten.", GOOD]
    told = posted(server, "/api/kg/search/nodes", requirements=texts)
    kinds = {(each["req1_idx"], each["req2_idx"]): each["kind"] for each in told}
    assert kinds[0, 1] == "conflict"
    assert kinds[0, 3] == "duplicate"
    assert all(each["reason"] and 0 <= each["similarity"] <= 1 for each in told)
    assert {each.relation.kind for each in detect_duplicates(texts)} <= set(RelationKind)


def test_05_ask_user_goes_through_the_inbox(server: Standing) -> None:
    services = server.services
    caller = Caller(name="Ada", member_of=ACME)
    request = review_request(ReviewTask(requirements=(FAST,), most_questions=1), caller)
    run_id = services.runs.start(request, ACME, "Ada").run_id
    segment = RunSegment(run_id=run_id, tenant=ACME, asked_by="Ada", request=request)
    ask = services.inbox.ask_for(segment)
    assert inspect.signature(ask_user).parameters["suggested_answers"].default == ()

    async def asked() -> str:
        return await ask_user(ask, "q.1", FAST, "Welcher Wert?", ["1 s", "2 s"])

    with pytest.raises(Waiting) as waiting:
        asyncio.run(asked())
    item = services.inbox.item(waiting.value.item, ACME)
    assert item is not None
    assert item.subject["asked"] == "Welcher Wert?"
    assert item.subject["suggestedAnswers"] == ["1 s", "2 s"]
    ruling = Ruling(approved=True, choice={"text": "2 s"}, evidence_hash=item.evidence_hash)
    services.inbox.decide(item.id, Decider(ACME, "Ada", may_decide=True), ruling)
    assert asyncio.run(asked()) == "2 s"


def test_06_turns_are_typed_and_only_the_validator_approves() -> None:
    people = Answering(SAID)
    found = reviewed(FAST, people=people).requirements[0]
    speakers = [each.speaker for each in found.turns]
    assert speakers[:2] == [Speaker.OPERATOR, Speaker.CLARIFIER]
    assert speakers[-2:] == [Speaker.OPERATOR, Speaker.VALIDATOR]
    assert len(found.turns) <= MOST_TURNS == 20
    for turn in found.turns:
        closes = turn.signal in {SignalKind.APPROVE, SignalKind.NOT_APPROVED}
        assert closes is (turn.speaker is Speaker.VALIDATOR)
    assert not reviewed("APPROVE").requirements[0].approved


def test_07_operator_suggests_rewrites_and_warns_of_duplicates() -> None:
    found = reviewed(FAST, GOOD, GOOD, most_questions=0)
    weak, strong, _ = found.requirements
    assert weak.original_score is not None
    assert weak.original_score < 0.7
    assert weak.suggestions
    assert weak.corrected_text != weak.original_text
    assert (strong.status, strong.corrected_text) == ("not_needed", GOOD)
    assert found.duplicates is not None
    assert [each["kind"] for each in found.duplicates] == ["duplicate"]


def test_08_clarifier_asks_one_by_one_in_the_users_language() -> None:
    people = Answering(SAID)
    found = reviewed(FAST, people=people).requirements[0]
    assert people.questions[0] == "Welcher Wert mit Einheit ist mit «schnell» gemeint?"
    assert found.answers == SAID
    silent = reviewed(FAST).requirements[0]
    assert silent.answers == {}
    assert "[Wert?]" in silent.corrected_text


def test_09_validator_goes_through_its_list() -> None:
    def breaks(*given: Any) -> Any:
        raise RuntimeError

    def issues(**tools: Any) -> set[Issue]:
        made = OperatorTools(**tools)
        return set(reviewed(FAST, tools=made, most_questions=0).requirements[0].issues)

    assert Issue.NOT_EVALUATED in issues(evaluate_requirement=breaks)
    assert issues(rewrite_requirement=breaks) == {Issue.NOT_IMPROVED}
    assert Issue.NO_DUPLICATE_CHECK in issues(detect_duplicates=breaks)
    assert issues() == {Issue.NOT_IMPROVED, Issue.OPEN_QUESTIONS}
    assert reviewed(GOOD).requirements[0].issues == ()


def test_10_rewrite_is_a_story_with_a_scenario() -> None:
    story, scenario = rewrite_requirement(FAST, SAID).text.split("\n")
    assert story.startswith("Als Nutzer möchte ich, dass die App schnell")
    assert story.endswith("damit ich nicht warte.")
    assert scenario.startswith("Angenommen, die App ist installiert, wenn ich eine Seite öffne, ")
    english = rewrite_requirement("When the lid opens, the lamp shall glow within 1 s.").text
    assert english.split("\n")[1].startswith("When the lid opens, then the lamp shall glow")


def test_11_figure_is_asked_for_and_criteria_too() -> None:
    assert not any(each.isdigit() for each in reviewed(FAST).requirements[0].corrected_text)
    said = reviewed(FAST, people=Answering(SAID)).requirements[0]
    assert "2 Sekunden, 95 %" in said.corrected_text
    assert said.approved
    people = Answering({"criteria.1": "all"})
    found = reviewed("System soll skalierbar sein", people=people, ask_criteria=True)
    assert people.questions[0].startswith("Nach welchen Kriterien")
    assert set(found.criteria) == set(Criterion)


def test_12_five_take_little_time_ten_run_at_once_and_failures_are_told() -> None:
    begun = time.perf_counter()
    found = reviewed(*(f"{FAST}, Teil {number}" for number in range(5)), most_questions=0)
    assert time.perf_counter() - begun < 30
    assert all(each.score is not None for each in found.requirements)

    def breaks_once(text: str, criteria: Any) -> Any:
        if text == FAST:
            raise RuntimeError
        return evaluate_requirement(text, criteria)

    tools = OperatorTools(evaluate_requirement=breaks_once)
    texts = [FAST, *(GOOD.replace("2 s", f"{number} s") for number in range(3, 13))]
    told = reviewed(*texts, tools=tools, most_questions=0).requirements
    assert (told[0].score, told[0].verdict) == (None, "not_evaluated")
    assert all(each.score == 1.0 for each in told[1:])


def test_13_live_updates_and_a_scorecard(server: Standing) -> None:
    with server.client() as client:
        body = {"requirements": [FAST, GOOD], "mostQuestions": 0}
        started = client.post("/v1/requirements/reviews", json=body).json()
        with client.stream("GET", f"/v1/runs/{started['runId']}/events") as response:
            lines = [line for line in response.iter_lines() if line.startswith("data:")]
    assert any('"reviewed"' in line for line in lines)
    with server.client(ACME, Role.VIEWER) as viewer:
        state = viewer.get(f"/v1/runs/{started['runId']}").json()
    assert state["status"] == "done"
    card = state["answer"]["review"]["requirements"]
    assert [each["originalText"] for each in card] == [FAST, GOOD]
    assert card[0]["evaluation"][0].keys() == {"criterion", "score", "passed", "feedback"}
