"""FinanceBench: answers of GPT-4 and GPT-4 Turbo over pages of annual reports, labelled by people.

Taken are the four oracle runs, in which the model was given the right pages. An answer counts as
having a figure when it holds a number besides years, dates, markers of list items and numbers of
the question. Answers labelled correct must pass. The fabricated twin has another main figure
(``shift``, seeded with the answer's id), everywhere that it is written alike. The main figure is
the last one that the gold answer has as well, to within 1 % and apart from its scale; where the
gold has none of them, it is the answer's last figure. Answers labelled incorrect are given with
the kind ``incorrect``: how many of them are blocked is told, but a wrong answer may well consist
of right figures.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.answer_gate.sample import Sample
from benchmarks.answer_gate.shift import FIGURE, shifted
from benchmarks.answer_gate.tatqa import cell_value, line_figures
from veridical.gate.evidence.exhibit import Exhibit

RUNS = (
    "gpt-4_oracle",
    "gpt-4_oracle_reverse",
    "gpt-4-1106-preview_oracle",
    "gpt-4-1106-preview_oracle_reverse",
)
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
_DAY_BEFORE = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+$")
_MARKER_BEFORE = re.compile(r"(?:^|\n)\s*(?:\*\*|#+\s*)?$")
_MARKER_AFTER = re.compile(r"[.)]\s")
_NAME_BEFORE = re.compile(
    r"(?:Note|Item|Form|Section|Page|Part|Topic|Level|Step|Q)\s*$", re.IGNORECASE
)
_NEAR = 0.01
_SCALES = (1.0, 100.0, 1e3, 1e6, 1e9)


def samples(data: Path) -> Iterator[Sample]:
    """Every answer with a figure: the correct ones with their twins, and the incorrect ones."""
    folder = data / "financebench"
    cases = {
        case["financebench_id"]: case
        for case in _lines(folder / "data" / "financebench_open_source.jsonl")
    }
    for run in RUNS:
        for answer in _lines(folder / "results" / f"{run}.jsonl"):
            yield from _of(answer, cases[answer["financebench_id"]], run)


def _of(answer: dict[str, Any], case: dict[str, Any], run: str) -> Iterator[Sample]:
    text, label = answer["model_answer"] or "", answer["label"]
    found = _figures(text, case["question"])
    if not found or label not in ("Correct Answer", "Incorrect Answer"):
        return
    identity = f"{case['financebench_id']}:{run}"
    exhibits, rows = _evidence(case)

    def sample(suffix: str, text: str, *, good: bool, kind: str) -> Sample:
        return Sample(
            id=identity + suffix,
            group=case["doc_name"],
            answer=text,
            exhibits=exhibits,
            rows=rows,
            good=good,
            question=case["question"],
            kind=kind,
        )

    if label == "Incorrect Answer":
        yield sample(":incorrect", text, good=False, kind="incorrect")
        return
    yield sample("", text, good=True, kind=run)
    false = _fabricated(text, found, str(case["answer"]), identity)
    if false is not None:
        yield sample(":fabricated", false, good=False, kind=run)


def _figures(text: str, question: str) -> list[re.Match[str]]:
    asked = {match.group() for match in FIGURE.finditer(question)}
    return [
        match
        for match in FIGURE.finditer(text)
        if match.group() not in asked and _is_figure(match, text)
    ]


def _is_figure(match: re.Match[str], text: str) -> bool:
    before, after = text[: match.start()][-24:], text[match.end() :][:8]
    if _YEAR.fullmatch(match.group()) and not before.rstrip().endswith(("$", "€", "£")):
        return False
    if _DAY_BEFORE.search(before) or _NAME_BEFORE.search(before):
        return False
    at_line = match.start() == 0 or _MARKER_BEFORE.search(text[: match.start()]) is not None
    return not (at_line and _MARKER_AFTER.match(after))


def _fabricated(text: str, found: list[re.Match[str]], gold: str, seed: str) -> str | None:
    main = _main(found, gold)
    false = shifted(main, seed)
    if false is None:
        return None
    alike = {match.start() for match in found if match.group() == main}
    return FIGURE.sub(lambda match: false if match.start() in alike else match.group(), text)


def _main(found: list[re.Match[str]], gold: str) -> str:
    values = [
        _value(match) for match in FIGURE.finditer(gold) if not _YEAR.fullmatch(match.group())
    ]
    for match in reversed(found):
        if any(_same(_value(match), value) for value in values):
            return match.group()
    return found[-1].group()


def _same(value: float, gold: float) -> bool:
    return any(
        abs(value * up - gold * down) <= _NEAR * abs(gold * down)
        for up, down in [*((scale, 1.0) for scale in _SCALES), *((1.0, scale) for scale in _SCALES)]
        if value and gold
    )


def _value(match: re.Match[str]) -> float:
    return float(match.group().replace(",", ""))


def _evidence(case: dict[str, Any]) -> tuple[tuple[Exhibit, ...], list[dict[str, Any]]]:
    """Every page that was given, in full where the set has it; the rows are its lines."""
    pages = [part["evidence_text_full_page"] or part["evidence_text"] for part in case["evidence"]]
    pages = list(dict.fromkeys(pages))
    exhibits = tuple(
        Exhibit(name=f"page {number}", text=page) for number, page in enumerate(pages, 1)
    )
    rows = [
        {"text": cell_value(line)} | line_figures(line)
        for page in pages
        for line in page.splitlines()
        if line.strip()
    ]
    return exhibits, rows


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
