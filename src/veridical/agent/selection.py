"""Selection of evidence: the results that a person approved for an answer."""

import hashlib
import json
from dataclasses import replace
from typing import Any

from veridical.agent.request import LoopOutcome
from veridical.contracts.answer import AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.person import RESULTS, AskPerson, Decision, ItemKind, PersonNeeded
from veridical.messages import message

EVIDENCE_DENIED = "EVIDENCE_DENIED"
MOST_ROWS_SHOWN = 50


class Selection:
    """The results of one run that a person was shown, and their approvals."""

    def __init__(self, ask: AskPerson | None, question: str, language: Language) -> None:
        """Without a person, every result may be used."""
        self._ask = ask
        self._question = question
        self._language = language
        self._approved: dict[str, bool] = {}
        self._withheld: list[str] = []

    @property
    def withheld(self) -> tuple[str, ...]:
        """The calls whose results may not be used."""
        return tuple(dict.fromkeys(self._withheld))

    async def of(self, outcome: LoopOutcome, at: float, attempt: int) -> LoopOutcome:
        """The outcome with the approved results alone; an honest "I can't say" without any.

        A decision of an earlier attempt is not requested again.
        """
        if self._ask is None:
            return outcome
        by_content = {_content_hash(each): each for each in outcome.sources}
        new = {
            content: source
            for content, source in by_content.items()
            if content not in self._approved
        }
        if new:
            await self._decide(self._ask, new, at, attempt)
        approved = tuple(each for each in outcome.sources if self._approved[_content_hash(each)])
        if outcome.sources and not approved:
            text = message("people.evidence_denied", self._language)
            kind, reason = AnswerKind.UNKNOWN, EVIDENCE_DENIED
            return replace(outcome, kind=kind, text=text, sources=(), reason=reason)
        return replace(outcome, sources=approved)

    async def _decide(
        self, ask: AskPerson, sources: dict[str, Source], at: float, attempt: int
    ) -> None:
        shown = [_shown(each) for each in sources.values()]
        needed = PersonNeeded(
            name=f"evidence.{attempt}",
            kind=ItemKind.EVIDENCE,
            subject={"question": self._question, RESULTS: shown},
            reversible=True,
            at=at,
        )
        chosen = _chosen(await ask(needed), len(sources))
        for place, (content, source) in enumerate(sources.items()):
            self._approved[content] = place in chosen
            if place not in chosen:
                self._withheld.append(_named(source))


def _chosen(decision: Decision, count: int) -> frozenset[int]:
    """The approved places; all if none is named."""
    if not decision.approved:
        return frozenset()
    places = decision.choice.get(RESULTS, list(range(count)))
    return frozenset(each for each in places if isinstance(each, int))


def _shown(source: Source) -> dict[str, Any]:
    """A result as a person sees it. The hash binds the decision to the rows that are not shown."""
    payload = source.model_dump(mode="json", by_alias=True, exclude={"receipt": {"elapsed_ms"}})
    return {
        **payload,
        "rows": payload["rows"][:MOST_ROWS_SHOWN],
        "rowsHash": _hash(payload["rows"]),
    }


def _content_hash(source: Source) -> str:
    """The same for the same result, fetched any number of times."""
    return _hash(source.model_dump(mode="json", exclude={"receipt"}))


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _named(source: Source) -> str:
    return f"{source.tool} {json.dumps(source.arguments, ensure_ascii=False, sort_keys=True)}"


FINAL_ANSWER = "finalAnswer"
ANSWER_TEXT = "text"
ANSWER_IN_FACTS = "answer"
"""The argument with the prose of an answer in facts."""
SHOW_RESULT = "showResult"
"""Ends with a result in its tool's words, unchanged."""
ENDINGS = frozenset({FINAL_ANSWER, SHOW_RESULT})
