"""The tools that review requirements, called as a model calls them."""

from typing import Any

import pytest

from veridical.check.checker import Checker
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.ontology.catalog import Catalog
from veridical.tools.requirements import REQUIREMENT_TOOLS
from veridical.tools.toolbox import Toolbox

VAGUE = "Die Plattform muss schnell sein"


def toolbox(*, offered: bool = True) -> Toolbox:
    caller = Caller(language=Language.DE)
    return Toolbox(Checker(Catalog()), caller=caller, requirements=offered)


def called(name: str, **arguments: Any) -> ToolResult:
    return toolbox().call(name, arguments)


def test_they_are_offered_where_a_feature_says_so() -> None:
    assert set(REQUIREMENT_TOOLS) <= set(toolbox().names)
    assert not set(REQUIREMENT_TOOLS) & set(toolbox(offered=False).names)
    schemas = {each["function"]["name"]: each["function"] for each in toolbox().schemas()}
    assert schemas["evaluate_requirement"]["parameters"]["required"] == ["requirement_text"]


def test_evaluation_has_the_scores_that_were_asked_for() -> None:
    found = called(
        "evaluate_requirement", requirement_text=VAGUE, criteria_keys=["clarity", "measurability"]
    ).data
    assert found["verdict"] == "fail"
    assert [each["criterion"] for each in found["evaluation"]] == ["clarity", "measurability"]
    assert "schnell" in found["evaluation"][0]["feedback"]


def test_rewrite_asks_for_the_figure() -> None:
    found = called("rewrite_requirement", requirement_text=VAGUE).data
    assert found["status"] == "needs_answers"
    assert not any(letter.isdigit() for letter in found["correctedText"])


def test_improvements_and_pairs() -> None:
    types = [each["type"] for each in called("suggest_improvements", requirement_text=VAGUE).data]
    assert types == ["add_metric", "add_actor", "add_criteria"]
    texts = ["The belt shall stop within 2 s.", "The belt shall stop within 20 s."]
    pairs = called("detect_duplicates", requirements=texts).data
    assert [(each["req1_idx"], each["req2_idx"], each["kind"]) for each in pairs] == [
        (0, 1, "conflict")
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("evaluate_requirement", {}),
        ("evaluate_requirement", {"requirement_text": VAGUE, "criteria_keys": ["beauty"]}),
        ("rewrite_requirement", {"requirement_text": ""}),
        ("detect_duplicates", {"requirements": []}),
    ],
)
def test_wrong_arguments_are_refused(name: str, arguments: dict[str, Any]) -> None:
    assert called(name, **arguments).error_details is not None
