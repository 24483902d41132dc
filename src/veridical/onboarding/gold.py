"""Drafts of gold questions: the known questions, each with plain SQL that gives the truth."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlglot import exp

from veridical.contracts.language import Language
from veridical.ontology.filling import filled
from veridical.ontology.model import CanonicalQueryPattern, OntologyDescriptor

_MOST = 60
_VALUE = "value"


def draft_gold(
    ontology: OntologyDescriptor,
    language: Language,
    dialect: str,
    today: date,
    more: Sequence[dict[str, Any]] = (),
) -> dict[str, Any] | None:
    """A gold set as its file has it; None if there is no case."""
    cases = [
        _case(f"q{number:03}", pattern, language, dialect)
        for number, pattern in enumerate(ontology.canonical_patterns[:_MOST], 1)
    ]
    cases += more
    if not cases:
        return None
    return {
        "name": f"{ontology.feature_code}-drafts",
        "feature": ontology.feature_code,
        "today": today.isoformat(),
        "cases": cases,
    }


def _case(
    id_: str, pattern: CanonicalQueryPattern, language: Language, dialect: str
) -> dict[str, Any]:
    values = {slot.name: slot.examples[0] for slot in pattern.slots}
    call = filled(pattern.pattern, values)
    sql, column = truth_of(call, dialect)
    question_language = (
        language.value if language.value in pattern.questions else next(iter(pattern.questions))
    )
    return {
        "id": id_,
        "question": filled(pattern.questions[question_language][0], values),
        "language": question_language,
        "intent": pattern.intent,
        "difficulty": "easy",
        "expectedAnswerNumeric": [column],
        "truth": {"sql": sql},
    }


def truth_of(call: dict[str, Any], dialect: str) -> tuple[str, str]:
    """Plain SQL for a call, and the column with its figures."""
    if call["tool"] == "executeSqlSafe":
        tree = exp.maybe_parse(call["sql"], dialect=dialect)
        return call["sql"], tree.selects[-1].alias_or_name
    measured = (
        "COUNT(*)" if call["aggregate"] == "count" else f"SUM({_name(call['field'], dialect)})"
    )
    groups = [_name(each, dialect) for each in call.get("groupBy", ())]
    parts = [_condition(each, dialect) for each in call.get("filters", ())]
    where = f" WHERE {' AND '.join(parts)}" if parts else ""
    by = f" GROUP BY {', '.join(groups)}" if groups else ""
    shown = ", ".join((*groups, f"{measured} AS {_name(_VALUE, dialect)}"))
    return (
        f"SELECT {shown} FROM {_name(call['tableName'], dialect)}{where}{by}",
        _VALUE,
    )


def _condition(each: dict[str, Any], dialect: str) -> str:
    name = _name(each["field"], dialect)
    if each["op"] == "is null":
        return f"{name} IS NULL"
    sign = "<>" if each["op"] == "!=" else each["op"]
    return f"{name} {sign} {exp.convert(each['value']).sql(dialect)}"


def _name(text: str, dialect: str) -> str:
    return exp.to_identifier(text, quoted=True).sql(dialect)
