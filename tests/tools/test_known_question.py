"""Canonical questions asked by name: the pattern path's own calls, and mistakes to be mended."""

import asyncio
import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.effort import examples
from tests.sample import ACCOUNTANT, PACK, trustee
from tests.tools.test_toolbox import JSON
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.check.checker import Checker
from veridical.contracts.answer import AnswerKind
from veridical.contracts.caller import EVERYTHING, Caller, Permissions
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult
from veridical.contracts.tool import JsonSchema, SchemaView
from veridical.contracts.trace import ToolCalled
from veridical.contracts.violation import Code, Mode
from veridical.gate.evidence.source import meaning_of
from veridical.gate.policy import DEFAULT, softened
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import compile_catalog
from veridical.ontology.enums import compile_enums
from veridical.ontology.visible import visible_ontology
from veridical.route.pattern_index import index_patterns
from veridical.route.patterns import PatternMatch, match_pattern
from veridical.testing.script import Script
from veridical.tools.context import DataContext
from veridical.tools.known_question import (
    ASK_KNOWN,
    KNOWN_QUESTION,
    known_result,
    read_known_question,
    worked_examples,
)
from veridical.tools.known_slot import example_of
from veridical.tools.repertoire import Repertoire, repertoire_of
from veridical.tools.toolbox import function_schema
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]

INDEX = index_patterns(PACK.ontology)
MEANING = meaning_of(PACK.ontology, compile_catalog(PACK.schema, PACK.ontology))
TODAY = date(2026, 3, 1)
SETTINGS = AgentSettings(known_questions=True, stable_prompt=True, prompt_tokens=800)


def repertoire(permissions: Permissions = EVERYTHING) -> Repertoire:
    found = repertoire_of(visible_ontology(PACK.ontology, permissions), INDEX, MEANING)
    assert found is not None
    return found


KNOWN = repertoire()


def asked(
    known: Repertoire = KNOWN, language: Language = Language.EN, **arguments: Any
) -> ToolResult:
    """What comes of the arguments, with a tool behind that always succeeds."""

    read = read_known_question(arguments, known, language)
    if isinstance(read, ToolResult):
        return read
    return known_result(read, ToolResult(success=True), lambda tool, arguments: True, language)


def schema(language: Language, *, flat: bool = False) -> JsonSchema:
    catalog = Catalog()
    context = DataContext(Caller(language=language), checker=Checker(catalog), known=KNOWN)
    view = SchemaView(compile_enums(catalog, (), ()), flat=flat)
    return function_schema(ASK_KNOWN, view, context)


def details(**arguments: Any) -> dict[str, Any]:
    found = asked(**arguments).error_details
    assert found is not None
    return found


def call_of(result: ToolResult) -> dict[str, Any]:
    assert result.ran_as is not None, result.error
    return {"tool": result.ran_as.tool, **result.ran_as.arguments}


@pytest.mark.parametrize("language", list(Language))
def test_the_call_is_the_one_that_the_pattern_path_makes(language: Language) -> None:
    compared = 0
    for text, _, arguments in worked_examples(KNOWN, language):
        match = match_pattern(text, INDEX, language, TODAY)
        if isinstance(match, PatternMatch):
            assert call_of(asked(**arguments)) == match.call
            compared += 1
    assert compared > 3


@pytest.mark.parametrize("language", list(Language))
def test_the_schema_is_a_choice_of_questions_each_with_exactly_its_slots(
    language: Language,
) -> None:
    function = schema(language)["function"]
    choices = function["parameters"]["properties"]["ask"]["anyOf"]
    by_question = {each["properties"]["question"]["const"]: each for each in choices}
    for pattern in PACK.ontology.canonical_patterns:
        choice = by_question.pop(pattern.intent)
        named = choice["properties"]["question"]["description"]
        assert named == pattern.questions[language][0]
        assert choice["required"] == ["question", *(slot.name for slot in pattern.slots)]
        assert choice["required"] == list(choice["properties"])
    assert not by_question


