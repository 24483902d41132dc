"""The paths for requirements: bodies as clients know them, nothing invented, failures told."""

from typing import Any

import pytest

from tests.server.standing import ACME, GLOBEX, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

VAGUE = "Die Plattform muss schnell sein"
THREE = ["clarity", "testability", "measurability"]


def posted(server: Standing, path: str, body: dict[str, Any], **headers: str) -> Any:
    with server.client(headers=headers) as client:
        response = client.post(path, json=body)
    assert response.status_code in (200, 202), response.text
    return response.json()


def test_evaluation_has_score_verdict_and_criteria(server: Standing) -> None:
    told = posted(server, "/api/v2/evaluate/single", {"text": VAGUE, "criteria_keys": THREE})
    assert told["verdict"] == "fail"
    assert 0 < told["score"] < 0.7
    assert {each["criterion"] for each in told["evaluation"]} == set(THREE)
    for each in told["evaluation"]:
        assert each.keys() == {"criterion", "score", "passed", "feedback"}
    assert "«schnell» lässt sich nicht messen." in told["evaluation"][0]["feedback"]


def test_the_caller_chooses_the_language(server: Standing) -> None:
    body = {"text": VAGUE, "criteria_keys": ["all"]}
    told = posted(server, "/api/v2/evaluate/single", body, **{"accept-language": "en"})
    assert "can't be measured" in told["evaluation"][0]["feedback"]
    assert len(told["evaluation"]) > len(THREE)


def test_rewrites_ask_for_the_figure_instead_of_inventing_it(server: Standing) -> None:
    items = [VAGUE, "Das Band muss in höchstens 2 s halten."]
    told = posted(server, "/api/v1/validate/batch", {"items": items})
    assert [each["id"] for each in told] == [1, 2]
    assert [each["originalText"] for each in told] == items
    first = told[0]
    assert first["status"] == "needs_answers"
    assert not any(letter.isdigit() for letter in first["correctedText"])
    assert first["questions"][0]["question"] == (
        "Welcher Wert mit Einheit ist mit «schnell» gemeint?"
    )
    assert {"score", "verdict", "evaluation"} <= first.keys()


def test_suggestions_are_by_requirement(server: Standing) -> None:
    told = posted(server, "/api/v1/validate/suggest", {"items": [VAGUE, VAGUE]})
    assert told["items"].keys() == {"REQ_1", "REQ_2"}
    suggested = told["items"]["REQ_1"]["suggestions"]
    assert [each["type"] for each in suggested] == ["add_metric", "add_actor", "add_criteria"]
    assert all(each.keys() == {"type", "suggestion", "priority"} for each in suggested)
    assert suggested[0]["priority"] == "high"


def test_pairs_have_their_places_and_a_reason(server: Standing) -> None:
    texts = ["Das Band muss in 2 s halten.", "Das Band muss in 20 s halten.", "Licht muss brennen."]
    told = posted(server, "/api/kg/search/nodes", {"requirements": texts})
    assert len(told) == 1
    assert told[0].keys() == {"req1_idx", "req2_idx", "similarity", "kind", "reason"}
    assert (told[0]["req1_idx"], told[0]["req2_idx"], told[0]["kind"]) == (0, 1, "conflict")
    assert "2 s" in told[0]["reason"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v2/evaluate/single", {"text": VAGUE, "criteria_keys": ["beauty"]}),
        ("/api/v2/evaluate/single", {"text": "  "}),
        ("/api/v1/validate/batch", {"items": []}),
        ("/api/v1/validate/batch", {"items": ["x"] * 101}),
        ("/api/v1/validate/suggest", {"items": "x"}),
        ("/api/kg/search/nodes", {"items": ["x"]}),
        ("/v1/requirements/reviews", {"requirements": [], "mostQuestions": 1}),
        ("/v1/requirements/reviews", {"requirements": [VAGUE], "mostQuestions": 1000}),
    ],
)
def test_what_can_not_be_reviewed_is_refused(
    server: Standing, path: str, body: dict[str, Any]
) -> None:
    with server.client() as client:
        assert client.post(path, json=body).status_code == 422


def test_review_is_a_run_of_the_tenant(server: Standing) -> None:
    with server.client() as client:
        response = client.post("/v1/requirements/reviews", json={"requirements": [VAGUE]})
    assert response.status_code == 202
    place = response.headers["location"]
    with server.client(ACME, Role.VIEWER) as own, server.client(GLOBEX, Role.ADMIN) as other:
        assert own.get(place).json()["status"] in {"queued", "running", "waiting"}
        assert other.get(place).status_code == 404


def test_review_with_a_feature_that_is_not_theirs_is_not_found(server: Standing) -> None:
    with server.client() as client:
        body = {"requirements": [VAGUE], "feature": "nowhere"}
        assert client.post("/v1/requirements/reviews", json=body).status_code == 404
