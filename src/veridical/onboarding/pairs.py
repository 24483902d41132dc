"""Questions with SQL from elsewhere: those that pass the check become drafts of gold questions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.violation import Refusal
from veridical.messages import message
from veridical.ontology.importers import QuestionSql

_VALUE = "value"


@dataclass(frozen=True)
class CheckedPairs:
    """The cases made from pairs, and the others with the reason."""

    cases: tuple[dict[str, Any], ...]
    refused: tuple[tuple[QuestionSql, str], ...]


def checked_pairs(
    pairs: Iterable[QuestionSql], checker: Checker, language: Language
) -> CheckedPairs:
    """Each pair checked against schema and ontology, like a model's query."""
    cases: list[dict[str, Any]] = []
    refused: list[tuple[QuestionSql, str]] = []
    caller = Caller(language=language)
    for pair in pairs:
        verdict = checker.check(SqlCall(sql=pair.sql), caller, pair.question)
        if isinstance(verdict, Refusal):
            refused.append((pair, verdict.error))
        elif (case := _case(f"p{len(cases) + 1:03}", pair, checker.dialect, language)) is None:
            refused.append((pair, message("onboarding.pair_without_columns", language)))
        else:
            cases.append(case)
    return CheckedPairs(tuple(cases), tuple(refused))


def _case(id_: str, pair: QuestionSql, dialect: str, language: Language) -> dict[str, Any] | None:
    """A case with every column of the SQL; None if it names none."""
    tree = sqlglot.parse_one(pair.sql, dialect=dialect)
    if not isinstance(tree, exp.Query) or tree.is_star:
        return None
    if isinstance(tree, exp.Select):
        tree.set("expressions", [_named(each, at) for at, each in enumerate(tree.expressions)])
    shown = {each.alias_or_name: each for each in tree.selects}
    figures = [name for name, each in shown.items() if each.find(exp.AggFunc, exp.Binary)]
    case: dict[str, Any] = {"id": id_, "question": pair.question, "language": language.value}
    case["expectedAnswerNumeric"] = figures
    case["expectedAnswerNames"] = [name for name in shown if name not in figures]
    case["truth"] = {"sql": tree.sql(dialect=dialect)}
    return {key: value for key, value in case.items() if value}


def _named(shown: exp.Expr, at: int) -> exp.Expr:
    if shown.alias_or_name:
        return shown
    return exp.alias_(shown, f"{_VALUE}{at + 1}")
