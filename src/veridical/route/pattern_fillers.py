"""Words that change nothing: articles, polite turns, ways to ask how much or which.

A word is listed only if a question means the same without it. Negations, comparisons, "and",
"only", "without", "until", "per" are not: with one of them it is another question.
"""

from veridical.contracts.language import Language
from veridical.ontology.model import Asks
from veridical.word_file import word_file

_FILLERS: dict[str, dict[Language, str]] = word_file("veridical.route")["fillers"]
_BY_KIND = {
    Asks.HOW_MUCH: _FILLERS["amount"],
    Asks.TOTAL: _FILLERS["amount"],
    Asks.HOW_MANY: _FILLERS["count"],
    Asks.WHICH: _FILLERS["which"],
}


def fillers(language: Language, asks: Asks) -> tuple[str, ...]:
    """The phrases to pass over in a question of this kind."""
    showing = "" if asks is Asks.TOTAL else f", {_FILLERS['showing'][language]}"
    texts = (_FILLERS["always"][language], _BY_KIND[asks][language] + showing)
    return tuple(" ".join(each.split()) for text in texts for each in text.split(","))


def asking(language: Language, asks: Asks) -> str:
    """The first words of a question of this kind."""
    return " ".join(_BY_KIND[asks][language].split(",")[0].split())
