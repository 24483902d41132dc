"""Questions with answers of other authors: whether an answer is taken or left open as they expect.

A dialogue is right where the rewrite takes an answer that answers the question, and leaves the
others out.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from veridical.contracts.language import Language
from veridical.requirements.inspection import inspect
from veridical.requirements.rewrite.answer import is_answered
from veridical.requirements.rewrite.question import QUESTION_KINDS, Question
from veridical.requirements.rewrite.rewrite import rewrite_requirement
from veridical.requirements.tokens import Tokens, read

_ASKED = {
    "figure": "metric",
    "value": "open",
    "condition": "when",
    "actor": "who",
    "reference": "which",
}
"""The kinds of questions that have another name there."""
_ACCEPTED = frozenset({"accepted", "accept", "taken", "answered", "complete", "true", "yes"})
"""The names of an answer that answers the question."""
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
Line = Mapping[str, Any]


def measure_dialogues(items: Iterable[Line], *, misses: bool) -> dict[str, Any]:
    """Answers that were taken or left open as expected, and rewrites with invented figures."""
    counts: dict[str, Counter[str]] = {}
    invented = not_evaluated = 0
    for item in items:
        inspection = inspect(item["requirement"])
        if not inspection.is_readable:
            not_evaluated += 1
            continue
        tokens = inspection.tokens
        if item.get("lang", tokens.language) != tokens.language:
            tokens = read(item["requirement"], item["lang"])
        question = _question(item, tokens)
        called = "accepted" if is_answered(question, item["answer"], tokens) else "open"
        expected = "accepted" if str(item["expected"]).lower() in _ACCEPTED else "open"
        asks = item.get("asks") or question.kind
        for name in ("all", f"asks {asks}", f"expected {expected}"):
            counts.setdefault(name, Counter())["dialogues"] += 1
            counts[name]["right"] += called == expected
        if misses and called != expected:
            about = f"{asks} {question.words!r}"
            print(
                f"{expected} called {called} {item.get('id')} {about}:"
                f" {item['requirement']} | {item['answer']}"
            )
        invented += _invents(item["requirement"], question.key, item["answer"])
    return {
        "outcomes": {
            name: {**each, "share": round(each["right"] / each["dialogues"], 4)}
            for name, each in sorted(counts.items())
        },
        "not_evaluated": not_evaluated,
        "rewrites_with_invented_figures": invented,
    }


def _question(item: Line, tokens: Tokens) -> Question:
    """The question of the product about these words, else one of the same kind; where the dialogue
    has the question itself, the product's own that wants the same."""
    if "asks" not in item:
        return _same(str(item["question"]), tokens)
    asks, about = str(item["asks"]), item.get("about", "")
    kind = _ASKED.get(asks, asks)
    start = item["requirement"].find(about) if about else -1
    end = start + len(about) if start >= 0 else -1
    for finding in inspect(tokens.text, tokens.language).findings:
        same = QUESTION_KINDS.get(finding.rule) in _alike(kind)
        if same and finding.start < end and start < finding.end:
            key = f"{finding.rule}:{finding.start}"
            named = QUESTION_KINDS[finding.rule]
            return Question(key, named, finding.words, finding.start, finding.end)
    return Question(kind, kind, about, start, end)


def _alike(kind: str) -> tuple[str, ...]:
    return (kind, "tolerance") if kind == "metric" else (kind,)


def _same(asked: str, tokens: Tokens) -> Question:
    """The product's question that wants the same; of several, the one that shares most words."""
    questions = rewrite_requirement(tokens.text).questions or (Question("open", "open"),)
    for kinds in _wanted(f" {' '.join(read(asked, tokens.language).lows)} "):
        own = [each for each in questions if each.kind in kinds]
        return _closest(asked, own, tokens.language) if own else Question(kinds[0], kinds[0])
    return _closest(asked, questions, tokens.language)


def _wanted(asked: str) -> Iterator[Sequence[str]]:
    """The kinds of questions that the words of this one tell of."""
    for kind in _kinds().values():
        if any(f" {words} " in asked for words in kind["words"]):
            yield kind["same"]


@cache
def _kinds() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "asked.toml").read_text("utf-8"))


def _closest(asked: str, questions: Sequence[Question], language: str) -> Question:
    words = set(read(asked, language).lows)

    def shared(question: Question) -> int:
        return len(words & set(read(question.text(Language(language)), language).lows))

    return max(questions, key=shared)


def _invents(text: str, key: str, answer: str) -> bool:
    """True if a rewrite has a figure that neither the requirement nor the answer has."""
    given = {*_NUMBER.findall(text), *_NUMBER.findall(answer)}
    rewrite = rewrite_requirement(text, {key: answer})
    return bool(rewrite.invented) or any(
        each not in given for each in _NUMBER.findall(rewrite.text)
    )
