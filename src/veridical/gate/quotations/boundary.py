"""Where words begin and end: a quotation must not cut a word, a number or a compound apart."""

from veridical.gate.quotations.folded import QUOTE, is_east_asian, is_letter
from veridical.late_pattern import late_pattern

_JOINTS = frozenset(("-", QUOTE))
_IN_NUMBERS = frozenset((".", ",", QUOTE))
_AFTER_NUMBERS = frozenset(("%", "\u2030", "\u00b0"))
_WORD = late_pattern(r"[^\W_]+")
_HAN_WEIGHT = 0.5
"""Two signs of a script without blanks weigh as much as a word."""


def is_whole(text: str, start: int, end: int) -> bool:
    """True if a stretch of a folded text begins and ends where words do."""
    return _begins(text, start) and _ends(text, end)


def size(text: str) -> float:
    """The number of words of a folded text, in any script."""
    han = sum(map(is_east_asian, text)) if not text.isascii() else 0
    words = sum(
        not is_east_asian(word[0]) or not is_east_asian(word[-1]) for word in _WORD.findall(text)
    )
    return words + _HAN_WEIGHT * han


def _begins(text: str, at: int) -> bool:
    if at == 0 or not is_letter(text[at]):
        return True
    left, before = text[at - 1], text[at - 2 : at - 1]
    if is_letter(left):
        return False
    if left in _JOINTS and is_letter(before):
        return False
    if text[at].isdigit():
        if left in _IN_NUMBERS and before.isdigit():
            return False
        return left != "-" or is_letter(before)  # no sign is cut off
    return True


def _ends(text: str, at: int) -> bool:
    if at == len(text) or not is_letter(text[at - 1]):
        return True
    right, after = text[at], text[at + 1 : at + 2]
    if is_letter(right):
        return False
    if right in _JOINTS and is_letter(after):
        return False
    if text[at - 1].isdigit():
        return right not in _AFTER_NUMBERS and not (right in _IN_NUMBERS and after.isdigit())
    return True
