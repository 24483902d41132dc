"""Which name belongs to which figure of one sentence.

Names and figures alternate in most sentences ("A: 5, B: 7"; "5 for A and 7 for B"), or come in two
rows of equal length ("A and B had 5 and 7"). Where they do neither, the names close by are all
possible, and nothing is concluded from choosing one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from veridical.gate.claim import Claim
from veridical.gate.layout import Clause
from veridical.gate.naming.mentions import Mention
from veridical.late_pattern import late_pattern

_COMPARED = late_pattern(
    r"(?:\b(?:als|than|vs\.?|versus|gegenüber|compared\s+(?:to|with)|vergleich\s+(?:zu|mit|zum)"
    r"|relative\s+to|exceed(?:s|ed|ing)?|outs(?:old|ells?)|outperform(?:s|ed)?|surpass(?:es|ed)?|beats?|above|below|ahead\s+of|behind|vor|hinter|übertrifft)"
    r"(?:\s+(?:in|im|am|der|die|das|dem|den|the|that|those|of|for|bei|von|für|ende|end)){0,3}"
    r"|比|较|相比于?|高于|低于|超过)\s*\W?\s*$",
    re.IGNORECASE,
)
_OWNS_NEXT = late_pattern(
    r"\s*(?:\(|:|=|–|-|,?\s*(?:mit|with|at|auf|von|of|hat(?:te)?|ha[sd]|war|is|was|betrug)\b|的|为|是|：|（)"
    r"[\s*_]*(?:[A-Z]{3}|[$€£¥])?\s*$",
    re.IGNORECASE,
)
_LEADS_ON = late_pattern(
    r"[\s*_)]*|[\s*_)]*(?:%|[A-Z]{3}|\w{1,12})?[\s*_]*"
    r"(?:\(|\[|（|\b(?:for|für|in|im|am|bei|beim|von|vom|of|to|an|auf|from|by|at|per|on|ende?|end\s+of)\b)"
    r"(?:\s+(?:the|der|die|das|dem|den|des|end|ende|of|account|konto|monat|month)){0,3}[\s*_]*$",
    re.IGNORECASE,
)
_LONGEST_GAP = 40


class Pairing(NamedTuple):
    """The names that a figure may belong to. Sure when the sentence leaves no choice."""

    mentions: tuple[Mention, ...]
    sure: bool
    alone: bool = False
    """The name stands right beside the figure, and beside no other."""


Item = Claim | Mention
Runs = list[tuple[bool, list[Item]]]
"""Alternating runs, each with whether it consists of names."""


def pair(
    figures: Sequence[Claim],
    mentions: Sequence[Mention],
    clauses: Callable[[], Sequence[Clause]],
    text: str,
    compares: bool = True,
) -> dict[int, Pairing]:
    """By the start of each figure: what names it. Figures without a name have no entry.

    ``compares`` is false where the text has no word of comparison anywhere.
    """
    owners = mentions
    if compares:
        owners = [each for each in mentions if not _only_compared(each, figures, text)]
    if not owners:
        return {}
    if len(owners) == 1 or len({each.same for each in owners}) == 1:
        return {
            figure.start: Pairing(
                (owners[0],), sure=True, alone=_has_its_own(figure, figures, owners, text)
            )
            for figure in figures
        }
    paired: dict[int, Pairing] = {}
    for percent in (False, True):
        alike = [each for each in figures if _is_percent(each) is percent]
        if alike:
            paired.update(_pair_alike(alike, owners, clauses, text))
    return paired


def _has_its_own(
    figure: Claim, figures: Sequence[Claim], mentions: Sequence[Mention], text: str
) -> bool:
    """True where the same name is said again for this figure, and not for another one."""
    if len(mentions) == 1:
        return False
    alike = [each for each in figures if _is_percent(each) is _is_percent(figure)]
    behind = next((each for each in mentions if each.start >= figure.end), None)
    return len(mentions) == len(alike) or (
        behind is not None and _LEADS_ON.fullmatch(text, figure.end, behind.start) is not None
    )


def _is_percent(claim: Claim) -> bool:
    return bool(claim.readings) and claim.readings[0].unit == "%"


def _pair_alike(
    figures: Sequence[Claim],
    mentions: Sequence[Mention],
    clauses: Callable[[], Sequence[Clause]],
    text: str,
) -> dict[int, Pairing]:
    runs = _runs((*figures, *mentions))
    regular = _in_turn(runs, text)
    if regular is not None:
        often = Counter(id(mention) for _, mention in regular)
        return {
            figure.start: Pairing((mention,), sure=True, alone=often[id(mention)] == 1)
            for figure, mention in regular
        }
    return {figure.start: _close_by(figure, figures, mentions, clauses, text) for figure in figures}


def _runs(items: Iterable[Item]) -> Runs:
    ordered = sorted(items, key=lambda each: each.start)
    return [
        (is_name, _without_repeats(list(run)))
        for is_name, run in groupby(ordered, key=lambda each: isinstance(each, Mention))
    ]


def _without_repeats(run: list[Item]) -> list[Item]:
    kept: list[Item] = []
    for item in run:
        again = kept and isinstance(item, Mention) and isinstance(kept[-1], Mention)
        if not again or kept[-1].same != item.same:  # pyright: ignore[reportAttributeAccessIssue]
            kept.append(item)
    return kept


def _in_turn(runs: Runs, text: str) -> list[tuple[Claim, Mention]] | None:
    """The pairs of a sentence whose runs match one by one; none where they do not."""
    if len(runs) < 2 or len(runs) % 2:
        return None
    names_first = runs[0][0]
    pairs: list[tuple[Claim, Mention]] = []
    for at in range(0, len(runs), 2):
        names, figures = (runs[at][1], runs[at + 1][1])
        if not names_first:
            names, figures = figures, names
        found = list(_matched(figures, names))
        if not found or (len(figures) > 1 and not names_first and len(names) == 1):
            return None
        pairs += found
    if names_first and _pull_both_ways(runs, text):
        return None
    return pairs


def _matched(figures: list[Item], names: list[Item]) -> Iterator[tuple[Claim, Mention]]:
    if len(names) == 1:
        names = names * len(figures)
    if len(names) == len(figures):
        for figure, name in zip(figures, names, strict=True):
            if isinstance(figure, Claim) and isinstance(name, Mention):
                yield figure, name


def _pull_both_ways(runs: Runs, text: str) -> bool:
    """A figure that leads on to the name behind it, although the names come first."""
    for at in range(1, len(runs) - 1, 2):
        figure, name = runs[at][1][-1], runs[at + 1][1][0]
        before, first = runs[at - 1][1][-1], runs[at][1][0]
        leads = _LEADS_ON.fullmatch(text, figure.end, name.start) is not None
        if leads and _OWNS_NEXT.fullmatch(text, before.end, first.start) is None:
            return True
    return False


def _close_by(
    figure: Claim,
    figures: Sequence[Claim],
    mentions: Sequence[Mention],
    clauses: Callable[[], Sequence[Clause]],
    text: str,
) -> Pairing:
    """A name right behind or right before the figure, else those of its clause, else all."""
    behind = next((each for each in mentions if each.start >= figure.end), None)
    before = next((each for each in reversed(mentions) if each.end <= figure.start), None)
    leads = behind is not None and _LEADS_ON.fullmatch(text, figure.end, behind.start) is not None
    owned = before is not None and _OWNS_NEXT.fullmatch(text, before.end, figure.start) is not None
    if leads is not owned:
        chosen = behind if leads else before
        if chosen is not None and not _between(figure, chosen, figures):
            return Pairing((chosen,), sure=True, alone=True)
    clause = next((each for each in clauses() if each.start <= figure.start < each.end), None)
    if clause is not None:
        inside = [each for each in mentions if clause.start <= each.start < clause.end]
        alone = sum(clause.start <= each.start < clause.end for each in figures) == 1
        if inside and alone and len({each.same for each in inside}) == 1:
            return Pairing((inside[0],), sure=False)
    return Pairing(tuple(mentions), sure=False)


def _between(figure: Claim, mention: Mention, figures: Sequence[Claim]) -> bool:
    low, high = min(figure.end, mention.end), max(figure.start, mention.start)
    return any(low <= other.start < high for other in figures if other is not figure)


def _only_compared(mention: Mention, figures: Sequence[Claim], text: str) -> bool:
    """A name that something is compared with, and that has no figure of its own."""
    if _COMPARED.search(text, max(0, mention.start - _LONGEST_GAP), mention.start) is None:
        return False
    return not any(
        (
            0 <= figure.start - mention.end <= _LONGEST_GAP
            and _OWNS_NEXT.fullmatch(text, mention.end, figure.start)
        )
        or (
            0 <= mention.start - figure.end <= _LONGEST_GAP
            and _LEADS_ON.fullmatch(text, figure.end, mention.start)
        )
        for figure in figures
    )