@pytest.mark.parametrize("language", list(Language))
def test_the_flat_schema_takes_every_call_and_is_half_as_long(language: Language) -> None:
    flat, chosen = schema(language, flat=True), schema(language)
    validator = Draft202012Validator(flat["function"]["parameters"])
    calls = [arguments for _, _, arguments in worked_examples(KNOWN, language)]
    assert len(calls) > 3
    for arguments in calls:
        validator.validate({"ask": arguments.get("ask", arguments)})
    assert "group" in flat["function"]["parameters"]["properties"]["ask"]["properties"]
    assert not validator.is_valid({"ask": {"question": "NOT_ONE_OF_THEM"}})
    assert len(json.dumps(flat)) < 0.6 * len(json.dumps(chosen))


def test_slots_are_closed_lists_ranges_and_plain_expressions() -> None:
    function = schema(Language.DE)["function"]
    choices = function["parameters"]["properties"]["ask"]["anyOf"]
    slots = {name: slot for each in choices for name, slot in each["properties"].items()}
    assert slots["month"]["maximum"] == 12
    assert "Wages" in slots["group"]["enum"]
    assert "\\" not in slots["account"]["pattern"]
    assert "Debitoren" in function["description"]


def test_a_known_question_may_be_told_with_or_without_its_wrapping() -> None:
    flat: dict[str, Any] = {"question": "BANK_BALANCE_AT_YEAR_END", "year": 2025}
    assert call_of(asked(**flat)) == call_of(asked(ask=flat))


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ({"account": 1020, "year": "2025"}, {"account": "1020", "year": 2025}),
        ({"account": " 1020", "year": 2025.0}, {"account": "1020", "year": 2025}),
        ({"account": "1020", "year": 2025, "month": None, "group": ""},
         {"account": "1020", "year": 2025}),
        ({"account": "1020", "year": 2025, "month": 12}, {"account": "1020", "year": 2025}),
        ({"account": "1020", "day": "2025-12-31"}, {"account": "1020", "year": 2025}),
    ],
)  # fmt: skip
def test_what_can_mean_only_one_thing_is_taken(given: dict[str, Any], same: dict[str, Any]) -> None:
    intent = "ACCOUNT_BALANCE_AT_YEAR_END"
    assert call_of(asked(question=intent, **given)) == call_of(asked(question=intent, **same))


@pytest.mark.parametrize("spelt", ["Receivables", "receivables", "Debitoren", "应收账款"])
def test_a_group_may_be_called_what_people_call_it(spelt: str) -> None:
    call = call_of(asked(question="GROUP_BALANCE_AT_YEAR_END", group=spelt, year=2025))
    assert "\"accountNumber\" LIKE '110%'" in call["sql"]


def test_the_last_day_of_a_month_is_its_end() -> None:
    call = call_of(asked(question="BANK_BALANCE_AT_MONTH_END", day="2024-02-29"))
    assert {"field": "periodMonth", "op": "=", "value": 2} in call["filters"]


