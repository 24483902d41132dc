"""Says whether an answer is wrong, by reading its figures back and holding them to the story.

It knows nothing of the gate: a figure is read by the one locale that wrote it, and a value is
right when the truth rounds to what is shown.
"""

import re
from decimal import Decimal

from benchmarks.answer_gate.own.story import Story
from benchmarks.answer_gate.own.templates import Use, Written
from benchmarks.answer_gate.own.values import (
    Count,
    Figure,
    Locale,
    Money,
    Percent,
    Rate,
    Value,
    show,
)

_SCALES = {
    "Mrd.": 9,
    "billion": 9,
    "亿": 8,
    "Mio.": 6,
    "million": 6,
    "万": 4,
    "Tsd.": 3,
    "k": 3,
}
_CURRENCIES = {
    "CHF": "CHF",
    "EUR": "EUR",
    "USD": "USD",
    "瑞郎": "CHF",
    "欧元": "EUR",
    "美元": "USD",
}
_DIGITS = re.compile(r"\d[\d.,']*")


def is_true(written: Written, story: Story, locale: Locale) -> bool:
    """True when every value in the answer is what the story has at that place."""
    return all(bears_out(use, story.at(use.path), locale) for use in written.uses)


def bears_out(use: Use, truth: Value, locale: Locale) -> bool:
    """True when what is shown says this value."""
    if not isinstance(truth, Money | Percent | Count | Rate):
        return use.shown == show(truth, use.style, locale)
    if "|" in use.style:
        return use.shown == use.style.split("|")[truth.value < 0]
    return _says(use, truth, locale)


def _says(use: Use, truth: Figure, locale: Locale) -> bool:
    if use.style == "word" and use.shown in locale.words:
        return locale.words.index(use.shown) == truth.value
    if isinstance(truth, Money) and use.style != "bare":
        named = [code for word, code in _CURRENCIES.items() if word in use.shown]
        if named != [truth.currency]:
            return False
    value, half_step = _read(use.shown, locale)
    expected = abs(truth.value) if use.style == "abs" else truth.value
    return abs(value - expected) <= half_step


def _read(shown: str, locale: Locale) -> tuple[Decimal, Decimal]:
    found = _DIGITS.search(shown)
    assert found is not None, shown
    digits = found[0].replace(locale.group, "").replace(locale.decimal, ".")
    digits = digits.rstrip(".")
    scale = next((power for word, power in _SCALES.items() if word in shown), 0)
    places = len(digits.partition(".")[2])
    half_step = Decimal(5).scaleb(-places - 1 + scale)
    negative = shown[: found.start()].strip().endswith((locale.minus, "-", "−"))
    value = Decimal(digits).scaleb(scale)
    return (-value if negative else value), half_step
