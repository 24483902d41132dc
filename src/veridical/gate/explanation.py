"""The facts behind a free text: a model names them, the host computes and words them.

The model is not trusted: it chooses facts, and never a figure. Nor is the reviewer: it flags
sentences that say more than the exact ones or something else, and proves none.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.read import typed_tables
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import Stated, state_answer
from veridical.facts.instruction import instruction
from veridical.facts.listing import list_results
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import split
from veridical.facts.record import reasons_of
from veridical.facts.review import (
    NoReviewError,
    ReviewTask,
    read_flags,
    review_instruction,
    review_prompt,
)
from veridical.gate.evidence.evidence import Evidence
from veridical.reading.language import language_of

AskModel = Callable[[str], Awaitable[str]]
"""Any model: a prompt in, its reply out."""
_MOST_FACTS = 60


@dataclass(frozen=True, slots=True)
class ExplainedSentence:
    """One sentence of the text with the facts of the results on it."""

    text: str
    exact: tuple[str, ...] = ()
    """Sentences in the host's words, which are true of the evidence."""
    flagged: bool = False
    """True if the reviewer found that it says more than these or something else."""
    why: str = ""

    @property
    def is_covered(self) -> bool:
        """True if a fact was found for it."""
        return bool(self.exact)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A text sentence by sentence, with the exact sentences beside it."""

    sentences: tuple[ExplainedSentence, ...]
    refused: tuple[str, ...] = ()
    """Reasons why facts that the model named could not be computed."""
    reviewed: bool = False
    """True if a reviewer compared them; without a review, covered does not mean right."""

    @property
    def uncovered(self) -> tuple[ExplainedSentence, ...]:
        """The sentences that no fact covers."""
        return tuple(each for each in self.sentences if not each.is_covered)

    @property
    def flagged(self) -> tuple[ExplainedSentence, ...]:
        """The sentences that the reviewer flagged."""
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

    Evidence has any shape that ``veridical.gate.check`` takes. An unreadable reply covers nothing,
    an unreadable review counts as none; exceptions of the callables are raised.
    """
    language = language or language_of(text, Language.EN)
    tables = typed_tables(evidence.exhibits if isinstance(evidence, Evidence) else evidence)
    sentences = [each.text.strip() for each in split((Piece(0, len(text), text),))]
    named = _read(await model(_prompt(sentences, tables, question)))
    if named is None:
        unread = ProseFinding(Code.FORM, Level.REFUSED, "facts", reason="syntax")
        found = Explanation(
            tuple(map(ExplainedSentence, sentences)), refused=reasons_of((unread,), language)
        )
    else:
        found = _beside(sentences, named, _stated(named, tables, question, language), language)
    return await _reviewed(found, question, reviewer) if reviewer is not None else found


@dataclass(frozen=True, slots=True)
class _Named:
    """The model's reply: facts, and for each sentence, from 1, the names of its facts."""

    facts: Mapping[str, Any]
    sentences: Mapping[str, tuple[str, ...]]


def _prompt(sentences: Sequence[str], tables: Sequence[EvidenceTable], question: str) -> str:
    text = "\n".join(f"{at}. {each}" for at, each in enumerate(sentences, start=1))
    parts = (_own_instruction(), instruction().strip(), "# Results", list_results(tables))
    question_parts = ("# Question", question) if question else ()
    return "\n\n".join((*parts, *question_parts, "# Text", text))


@cache
def _own_instruction() -> str:
    return files("veridical.gate").joinpath("explanation.md").read_text("utf-8").strip()


def _read(reply: str) -> _Named | None:
    """The parsed reply; none where it has another form."""
    try:
        raw: Any = json.loads(reply[reply.find("{") : reply.rfind("}") + 1], strict=False)
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


def _stated(
    named: _Named, tables: Sequence[EvidenceTable], question: str, language: Language
) -> Stated:
    """All facts in the host's words, under names that no slot can misread."""
    facts = {f"f{at}": fact for at, fact in enumerate(named.facts.values())}
    slots = " ".join(f"{{{name}}}" for name in facts)
    return state_answer({"facts": facts, "answer": slots}, tables, question, language)


def _beside(texts: Sequence[str], named: _Named, stated: Stated, language: Language) -> Explanation:
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
        for at, text in enumerate(texts, start=1)
        for names in (named.sentences.get(str(at), ()),)
    )
    failed = [  # without the name of the fact, which means nothing to the caller
        replace(each, text=each.text.partition(": ")[2]) if each.code is Code.FACT else each
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
