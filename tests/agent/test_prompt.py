import json
import re
from itertools import pairwise

import pytest

from veridical.agent.prompt import MOST_EXAMPLES, compose_instructions, request_parameters
from veridical.agent.request import LoopRequest
from veridical.check.checker import Checker
from veridical.contracts.call import parse_call
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import Pack, load_pack

TOOLS = ("browseTable", "queryTable", "aggregateTable", "executeSqlSafe", "calculate")
CALL = re.compile(r"^\w+[:：] ?(\{.*\})$", re.M)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("trustee")


@pytest.mark.parametrize("language", list(Language))
def test_examples_are_calls_that_pass_the_check(pack: Pack, language: Language) -> None:
    text = compose_instructions(language, "", pack.ontology.canonical_patterns, TOOLS)
    calls = [json.loads(found) for found in CALL.findall(text)]
    assert len(calls) == MOST_EXAMPLES
    assert len({call["name"] for call in calls}) == 3
    checker = Checker(compile_catalog(pack.schema, pack.ontology))
    scope = Scope({"mandateId": ("m",), "featureInstanceId": ("i",)}, pack.shared_tables)
    for call in calls:
        parsed = parse_call({"tool": call["name"], **call["arguments"]})
        assert isinstance(checker.check(parsed, Caller(scope=scope)), CheckedQuery), call


def test_examples_are_for_tools_that_are_there(pack: Pack) -> None:
    text = compose_instructions(
        Language.EN, "", pack.ontology.canonical_patterns, ("aggregateTable",)
    )
    names = {json.loads(found)["name"] for found in CALL.findall(text)}
    assert names == {"aggregateTable"}
    assert "# Examples" not in compose_instructions(
        Language.EN, "", pack.ontology.canonical_patterns
    )


@pytest.mark.parametrize("language", list(Language))
def test_the_parts_stand_in_their_order_and_never_change(pack: Pack, language: Language) -> None:
    texts = [
        compose_instructions(language, "ONTOLOGY", pack.ontology.canonical_patterns, TOOLS)
        for _ in range(2)
    ]
    assert texts[0] == texts[1]
    places = [texts[0].index(part) for part in ("correctedCall", "ONTOLOGY", "102%")]
    assert all(one < other for one, other in pairwise(places))


def test_how_to_end_depends_on_the_server() -> None:
    by_tool = compose_instructions(Language.EN, tool_choice_required=True)
    assert "finalAnswer" in by_tool
    assert "finalAnswer" not in compose_instructions(Language.EN)


@pytest.mark.parametrize("language", list(Language))
def test_the_final_answer_is_a_tool_where_one_is_required(language: Language) -> None:
    request = LoopRequest("?", "Be exact.", language, tool_choice_required=True)
    parameters = request_parameters(request, [])
    (final,) = parameters.output_tools
    assert final.parameters_json_schema["required"] == ["text"]
    assert not parameters.allow_text_output
    plain = request_parameters(LoopRequest("?", "Be exact."), [])
    assert (plain.output_tools, plain.allow_text_output) == ([], True)


@pytest.mark.parametrize("language", list(Language))
def test_known_questions_take_the_place_of_the_calls_that_patterns_give(
    pack: Pack, language: Language
) -> None:
    known = [("How much?", "knownQuestion", {"question": f"Q{number}"}) for number in range(9)]
    text = compose_instructions(
        language, "", pack.ontology.canonical_patterns, ("queryTable",), known_questions=known
    )
    assert text.count('"name":"knownQuestion"') == MOST_EXAMPLES
    assert "queryTable" not in text
