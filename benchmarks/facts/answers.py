"""Answers and lies in the form of facts: how many are accepted, marked, refused.

A set is a file of lines ``{id, language, question, evidence, answer}``; a line with ``kind`` and
``false`` is a lie. Lines without evidence take it from the question of that id in ``--data``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.data import read_lines
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.answer import Stated, state_answer
from veridical.facts.instruction import instruction
from veridical.facts.listing import list_results
from veridical.facts.prose.finding import Level

_SETS = ("first", "second")


def lines_of(files: Iterable[Path], data: Path | None) -> Iterator[dict[str, Any]]:
    """All lines of the sets, each with question, language and evidence."""
    known = _questions(data) if data is not None else {}
    for file in files:
        for line in read_lines(file):
            name = str(line.get("id") or line.get("task"))
            yield {"id": name, **known.get(name, {}), **line}


def _questions(data: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name in _SETS:
        file = data / "wild_answers" / f"{name}.jsonl"
        for line in read_lines(file) if file.exists() else ():
            if line["label"] == "good":
                found[f"{name}-{line['id']}"] = {
                    "language": line["lang"],
                    "question": line["question"],
                    "evidence": line["evidence"],
                }
    return found


def stated(line: Mapping[str, Any]) -> Stated:
    """One answer, judged."""
    language = Language(str(line["language"])[:2])
    return state_answer(line["answer"], read_tables(line["evidence"]), line["question"], language)


def figures(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Rates over honest answers and over lies, by language; and the findings by check: honest
    sentences, and lies, with at least one."""
    honest: Counter[str] = Counter()
    lies: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    honest_checks: Counter[str] = Counter()
    lie_checks: Counter[str] = Counter()
    for line in lines:
        found = stated(line)
        language = str(line["language"])[:2]
        marked = [said for said in found.sentences if _is_marked(said.findings)]
        if "false" in line:
            caught = "refused" if not found.accepted else "marked" if marked else "passed"
            lies.update((caught, f"{caught} {language}", "all", f"all {language}"))
            codes = [each.code for said in marked for each in said.findings]
            lie_checks.update(sorted({*codes, *(each.code for each in found.refused)}))
            continue
        honest.update(("all", f"all {language}"))
        honest["sentences"] += len(found.sentences)
        honest[f"sentences {language}"] += len(found.sentences)
        honest["marked"] += len(marked)
        honest[f"marked {language}"] += len(marked)
        for said in marked:
            honest_checks.update(sorted({each.code for each in said.findings}))
        if found.accepted:
            honest.update(("accepted", f"accepted {language}"))
        reasons.update(f"{each.code} {each.reason}".strip() for each in found.refused)
    checks = {"honest_by_check": honest_checks, "lies_by_check": lie_checks, "reasons": reasons}
    return _rates(honest, lies) | {
        name: dict(by.most_common()) for name, by in checks.items() if by
    }


def _is_marked(findings: Iterable[Any]) -> bool:
    return any(finding.level is Level.MARKED for finding in findings)


def _rates(honest: Counter[str], lies: Counter[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if honest["all"]:
        found |= {
            "answers": honest["all"],
            "accepted": round(honest["accepted"] / honest["all"], 4),
            "accepted_by_language": _by_language(honest, ("accepted",), "all"),
            "sentences": honest["sentences"],
            "honest_marked": round(honest["marked"] / max(1, honest["sentences"]), 4),
            "honest_marked_by_language": _by_language(honest, ("marked",), "sentences"),
        }
    if lies["all"]:
        caught = lies["refused"] + lies["marked"]
        found |= {
            "lies": lies["all"],
            "lies_refused": lies["refused"],
            "lies_marked": lies["marked"],
            "lies_caught": round(caught / lies["all"], 4),
            "lies_caught_by_language": _by_language(lies, ("refused", "marked"), "all"),
        }
    return found


def _by_language(counts: Counter[str], parts: Iterable[str], whole: str) -> dict[str, float]:
    return {
        each.value: round(sum(counts[f"{part} {each.value}"] for part in parts) / count, 4)
        for each in Language
        if (count := counts[f"{whole} {each.value}"])
    }


def prompt(line: Mapping[str, Any]) -> str:
    """What a model is shown for a question."""
    results = list_results(read_tables(line["evidence"]))
    return f"{instruction()}\n\n# Question\n{line['question']}\n\n# Results\n{results}\n"
