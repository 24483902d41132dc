"""The width of a text in a terminal: Chinese characters take two columns."""

import unicodedata


def width(text: str) -> int:
    """The number of columns."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def padded(text: str, columns: int) -> str:
    """The text with blanks up to this width."""
    return text + " " * (columns - width(text))
