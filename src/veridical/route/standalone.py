"""Known questions within a conversation, answered as such only if they are complete by themselves.

Earlier turns can change the meaning of a question, and a pattern does not know them. One word
that may point back, a relative time, or half a sentence leaves the question to the agent.
"""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.model import SlotKind
from veridical.reading.periods import find_periods
from veridical.route.patterns import NoMatch, PatternIndex, PatternMatch, match_pattern

_POINTS_BACK: dict[Language, re.Pattern[str]] = {
    Language.DE: late_pattern(
        r"(?:^|[.!?,;:])\W*und\b|\b(?:auch|dann|sonst|ebenfalls|ebenso|da(?:von|für|zu|raus|rin|mit|bei|gegen|nach|vor)"
        r"|dort|sie|er|ihn|ihm|ihnen|dies\w*|jen\w+|dessen|deren|(?:d(?:er|ie|as|en|em))?selb\w*"
        r"|gleich\w*|ander\w*|übrig\w*|rest\w*|vorher\w*|zuvor|nachher|früher\w*|später\w*|vorig\w*"
        r"|vorjahr\w*|folge\w*|wieder|nochmals?|stattdessen|genau\w*)\b"
        r"|\bdas\b(?=\s*(?:\d|[?.,!]|$))",
        re.IGNORECASE,
    ),
    Language.EN: late_pattern(
        r"(?:^|[.!?,;:])\W*and\b|\b(?:also|too|then|that|this|these|those|its?|they|them|their|same|again|instead"
        r"|others?|else|former|latter|such|ones?|previous\w*|prior|before|earlier|after|later|next"
        r"|following|rest|remaining|still|exactly)\b|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )"
        r"\bthere\b",
        re.IGNORECASE,
    ),
    Language.ZH: late_pattern(
        r"[那呢也又其它她他该这此再另同]|还(?![没未])|上述|之前|前一|上一|后一|然后|剩"
    ),
}
_ASKS: dict[Language, re.Pattern[str]] = {
    Language.DE: late_pattern(
        r"\b(?:wie|was|welche\w?|we[rmn]|wann|wo|wieviele?|zeig\w*|nenn\w*|list\w*|gib|sag\w*|berechn\w*"
        r"|ist|sind|war|waren|hat|hatten?|haben|gibt|gab|betr[aäu]g\w*)\b",
        re.IGNORECASE,
    ),
    Language.EN: late_pattern(
        r"\b(?:what|how|which|who|when|where|show|list|give|tell|name|calculate|find|is|are|was|were"
        r"|did|do|does|has|have|had)\b",
        re.IGNORECASE,
    ),
    Language.ZH: late_pattern(
        r"多少|多大|几|什么|哪|谁|何|是否|吗|有没有|怎|列|显示|告诉|查|给我|请"
    ),
}
_ANOTHER_DAY = timedelta(days=1_000)
"""Another year, month and day, so that everything relative to today has changed."""


def match_standalone(
    text: str, earlier: Iterable[str], index: PatternIndex, language: Language, today: date
) -> PatternMatch | NoMatch:
    """The pattern of a question that needs nothing of the earlier ones."""
    if points_back(text, language):
        return NoMatch()
    match = match_pattern(text, index, language, today)
    if not isinstance(match, PatternMatch) or not (_is_whole(text, language) or _has_code(match)):
        return NoMatch()
    later = match_pattern(text, index, language, today + _ANOTHER_DAY)
    if not isinstance(later, PatternMatch) or later.call != match.call:
        return NoMatch()
    if match.period is None and any(_names_time(each, today) for each in earlier):
        return NoMatch()
    return match


def points_back(text: str, language: Language) -> bool:
    """True for a word that may refer to an earlier turn."""
    return _POINTS_BACK[language].search(text) is not None


def _is_whole(text: str, language: Language) -> bool:
    """False for "Revenue 2024?", which may refer to the customer of an earlier turn."""
    return _ASKS[language].search(text) is not None


def _has_code(match: PatternMatch) -> bool:
    """True for what names its account, and so its subject."""
    return any(slot.kind is SlotKind.CODE for slot in match.pattern.slots)


def _names_time(text: str, today: date) -> bool:
    return any(find_periods(text.lower(), language, today) for language in Language)
