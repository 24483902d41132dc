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
from veridical.word_file import word_file

_POINTS_BACK, _ASKS = (
    {
        language: late_pattern(word_file("veridical.route")[name][language], re.IGNORECASE)
        for language in Language
    }
    for name in ("points_back", "asks")
)
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
