"""An answer from a cut result states that rows are missing."""

import re
from collections.abc import Iterator, Sequence

from veridical.contracts.proof import ClaimKind, GateCode, Ground
from veridical.contracts.result import Emptiness
from veridical.gate.notions import Notion, find_notion
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem
from veridical.gate.rules.sentence import sentence_at
from veridical.late_pattern import late_pattern
from veridical.reading.before import OVER
from veridical.reading.punctuation import marks, wide_marks
from veridical.word_file import word_file

_FEWEST = 3
_REACH = 60
_CLAUSE = late_pattern(rf"[{marks(',;:!?')}{wide_marks('.')}\n]|\.\s")
_WORDS = word_file("veridical.gate")["truncation"]
_DENIED, _ELSEWHERE = (
    late_pattern(_WORDS[name], re.IGNORECASE) for name in ("denied", "elsewhere")
)
"""Words for a complete list elsewhere: longer, too long, available on request."""


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem if a cut result is presented as the whole: a count, a total, "all"."""
    cut = [
        at
        for at, each in enumerate(facts.exhibits)
        if each.truncated or each.emptiness is Emptiness.TRUNCATED
    ]
    if not cut:
        return
    complete = _claimed_complete(facts.text)
    if complete is not None:
        start, words = complete
        yield Problem(GateCode.TRUNCATION_NOT_SAID, claim=words, start=start)
        return
    if find_notion(Notion.PARTIAL, facts.text):
        return
    for bound in facts.stated:
        if bound.mark == OVER:
            continue
        if bound.kind is ClaimKind.COUNT or bound.ground is Ground.ROW_COUNT:
            yield Problem(GateCode.TRUNCATION_NOT_SAID, bound=bound)
            return
    whole = find_notion(Notion.ALL, facts.text)
    if whole and any(whole[0] in sentence_at(facts.text, bound.start) for bound in facts.stated):
        yield Problem(GateCode.TRUNCATION_NOT_SAID, claim=whole[0], start=whole.start())
        return
    yield from _listed_as_all(facts, cut)


def _claimed_complete(text: str) -> tuple[int, str] | None:
    """Where the answer claims to be complete; "this isn't the complete list" does not."""
    at = 0
    while (found := find_notion(Notion.COMPLETE, text[at:])) is not None:
        start = at + found.start()
        clause = _CLAUSE.split(text[max(0, start - _REACH) : start])[-1]
        at += found.end()
        if _DENIED.search(clause) is None and _ELSEWHERE.match(text, at) is None:
            return start, found[0]
    return None


def _listed_as_all(facts: GateFacts, cut: Sequence[int]) -> Iterator[Problem]:
    """All rows that came back, listed without a word on those that did not.

    A question for the first few rows implies that there are more.
    """
    if find_notion(Notion.RESTRICTED, facts.question) and not find_notion(
        Notion.ALL, facts.question
    ):
        return
    for at in cut:
        bounds = [each for each in facts.stated if each.binding and each.binding.source == at]
        rows = {each.binding.row for each in bounds if each.binding}
        if len(rows) >= max(_FEWEST, len(facts.exhibits[at].rows)):
            yield Problem(GateCode.TRUNCATION_NOT_SAID, bound=bounds[-1])
            return