@pytest.mark.parametrize(
    ("arguments", "code", "field", "suggestion"),
    [
        ({}, "SYNTAX_ERROR", "question", None),
        ({"question": "BANK_BALANCE_YEAR_END", "year": 2025},
         "VALUE_UNKNOWN", "question", "BANK_BALANCE_AT_YEAR_END"),
        ({"question": "BANK_BALANCE_AT_YEAR_END"}, "SYNTAX_ERROR", "year", None),
        ({"question": "BANK_BALANCE_AT_YEAR_END", "year": 2025, "month": 3},
         "SYNTAX_ERROR", "month", "BANK_BALANCE_AT_MONTH_END"),
        ({"question": "BANK_BALANCE_AT_YEAR_END", "year": 2025, "account": 1020},
         "SYNTAX_ERROR", "account", "ACCOUNT_BALANCE_AT_YEAR_END"),
        ({"question": "BANK_BALANCE_AT_MONTH_END", "year": 2025},
         "SYNTAX_ERROR", "month", "BANK_BALANCE_AT_YEAR_END"),
        ({"question": "ACCOUNT_BALANCE_AT_YEAR_END", "year": 2025},
         "SYNTAX_ERROR", "account", None),
        ({"question": "LIQUID_FUNDS_AT_YEAR_END", "year": 2025, "month": 3},
         "SYNTAX_ERROR", "month", None),
        ({"question": "GROUP_BALANCE_AT_YEAR_END", "group": "Wages", "year": 2025},
         "VALUE_UNKNOWN", "group", "EXPENSE_OF_YEAR"),
        ({"question": "GROUP_BALANCE_AT_YEAR_END", "group": "Receivable", "year": 2025},
         "VALUE_UNKNOWN", "group", "Receivables"),
        ({"question": "NUMBER_OF_BOOKINGS_IN_MONTH", "year": 2025, "month": 13},
         "VALUE_UNKNOWN", "month", None),
        ({"question": "REVENUE_OF_YEAR", "year": 25}, "VALUE_UNKNOWN", "year", None),
        ({"question": "REVENUE_OF_YEAR", "year": True}, "VALUE_UNKNOWN", "year", None),
        ({"question": "OVERDUE_INVOICES_AT_DAY", "day": "31.02.2025"},
         "VALUE_UNKNOWN", "day", None),
        ({"question": "CONTACT_BY_NAME", "name": "%"}, "VALUE_UNKNOWN", "name", None),
        ({"question": "REVENUE_OF_YEAR", "year": 2025, "colour": "red"},
         "SYNTAX_ERROR", "colour", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", list(Language))
def test_a_mistake_says_where_it_is_and_what_would_do(
    arguments: dict[str, Any], code: str, field: str, suggestion: str | None, language: Language
) -> None:
    found = details(language=language, **arguments)
    assert (found["code"], found["field"], found["suggestion"]) == (code, field, suggestion)
    assert 0 < len(found["hint"]) <= 80


def test_a_missing_slot_comes_with_the_form_of_its_value() -> None:
    assert "1020" in details(question="ACCOUNT_BALANCE_AT_YEAR_END", year=2025)["hint"]
    assert "2025-12-31" in details(question="OVERDUE_INVOICES_AT_DAY")["hint"]


def test_all_mistakes_come_at_once() -> None:
    found = details(question="ACCOUNT_BALANCE_AT_MONTH_END", year=25, month=0)
    fields = [found["field"], *(each["field"] for each in found["others"])]
    assert sorted(fields) == ["account", "month", "year"]


def test_the_variant_for_what_was_told_can_be_called_as_it_is_written() -> None:
    corrected = details(question="BANK_BALANCE_AT_YEAR_END", year=2025, month=3)["correctedCall"]
    assert corrected.pop("tool") == KNOWN_QUESTION
    assert corrected["ask"]["question"] == "BANK_BALANCE_AT_MONTH_END"
    assert asked(**corrected).success


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": "BANK_BALANCE_AT_MONTH_END", "year": 2025},
        {"question": "ACCOUNT_BALANCE_AT_YEAR_END", "year": 2025},
        {"question": "BANK_BALANCE_YEAR_END", "year": 2025},
    ],
)
def test_what_might_be_another_question_is_not_put_in_the_models_mouth(
    arguments: dict[str, Any],
) -> None:
    assert "correctedCall" not in details(**arguments)


@given(
    st.sampled_from([*KNOWN.patterns, "X"]),
    st.dictionaries(st.sampled_from([*KNOWN.slots, "x"]), JSON | st.sampled_from([2025, "1020"])),
)
@settings(max_examples=examples(300), deadline=None)
def test_nothing_a_model_writes_raises(intent: str, slots: dict[str, Any]) -> None:
    result = asked(question=intent, **slots)
    assert result.success or result.error_details is not None
    json.dumps(result.model_dump(mode="json", by_alias=True))


@given(st.text(max_size=30), st.sampled_from(sorted(KNOWN.slots)))
@settings(max_examples=examples(200), deadline=None)
def test_no_free_text_reaches_a_statement(text: str, name: str) -> None:
    marked: dict[str, Any] = {name: f"{text}'; --"}
    for pattern in KNOWN.patterns.values():
        values: dict[str, Any] = {slot.name: example_of(slot) for slot in pattern.slots}
        assert asked(question=pattern.intent, **values).success
        if "sql" in pattern.pattern and name in values:
            assert not asked(question=pattern.intent, **{**values, **marked}).success


def test_questions_about_what_a_caller_may_not_see_are_not_offered() -> None:
    known = repertoire(Permissions(deny=("TrusteeDataContact",)))
    assert "CONTACT_BY_NAME" not in known.patterns
    assert "contactType" not in known.slots
    assert asked(known, question="CONTACT_BY_NAME", name="Meier").error_details is not None


def test_a_hidden_column_takes_the_groups_along_that_it_picks() -> None:
    known = repertoire(Permissions(deny=("*.accountNumber",)))
    assert "group" not in known.slots
    assert "OPEN_RECEIVABLES" in known.patterns


def test_the_tool_is_there_only_on_request_and_with_patterns(trustee: Feature) -> None:
    assert KNOWN_QUESTION not in trustee.toolbox(ACCOUNTANT).names
    toolbox = trustee.toolbox(ACCOUNTANT, known_questions=True)
    assert toolbox.names[0] == KNOWN_QUESTION
    assert toolbox.schemas()[0]["function"]["name"] == KNOWN_QUESTION
    bare = replace(trustee, patterns=None).toolbox(ACCOUNTANT, known_questions=True)
    assert KNOWN_QUESTION not in bare.names
    assert not bare.call(KNOWN_QUESTION, {"question": "OPEN_RECEIVABLES"}).success


@pytest.mark.parametrize("language", list(Language))
def test_every_example_passes_the_check_and_runs(trustee: Feature, language: Language) -> None:
    toolbox = trustee.toolbox(replace(ACCOUNTANT, language=language), known_questions=True)
    assert toolbox.known is not None
    for text, tool, arguments in worked_examples(toolbox.known, language):
        result = toolbox.call(tool, arguments, text)
        assert result.success, (text, result.error)
        assert result.receipt is not None


def answered(trustee: Feature, script: Script, text: str, caller: Caller = ACCOUNTANT) -> Any:
    recorder = Recorder("run")
    policy = softened(DEFAULT, modes={}, allow=(), allow_patterns=())
    session = Session(
        trustee, caller, script.model, SETTINGS, recorder.emit, policy=policy, regenerations=0
    )
    given = asyncio.run(answer(Question(text=text, language=Language.EN), session))
    return given, [event for event in recorder.trace.events if isinstance(event, ToolCalled)]


def test_an_answer_rests_on_the_call_behind_the_question(trustee: Feature) -> None:
    toolbox = trustee.toolbox(ACCOUNTANT, known_questions=True)
    arguments = {"question": "REVENUE_OF_YEAR", "year": 2024}
    (row,) = toolbox.call(KNOWN_QUESTION, arguments).data["rows"]
    script = Script([[(KNOWN_QUESTION, arguments)], f"Revenue in 2024 was {row[0]} {row[1]:.2f}."])
    given, calls = answered(trustee, script, "Tell me, please: how did sales go in 2024, roughly?")
    assert given.kind is AnswerKind.AGENT
    (source,) = given.sources
    assert source.tool == "executeSqlSafe"
    assert "SUM" in source.arguments["sql"]
    assert given.proof is not None
    assert not [each for each in given.proof.findings if each.mode is Mode.BLOCK]
    assert [call.tool for call in calls] == [KNOWN_QUESTION]


def test_a_stable_prompt_is_the_same_bytes_for_every_question(trustee: Feature) -> None:
    told: list[tuple[str | None, str]] = []
    for text in ("Why do customers pay late?", "What about the accruals, and why?"):
        script = Script(["I can't say."])
        answered(trustee, script, text)
        info = script.infos[0]
        told.append((info.instructions, repr(info.function_tools)))
    assert told[0] == told[1]
    assert told[0][0] is not None
    assert KNOWN_QUESTION in told[0][0]
    assert '"tool":' not in told[0][0]


@pytest.mark.postgres
def test_a_question_of_another_purpose_offers_the_one_that_passes(trustee: Feature) -> None:
    toolbox = trustee.toolbox(ACCOUNTANT, known_questions=True)
    wrong = {"question": "ACCOUNT_TURNOVER_OF_YEAR", "account": "6000", "year": 2024}
    asked = "What was the cost on account 6000 in 2024?"
    refused = toolbox.call(KNOWN_QUESTION, {"ask": wrong}, asked).error_details
    assert refused is not None
    assert refused["code"] == Code.WRONG_TABLE_FOR_PURPOSE
    offered = dict(refused["correctedCall"])
    assert offered.pop("tool") == KNOWN_QUESTION
    assert offered["ask"] == {
        "question": "ACCOUNT_BALANCE_AT_YEAR_END",
        "account": "6000",
        "year": 2024,
    }
    assert toolbox.call(KNOWN_QUESTION, offered, asked).success
