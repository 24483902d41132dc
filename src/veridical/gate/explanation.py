"""What somebody's free text rests on: a model names the facts, the host computes and says them.

The model is not trusted: it chooses facts, and never a figure. Nor is the reviewer: it flags
sentences that say more or other than the exact ones, and proves none.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.table import Table
from veridical.facts.answer import Stated, state_answer
from veridical.facts.instruction import instruction
from veridical.facts.listing import list_results
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Finding, Level
from veridical.facts.prose.sentences import split
from veridical.facts.reasons import reasons_of
from veridical.facts.review import (
    NoReviewError,
    ReviewTask,
    read_flags,
    review_instruction,
    review_prompt,
)
from veridical.gate.typed_evidence import typed_tables
from veridical.reading.language import language_of

AskModel = Callable[[str], Awaitable[str]]
"""Any model: a prompt in, its reply out."""
_MOST_FACTS = 60


@dataclass(frozen=True, slots=True)
class ExplainedSentence:
    """One sentence of the text, beside what the results say on it."""

    text: str
    exact: tuple[str, ...] = ()
    """In the host's words: true of the evidence, whatever the sentence says."""
    flagged: bool = False
    """Whether it says more or other than these, in the reviewer's opinion."""
    why: str = ""

    @property
    def is_covered(self) -> bool:
        """Whether any fact was found for it."""
        return bool(self.exact)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A text sentence by sentence, with the exact sentences beside it."""

    sentences: tuple[ExplainedSentence, ...]
    refused: tuple[str, ...] = ()
    """Why facts that the model named could not be computed."""
    reviewed: bool = False
    """Whether somebody compared them; without that, covered does not mean right."""

    @property
    def uncovered(self) -> tuple[ExplainedSentence, ...]:
        """The sentences that no fact covers."""
        return tuple(each for each in self.sentences if not each.is_covered)

    @property
    def flagged(self) -> tuple[ExplainedSentence, ...]:
        """The sentences that the reviewer found to say more or other."""
        return tuple(each for each in self.sentences if each.flagged)


async def explain(
    text: str,
    evidence: Any,
    model: AskModel,
    *,
    question: str = "",
    language: Language | None = None,
    reviewer: AskModel | None = None,
) -> Explanation:
    """The facts behind a free text, named by a model, computed from the evidence.

    Evidence has any shape that ``veridical.gate.check`` takes. A reply that can't be read covers
    nothing, and a review that can't be read is none; what the callables raise is raised.
    """
    spoken = language or language_of(text, Language.EN)
    tables = typed_tables(evidence)
    told = [each.text.strip() for each in split((Piece(0, len(text), text),))]
    named = _read(await model(_prompt(told, tables, question)))
    if named is None:
        unread = Finding(Code.FORM, Level.REFUSED, "facts", reason="syntax")
        found = Explanation(
            tuple(map(ExplainedSentence, told)), refused=reasons_of((unread,), spoken)
        )
    else:
        found = _beside(told, named, _stated(named, tables, question, spoken), spoken)
    return await _reviewed(found, question, reviewer) if reviewer is not None else found


@dataclass(frozen=True, slots=True)
class _Named:
    """What the model replied: facts, and by sentence, from 1, the names of its own."""

    facts: Mapping[str, Any]
    sentences: Mapping[str, tuple[str, ...]]


def _prompt(sentences: Sequence[str], tables: Sequence[Table], question: str) -> str:
    text = "\n".join(f"{at}. {each}" for at, each in enumerate(sentences, start=1))
    parts = (_own_instruction(), instruction().strip(), "# Results", list_results(tables))
    asked = ("# Question", question) if question else ()
    return "\n\n".join((*parts, *asked, "# Text", text))


@cache
def _own_instruction() -> str:
    return files("veridical.gate").joinpath("explanation.md").read_text("utf-8").strip()


def _read(said: str) -> _Named | None:
    """The reply; none where it is no such object."""
    try:
        raw: Any = json.loads(said[said.find("{") : said.rfind("}") + 1], strict=False)
    except (ValueError, RecursionError):
        return None
    facts: Any = raw.get("facts") if isinstance(raw, Mapping) else None
    sentences: Any = raw.get("sentences") if isinstance(raw, Mapping) else None
    if not isinstance(facts, Mapping) or not isinstance(sentences, Mapping):
        return None
    if len(facts) > _MOST_FACTS:
        return None
    listed = {str(at): tuple(map(str, names)) for at, names in sentences.items()
              if isinstance(names, list)}  # fmt: skip
    return _Named({str(name): fact for name, fact in facts.items()}, listed)


def _stated(named: _Named, tables: Sequence[Table], question: str, language: Language) -> Stated:
    """All facts said by the host alone, under names that no slot can misread."""
    facts = {f"f{at}": fact for at, fact in enumerate(named.facts.values())}
    slots = " ".join(f"{{{name}}}" for name in facts)
    return state_answer({"facts": facts, "answer": slots}, tables, question, language)


def _beside(told: Sequence[str], named: _Named, stated: Stated, language: Language) -> Explanation:
    misnamed = {each.reason for each in stated.refused if each.code is Code.ALIAS}
    exact = {
        name: stated.exact[f"f{at}"]
        for at, name in enumerate(named.facts)
        if f"f{at}" in stated.exact and f"f{at}" not in misnamed
    }
    sentences = tuple(
        ExplainedSentence(
            text,
            tuple(dict.fromkeys(exact[name] for name in names if name in exact)),
        )
        for at, text in enumerate(told, start=1)
        for names in (named.sentences.get(str(at), ()),)
    )
    failed = [  # without the name of the fact, which is none that anybody knows
        replace(each, said=each.said.partition(": ")[2]) if each.code is Code.FACT else each
        for each in stated.refused
        if each.code in (Code.FACT, Code.ALIAS)
    ]
    return Explanation(sentences, refused=reasons_of(failed, language))


async def _reviewed(found: Explanation, question: str, reviewer: AskModel) -> Explanation:
    texts = tuple(each.text for each in found.sentences)
    exact = tuple(dict.fromkeys(line for each in found.sentences for line in each.exact))
    prompt = review_prompt(ReviewTask(question, texts, exact))
    try:
        flags = read_flags(await reviewer(f"{review_instruction()}\n\n{prompt}"), len(texts))
    except NoReviewError:
        return found
    why = {flag.sentence: flag.why for flag in flags}
    sentences = tuple(
        replace(each, flagged=True, why=why[at]) if at in why else each
        for at, each in enumerate(found.sentences)
    )
    return replace(found, sentences=sentences, reviewed=True)
