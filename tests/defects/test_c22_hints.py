"""Hints are whole sentences of at most 80 characters, say what to do next, and name the target."""

import string
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical.messages
from tests.defects.shop import checker
from veridical.check.checker import Checker
from veridical.check.facts import Problem as Finding
from veridical.check.verdict import worded
from veridical.contracts.call import AggregateCall
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.result import refused
from veridical.contracts.violation import Code, Mode, Refusal
from veridical.messages import message
from veridical.messages.hints import HINT_LENGTH, hint, shortened
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.model import Constraint, ConstraintRule
from veridical.statement.errors import EngineError, Problem
from veridical.tools.toolbox import with_next_step

FOLDER = Path(veridical.messages.__file__).parent
LONG = "TrusteeDataAccountBalanceByPeriodAndCurrency.closingBalanceInForeignCurrency"
NOT_HINTS = {
    "tools": ("on_failure", "describe", "browseTable", "queryTable", "aggregateTable",
              "executeSqlSafe",
              "queryMetrics", "inspectFile", "analyzeDataframe", "calculate", "knownQuestion",
              "searchEvidence", "evaluate_requirement", "rewrite_requirement",
              "suggest_improvements", "detect_duplicates"),
}  # fmt: skip


def hints() -> list[tuple[str, Language]]:
    found: list[tuple[str, Language]] = []
    for stage in ("check", "engine", "metric", "tools"):
        names = tomllib.loads((FOLDER / f"{stage}.toml").read_text("utf-8"))
        for name in names:
            described = name in NOT_HINTS.get(stage, ()) or name.startswith("arg_")
            if not described:
                found.extend((f"{stage}.{name}", language) for language in Language)
    return found


def placeholders(key: str, language: Language) -> set[str]:
    stage, _, name = key.partition(".")
    text = tomllib.loads((FOLDER / f"{stage}.toml").read_text("utf-8"))[name][language]
    return {part for _, part, _, _ in string.Formatter().parse(text) if part}


@pytest.mark.parametrize(("key", "language"), hints())
def test_c22_every_hint_fits_with_the_longest_names(key: str, language: Language) -> None:
    names = placeholders(key, language)
    long = dict.fromkeys(names, LONG + LONG)
    if "did_you_mean" in names:
        long["did_you_mean"] = ""
    said = hint(key, language, **long)
    assert 0 < len(said) <= HINT_LENGTH
    bare = message(key, language, **dict.fromkeys(names, "\0"))
    assert all(part.strip() in said for part in bare.split("\0"))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("code", [Code.FIELD_NOT_FOUND, Code.TABLE_NOT_FOUND, Code.VALUE_UNKNOWN,
                                  Code.FUNCTION_NOT_ALLOWED, Code.UNDECLARED_JOIN])  # fmt: skip
@pytest.mark.parametrize("suggestion", [LONG, "id", None])
def test_c22_a_suggestion_is_asked_for_in_full_or_shortened(
    code: Code, language: Language, suggestion: str | None
) -> None:
    values = (("value", LONG), ("table", LONG))
    said = worded(Finding(code, LONG, suggestion, "", values), Mode.BLOCK, language)
    assert 0 < len(said.hint) <= HINT_LENGTH
    assert said.suggestion == suggestion


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("problem", Problem)
def test_c22_the_engines_hints_are_short(problem: Problem, language: Language) -> None:
    said = EngineError(problem, table=LONG, part=LONG).message(language)
    assert 0 < len(said) <= HINT_LENGTH
    assert said[-1] in ".。"


@pytest.mark.parametrize(
    ("language", "step"),
    [
        (Language.EN, "browseTable shows"),
        (Language.DE, "browseTable zeigt"),
        (Language.ZH, "browseTable"),
    ],
)
def test_c22_an_unknown_field_says_where_the_fields_are(language: Language, step: str) -> None:
    asked = Checker(compile_catalog(schema_from_ddl("CREATE TABLE t (id int, name text);")))
    offered = ("queryTable", "browseTable")
    for call in (
        "SELECT zzqq FROM t",
        AggregateCall(table_name="t", aggregate="sum", field="zzqq"),
    ):
        verdict = asked.check(call, Caller(language=language))
        assert isinstance(verdict, Refusal)
        assert verdict.primary.suggestion is None
        told = with_next_step(refused(verdict), "queryTable", offered, "", language)
        assert step in (told.error_details or {})["hint"]
    missing = asked.check("SELECT 1 FROM zzqq", Caller(language=language))
    assert isinstance(missing, Refusal)
    told = with_next_step(refused(missing), "queryTable", (*offered, "describe"), "", language)
    assert "describe" in (told.error_details or {})["hint"]


def test_c22_what_the_hint_names_is_suggested() -> None:
    required = Constraint(
        applies_to="Sales", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("status",)
    )
    asked = checker(required)
    for sql, target in (
        ("SELECT SUM(amount) FROM sales", "status"),
        ("SELECT SUM(on_hand) FROM stock", "day"),
        ("SELECT product_id, COUNT(*) FROM stock", "product_id"),
    ):
        verdict = asked.check(sql)
        assert isinstance(verdict, Refusal)
        assert verdict.primary.suggestion == target
        assert target in verdict.primary.hint


def test_c22_an_owners_long_message_keeps_whole_sentences() -> None:
    first = "Never sum a stock over days."
    tail = " It is counted each evening, so that a week of it would be seven times what there is."
    for rule, said in ((first + tail, first), (tail.strip(), "on_hand")):
        constraint = Constraint(
            applies_to="Stock.on_hand",
            rule=ConstraintRule.SEMI_ADDITIVE_OVER,
            fields=("day",),
            message=rule,
        )
        verdict = checker(constraint).check("SELECT SUM(on_hand) FROM stock")
        assert isinstance(verdict, Refusal)
        told = verdict.primary.hint
        assert len(told) <= HINT_LENGTH
        assert "…" not in told
        assert said in told


@given(st.text(), st.integers(6, 80))
def test_c22_a_shortened_name_keeps_its_ends(name: str, length: int) -> None:
    short = shortened(name, length)
    assert len(short) <= max(len(name), length)
    assert len(short) <= length or short == name
    assert short[:1] == name[:1]
    assert short[-1:] == name[-1:]
