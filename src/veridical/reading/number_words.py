"""Numbers written as words: drei, zwölf, twenty."""

from veridical.contracts.language import Language

_GERMAN = (
    "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
)  # fmt: skip
_ENGLISH = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_GERMAN_TENS = (
    "zwanzig", "dreissig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
)  # fmt: skip
_ENGLISH_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip


def _counts(ones: tuple[str, ...], tens: tuple[str, ...]) -> dict[str, int]:
    small = {word: number for number, word in enumerate(ones, start=2)}
    return small | {word: number * 10 for number, word in enumerate(tens, start=2)}


COUNTS: dict[Language, dict[str, int]] = {
    Language.DE: _counts(_GERMAN, _GERMAN_TENS) | {"dreißig": 30, "hundert": 100},
    Language.EN: _counts(_ENGLISH, _ENGLISH_TENS) | {"hundred": 100},
}
"""Words that count, by language; one is left out: it is an article as often as a number."""
