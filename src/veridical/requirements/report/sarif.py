"""SARIF 2.1.0, which code review shows beside the lines: one run with rules and results."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from veridical.contracts.language import Language
from veridical.contracts.violation import Mode
from veridical.messages import message
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.finding import Finding, Weight
from veridical.requirements.policy.issue import Issue, IssueState
from veridical.requirements.policy.judgement import Judgement
from veridical.requirements.policy.review_policy import PAIR_RULES, RULE_IDS
from veridical.word_file import word_file

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_FINGERPRINT = "veridicalFinding/v1"
_ROOT = "%SRCROOT%"
_PLACES = {rule: place for place, rule in enumerate(RULE_IDS)}
_FIXES = {"STO": ("STO_role", "STO_benefit")}
"""Rules whose findings are all of some variant."""
_SEVERITY = {Weight.HIGH: "warning", Weight.MEDIUM: "warning", Weight.LOW: "note"}


def as_sarif(judgement: Judgement, language: Language, root: Path | None = None) -> dict[str, Any]:
    """The log; files are named from the project's root, by default the current folder."""
    base = (root or Path.cwd()).resolve()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(language)},
                "language": language.value,
                "columnKind": "utf16CodeUnits",
                "results": [_result(each, judgement, base, language) for each in judgement.issues],
            }
        ],
    }


def _driver(language: Language) -> dict[str, Any]:
    return {
        "name": "Veridical",
        "version": version("veridical"),
        "rules": [_rule(rule, language) for rule in RULE_IDS],
    }


def _rule(rule: str, language: Language) -> dict[str, Any]:
    standards = standard_ids(rule)
    title = message(f"review.rule_{rule}", language)
    fix = _fix(rule, language)
    named = f" ({'; '.join(standards)})" if standards else ""
    return {
        "id": rule,
        "shortDescription": {"text": title},
        "fullDescription": {"text": f"{title}. {fix}"},
        "help": {"text": f"{title}. {fix}{named}", "markdown": f"**{title}.** {fix}{named}"},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["requirements", *standards]},
    }


def _fix(rule: str, language: Language) -> str:
    """Advice on how to fix the findings of a rule."""
    if kind := PAIR_RULES.get(rule):
        return message(f"review.fix_{kind}", language)
    keys = _FIXES.get(rule, (rule,))
    return " ".join(message(f"requirements.{key}_fix", language, said="…") for key in keys)


def _result(each: Issue, judgement: Judgement, base: Path, language: Language) -> dict[str, Any]:
    reviewed = judgement.review.reviewed
    requirement = reviewed[each.place].requirement
    finding = each.cause if isinstance(each.cause, Finding) else None
    result: dict[str, Any] = {
        "ruleId": each.rule,
        "ruleIndex": _PLACES[each.rule],
        "level": _level(each),
        "message": {"text": f"{requirement.id}: {each.reason(language)} {each.fix(language)}"},
        "locations": [_location(requirement, finding, base)],
        "partialFingerprints": {_FINGERPRINT: each.fingerprint},
        "properties": {"weight": each.weight.value, "mode": each.mode.value},
    }
    if each.other is not None:
        other = _location(reviewed[each.other].requirement, None, base)
        result["relatedLocations"] = [{"id": 1, **other}]
    if judgement.has_baseline:
        result["baselineState"] = "unchanged" if each.is_known else "new"
    if suppressed := list(_suppressions(each)):
        result["suppressions"] = suppressed
    return result


def _level(each: Issue) -> str:
    if each.mode is Mode.BLOCK:
        return "error"
    return "none" if each.mode is Mode.SHADOW else _SEVERITY[each.weight]


def _suppressions(each: Issue) -> Iterator[dict[str, Any]]:
    if each.state is IssueState.DISMISSED and each.dismissal:
        by, why, on = each.dismissal.by, each.dismissal.why, each.dismissal.on
        yield {
            "kind": "external",
            "status": "accepted",
            "justification": f"{why} ({by}, {on})",
        }


def _location(requirement: Requirement, finding: Finding | None, base: Path) -> dict[str, Any]:
    found = region(requirement, finding)
    lines: dict[str, Any] = {"startLine": found.line}
    if found.column is not None:
        lines |= {
            "startColumn": found.column,
            "endLine": found.end_line,
            "endColumn": found.end_column,
        }
    logical = {"name": requirement.id, "kind": "member"}
    if requirement.place:
        logical["fullyQualifiedName"] = f"{requirement.place}#{requirement.id}"
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(requirement.source, base),
            "region": lines,
        },
        "logicalLocations": [logical],
    }


@lru_cache(maxsize=1024)
def _artifact(source: str, base: Path) -> dict[str, str]:
    path = Path(source).resolve()
    if path.is_relative_to(base):
        return {"uri": quote(path.relative_to(base).as_posix()), "uriBaseId": _ROOT}
    return {"uri": path.as_uri()}


_BELOW = 80
"""Lines in which the words of a requirement are looked for."""
_MARKUP = r"[*_`]{0,3}"
_TEXTS = frozenset(
    {".csv", ".json", ".jsonl", ".markdown", ".md", ".ndjson", ".reqif", ".rst", ".sdoc"}
    | {".txt", ".yaml", ".yml"}
)


@dataclass(frozen=True)
class Region:
    """The lines and columns of a finding, counted from 1; the end is the column behind it."""

    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


def region(requirement: Requirement, finding: Finding | None) -> Region:
    """The place of the finding's words; where they can't be found, that of the requirement."""
    if finding is None or Path(requirement.source).suffix.lower() not in _TEXTS:
        return Region(requirement.line)
    lines = _lines(requirement.source)[requirement.line - 1 : requirement.line - 1 + _BELOW]
    words = _pattern(finding.words)
    before = len(words.findall(requirement.text[: finding.end])) - 1
    text = "\n".join(lines)
    found = list(words.finditer(text))
    if not 0 <= before < len(found):
        return Region(requirement.line)
    begin, end = found[before].span()
    return Region(
        requirement.line + text.count("\n", 0, begin),
        _column(text, begin),
        requirement.line + text.count("\n", 0, end),
        _column(text, end),
    )


def _pattern(excerpt: str) -> re.Pattern[str]:
    """The words with any space or markup between them."""
    between = rf"{_MARKUP}\s+{_MARKUP}"
    return re.compile(between.join(map(re.escape, excerpt.split())) or r"(?!)")


def _column(text: str, place: int) -> int:
    """The column in UTF-16 units, which is what tools for code review count."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1


@lru_cache(maxsize=8)
def _lines(source: str) -> tuple[str, ...]:
    try:
        return tuple(Path(source).read_text("utf-8-sig").split("\n"))
    except (OSError, UnicodeDecodeError):  # gone since it was read
        return ()


def standard_ids(rule: str) -> tuple[str, ...]:
    """The rule's names in INCOSE's guide and in ISO/IEC/IEEE 29148."""
    names = _standards().get(rule, {})
    return (
        *(f"INCOSE {each}" for each in names.get("incose", ())),
        *(f"ISO/IEC/IEEE 29148 {each}" for each in names.get("29148", ())),
    )


def _standards() -> dict[str, dict[str, list[str]]]:
    return word_file("veridical.requirements.report", "standards.toml")
